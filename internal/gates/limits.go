package gates

import (
	"math/big"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Limits bounds what each run may spend.
var Limits = &judge.Gate{
	Name: "limits",
	Doc: `Limits: does a run exceed its limits

` + "```yaml" + `
limits:
  max_calls: 12
  max_duration: 90s
  max_calls_by_tool: {shell.exec: 0, search: 3}
` + "```" + `

Each key limits the figure of the same name. The numbers of calls and errors are always known. Any other figure is absent if a run lacks its
value. Runs without calls are judged, too. To choose a bound, take the largest figure of ten good runs and add a fifth.

With ` + "`max_calls_by_tool: {b: 1}`" + `:

| calls of the runs | calls | errors | calls_by_tool["b"] |
|---|---|---|---|
| a b c | 3 | 0 | 1 |
| a; a b b | 3 | 0 | 2 |
| a! a! a | 3 | 2 | 0 |
| a!; b! | 1 | 1 | 1 |
| a b; | 2 | 0 | 1 |
| b b! s.b c | 4 | 1 | 3 |`,
	Keys: []judge.Key{
		{Name: "max_calls", Type: judge.TypeWhole, Doc: "The most tool calls per run."},
		{Name: "max_turns", Type: judge.TypeWhole, Doc: "The most recorded messages with the role `assistant` per run."},
		{Name: "max_errors", Type: judge.TypeWhole, Doc: "The most failed calls per run."},
		{Name: "max_tokens", Type: judge.TypeWhole, Doc: "The most tokens per run: the recorded total, otherwise input plus output."},
		{Name: "max_duration", Type: judge.TypeDuration, Doc: "The longest accepted duration of a run, such as `1m30s` or `500ms`."},
		{Name: "max_cost_usd", Type: judge.TypeNumber, Doc: "The most dollars per run: the recorded cost, otherwise tokens at the prices in `pricing:`."},
		{Name: "max_calls_by_tool", Type: judge.TypeCounts, Doc: "The most calls per run to each tool, or to all tools of a glob together. At most 100 entries."},
		{Name: "expect", Type: judge.TypeExpectations, Doc: "Expectations on the figures below."},
	},
	Targets:   limitTargets,
	Needs:     judge.NeedRuns,
	Configure: configureLimits,
}

// boundedDoc documents a figure that a key with the same name bounds.
const boundedDoc = "The largest value of any run."

var callsByToolTarget = judge.Target{Name: `limits.calls_by_tool["NAME"]`, Unit: judge.Number, Doc: "The most calls in any run to the tool or glob NAME, even if `max_calls_by_tool` does not list NAME."}

var limitTargets = []judge.Target{
	{Name: "limits.calls", Unit: judge.Number, Doc: boundedDoc},
	{Name: turnsTarget, Unit: judge.Number, Doc: boundedDoc},
	{Name: "limits.errors", Unit: judge.Number, Doc: boundedDoc},
	{Name: "limits.tokens", Unit: judge.Tokens, Doc: boundedDoc},
	{Name: "limits.duration_ms", Unit: judge.Number, Doc: boundedDoc},
	{Name: "limits.cost_usd", Unit: judge.Dollars, Doc: boundedDoc},
	callsByToolTarget,
}

const turnsTarget = "limits.turns"

type limits struct {
	tools  []toolLimit
	expect []judge.Expectation
	bounds map[string]judge.Matcher // bounds that keys such as max_calls set, by target
}

// toolLimit is a tool whose calls are counted.
type toolLimit struct {
	text string
	name judge.ToolName
}

func configureLimits(block *yamlread.Map, in judge.Context) judge.Plan {
	l := limits{bounds: map[string]judge.Matcher{}}
	var keys []string
	for _, one := range runLimits {
		keys = append(keys, one.key)
		l.readBound(block, one)
	}
	listed := l.readTools(block, in)
	l.expect = append(l.expect, judge.ReadExpect(block, limitTargets, nil)...)
	for _, e := range l.expect {
		if tool, ok := callsByToolTarget.Param(e.Target); ok {
			l.addTool(tool, in)
		}
	}
	if len(l.expect) == 0 && !hasBound(block) {
		block.Errorf(block.Pos(), "nothing is bounded, expected one of %s, max_calls_by_tool, expect", strings.Join(keys, ", "))
	}
	block.Done()
	return judge.Plan{Measurer: &l, Expect: l.expect, Listed: listed}
}

// hasBound reports whether the block has a key that is a bound, even if the bound has a mistake.
func hasBound(block *yamlread.Map) bool {
	return block.Has("max_calls_by_tool") || slices.ContainsFunc(runLimits, func(one limit) bool { return block.Has(one.key) })
}

func (l *limits) readBound(block *yamlread.Map, one limit) {
	if !block.Has(one.key) {
		return
	}
	var most *big.Rat
	var ok bool
	switch {
	case one.unit == judge.Dollars:
		most, ok = block.Decimal(one.key, new(big.Rat), nil)
	case one.isDuration():
		most, ok = judge.ReadDuration(block, one.key)
	default:
		var n int
		n, ok = block.Whole(one.key, 0)
		most = new(big.Rat).SetInt64(int64(n))
	}
	if ok {
		l.addBound(one.target, block.KeyPos(one.key), most)
	}
}

func (l *limits) addBound(target string, pos source.Pos, most *big.Rat) {
	l.bounds[target] = judge.Bound("<=", most)
	l.expect = append(l.expect, judge.Expectation{Target: target, Pos: pos, Matcher: l.bounds[target], OfKey: true})
}

// maxToolLimits bounds the number of entries of max_calls_by_tool, because each call is compared with each tool.
const maxToolLimits = 100

// readTools reads the key max_calls_by_tool, and returns its tools that are not globs.
func (l *limits) readTools(block *yamlread.Map, in judge.Context) []judge.Member {
	const key = "max_calls_by_tool"
	m := block.Map(key)
	entries := m.Entries()
	if m != nil && len(entries) == 0 {
		block.Errorf(block.KeyPos(key), "%q is empty, expected tools, each with the most calls of any run", key)
	}
	if len(entries) > maxToolLimits {
		block.Errorf(block.KeyPos(key), "%q has %d entries, at most %d are read", key, len(entries), maxToolLimits)
		return nil
	}
	var listed []judge.Member
	for _, e := range entries {
		if e.Key.Value == "" {
			block.Errorf(e.Key.Pos, "an entry of %q must be a tool, found an empty key", key)
		}
		most, _ := m.Whole(e.Key.Value, 0)
		l.addTool(e.Key.Value, in)
		l.addBound(callsByToolTarget.WithParam(e.Key.Value), e.Key.Pos, new(big.Rat).SetInt64(int64(most)))
		if !judge.IsGlob(e.Key.Value) {
			listed = append(listed, judge.Member{Name: e.Key.Value, Pos: e.Key.Pos})
		}
	}
	return listed
}

func (l *limits) addTool(text string, in judge.Context) {
	if !slices.ContainsFunc(l.tools, func(t toolLimit) bool { return t.text == text }) {
		l.tools = append(l.tools, toolLimit{text, judge.NewToolName(text, in.Servers)})
	}
}
