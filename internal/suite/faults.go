package suite

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Bounds on the faults of a test.
const (
	maxFaults     = 100
	maxFaultTimes = 1_000_000_000
	maxDelayMS    = 3_600_000 // an hour, which is also the bound of a slow mock server
)

// Fault is a fault of a test.
type Fault struct {
	fault.Fault
	Pos source.Pos // position of the tool, or of the fault's dash if it names no tool
}

// PlainFaults returns the faults of the case in the form of recordings; nil if there are none, because partial recordings have a hash
// of the list.
func (c *Case) PlainFaults() []fault.Fault {
	if len(c.Faults) == 0 {
		return nil
	}
	return lists.Map(c.Faults, func(f Fault) fault.Fault { return f.Fault })
}

func (r *reader) readFaults(m *yamlread.Map, d *draft) {
	blocks := m.Maps("faults")
	if len(blocks) > maxFaults {
		r.errs.Addf(m.KeyPos("faults"), `"faults" holds %d faults, expected at most %d`, len(blocks), maxFaults)
		return
	}
	for _, block := range blocks {
		f := r.readFault(block, d)
		block.Done()
		d.Faults = append(d.Faults, f)
		if f.Tool != "" {
			d.Listed = append(d.Listed, judge.Member{Name: r.faultMember(f), Pos: f.Pos})
		}
	}
}

func (r *reader) readFault(m *yamlread.Map, d *draft) Fault {
	f := Fault{Pos: m.Pos()}
	f.Kind = readKind(m)
	f.Server = r.readFaultServer(m, d)
	if tool, ok := m.OptStr("tool"); ok && r.checkName(tool, "tool") {
		f.Tool, f.Pos = tool.Value, tool.Pos
	}
	kind, known := fault.Find(f.Kind)
	f.Times = readTimes(m, kind, known)
	f.DelayMS = readDelay(m, kind, known)
	return f
}

// readKind returns the kind of a fault. It rejects a kind with a number, which is the form of "mock --fault".
func readKind(m *yamlread.Map) string {
	v, ok := m.Value("kind")
	if !ok {
		m.Errorf(m.Pos(), `"kind" is missing, expected one of %s`, strings.Join(fault.Names(), ", "))
		return ""
	}
	name, number, isPair := strings.Cut(v.Text(), ":")
	kind, known := fault.Find(name)
	n, err := strconv.ParseUint(number, 10, 64) // out of range, ParseUint returns the largest number
	if !isPair || !known || errors.Is(err, strconv.ErrSyntax) {
		return judge.ReadChoice(m, "kind", fault.Names()...)
	}
	m.Errorf(v.Pos(), `"kind" takes no number, found %q; %s`, clip(v.Text()), numberAdvice(kind, n))
	return ""
}

// numberAdvice returns advice for a kind that was given a number, in the form of "mock --fault". For a waiting kind other than
// slow, the number's meaning is unknown, because "mock --fault" takes none.
func numberAdvice(kind fault.Kind, number uint64) string {
	key, unit, most := "times", "", uint64(maxFaultTimes)
	switch {
	case kind.Name == fault.Slow:
		key, unit, most = "delay", "ms", maxDelayMS
	case kind.Waits:
		return fmt.Sprintf(`write {kind: %s}, and "delay" for how long it waits`, kind.Name)
	}
	if number < 1 || number > most {
		return fmt.Sprintf("expected {kind: %s, %s: N%s} with N from 1 to %d", kind.Name, key, unit, most)
	}
	return fmt.Sprintf("write {kind: %s, %s: %d%s}", kind.Name, key, number, unit)
}

// readFaultServer returns the server whose calls a fault affects. If the fault names none, it is the only server of the test.
func (r *reader) readFaultServer(m *yamlread.Map, d *draft) string {
	name, ok := m.OptStr("server")
	switch {
	case !ok && len(d.ServerNames) == 1:
		return d.ServerNames[0]
	case !ok && len(d.ServerNames) > 1:
		m.Errorf(m.Pos(), `"server" is missing, expected one of the test's, which are %s`, quoted(d.ServerNames))
	case ok && d.ServerNames != nil && !slices.Contains(d.ServerNames, name.Value):
		m.Errorf(name.Pos, `"server" must be one of the test's, which are %s, found %q%s`, quoted(d.ServerNames), clip(name.Value), r.hint(name.Value, d.ServerNames))
	}
	return name.Value
}

// readTimes returns the number of calls that a fault affects; 0 for a kind that takes no number.
func readTimes(m *yamlread.Map, kind fault.Kind, known bool) int64 {
	switch {
	case known && kind.Times == fault.Never:
		m.Misplaced("times", "a server that is "+kind.Name+" answers nothing for the rest of the run")
		return 0
	case known && kind.Times == fault.Required && !m.Has("times"):
		m.Errorf(m.Pos(), `"times" is missing, expected how many calls fail before the server recovers`)
	}
	n := m.Int("times", 1, 1)
	if n > maxFaultTimes {
		v, _ := m.Value("times")
		v.Errorf(`"times" must be at most %d, found %s`, maxFaultTimes, v.Describe())
	}
	return int64(n)
}

// readDelay returns the delay of a fault in milliseconds, rounded up; 0 for a kind that does not wait.
func readDelay(m *yamlread.Map, kind fault.Kind, known bool) int64 {
	if known && !kind.Waits {
		m.Misplaced("delay", "a fault of kind "+kind.Name+" does not wait")
		return 0
	}
	ms, ok := judge.ReadDuration(m, "delay")
	if !ok {
		return fault.DefaultDelay
	}
	if ms.Cmp(big.NewRat(maxDelayMS, 1)) > 0 {
		v, _ := m.Value("delay")
		v.Errorf(`"delay" must be at most 1h, found %s`, v.Describe())
		return fault.DefaultDelay
	}
	whole := new(big.Int).Add(ms.Num(), new(big.Int).Sub(ms.Denom(), big.NewInt(1)))
	return whole.Quo(whole, ms.Denom()).Int64()
}

func (r *reader) faultMember(f Fault) string {
	if r.servers[f.Server] == nil {
		return f.Tool
	}
	return f.Of()
}

// addFaults adds the faults, each under a key with its target. Their settings are compared as numbers: fewer and shorter faults
// are easier to recover from. The order is a setting, too, because a call meets the first fault that applies to it.
func (l *settingList) addFaults(c *Case) {
	if len(c.Faults) > 0 {
		l.add("faults", judge.CompactJSON(lists.Map(c.Faults, func(f Fault) string { return f.String() })), c.Faults[0].Pos)
	}
	for _, f := range c.Faults {
		key := "faults[" + judge.CompactJSON(f.String()) + "]"
		l.add(key+".times", big.NewInt(max(1, f.Times)).String(), f.Pos)
		if f.DelayMS > 0 {
			l.add(key+".delay_ms", big.NewInt(f.DelayMS).String(), f.Pos)
		}
	}
}
