package gates

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
)

type stabilityCount struct {
	window int
	same   *sameCalls
	ids    map[catalog.Ref]string

	calls, thrashed, looped, redone int
	unkept                          int // calls whose arguments were not recorded
	thrash, loop, progress, growth  exactMean
	backs, loops, repeats           map[string]judge.Note
}

// steps is the state of comparing each call of a run with the calls before it.
type steps struct {
	calls  []trace.Call
	used   map[catalog.Ref]int    // position of the last call of each tool
	failed map[*callIdentity]bool // whether the last of several equal calls failed; only for tools that are called more than once
	values map[int]bool           // leaves in the arguments of the calls that were read
	read   int                    // number of calls that were read: their leaves are in values
}

// countRun counts the calls of a run that go back, loop or repeat.
func (c *stabilityCount) countRun(run *trace.Run) {
	n := len(run.Calls)
	half := n / 2
	again := calledAgain(run.Calls)
	state := steps{calls: run.Calls, used: map[catalog.Ref]int{}, failed: map[*callIdentity]bool{}, values: map[int]bool{}}
	thrashed, looped, redone := 0, 0, 0
	for i := range run.Calls {
		call := &run.Calls[i]
		if call.Args == trace.ArgsUnknown {
			c.unkept++
		}
		if tool := call.Tool.Ref; again[tool] { // a tool that is called only once cannot thrash, loop or repeat
			same := c.same.identityOf(call)
			failed, made := state.failed[same]
			if c.thrashes(&state, i) {
				thrashed++
				tally(c.backs, c.id(tool), run.Number)
			}
			if failed {
				looped++
				tally(c.loops, c.id(tool), run.Number)
			}
			if made && i >= n-half {
				redone++
				tally(c.repeats, c.id(tool), run.Number)
			}
			state.failed[same], state.used[tool] = call.Failed, i
		}
	}
	c.calls, c.thrashed, c.looped, c.redone = c.calls+n, c.thrashed+thrashed, c.looped+looped, c.redone+redone
	addGoodShare(&c.thrash, thrashed, n, run.Number)
	addGoodShare(&c.loop, looped, n, run.Number)
	addGoodShare(&c.progress, redone, half, run.Number)
	if growth := growthOf(run); growth != nil {
		c.growth.add(growth, run.Number)
	}
}

// addGoodShare adds the percentage of the n calls that are not bad; 100 % if n is 0.
func addGoodShare(mean *exactMean, bad, n, run int) {
	n = max(n, 1)
	mean.addShare(int64(n-bad), int64(n), run)
}

func (c *stabilityCount) id(tool catalog.Ref) string {
	return lists.Cached(c.ids, tool, tool.ID)
}

func (c *stabilityCount) thrashes(state *steps, at int) bool {
	tool := state.calls[at].Tool.Ref
	last, used := state.used[tool]
	isRecent := used && at-last <= c.window
	if !isRecent || state.calls[at-1].Tool.Ref == tool {
		return false
	}
	for ; state.read < at; state.read++ {
		for _, leaf := range c.leavesOf(&state.calls[state.read]) {
			state.values[leaf] = true
		}
	}
	isNew := func(leaf int) bool { return !state.values[leaf] }
	return !slices.ContainsFunc(c.leavesOf(&state.calls[at]), isNew)
}

func (c *stabilityCount) leavesOf(call *trace.Call) []int {
	return c.same.leavesOf(c.same.identityOf(call))
}

// growthOf returns the figure on the growth of a run's tokens, from 0 to 100; nil if the tokens are not known.
func growthOf(run *trace.Run) *fraction {
	turns, ok := turnTokens(run)
	if !ok {
		return nil
	}
	first, last := new(big.Int), new(big.Int)
	for i := range len(turns) / 2 {
		first.Add(first, big.NewInt(turns[i]))
		last.Add(last, big.NewInt(turns[len(turns)-1-i]))
	}
	if first.Sign() == 0 {
		return newFraction(100, 1)
	}
	// The figure is 40 * (4f - s) / f, where f is first and s is last.
	part := new(big.Int).Lsh(first, 2)
	part.Mul(part.Sub(part, last), big.NewInt(40))
	switch most := new(big.Int).Mul(first, big.NewInt(100)); {
	case part.Sign() == -1:
		return newFraction(0, 1)
	case part.Cmp(most) == 1:
		return newFraction(100, 1)
	}
	return &fraction{part, first}
}

// turnTokens returns the tokens of the turns with a token count. ok is false if there are none, or if a reply has no count.
func turnTokens(run *trace.Run) (tokens []int64, ok bool) {
	for i := range run.Turns {
		turn := &run.Turns[i]
		count := turn.Tokens()
		if count.Known {
			tokens = append(tokens, count.N)
		} else if turn.Role == "assistant" {
			return nil, false
		}
	}
	return tokens, len(tokens) > 0
}

// exactMean is the mean of exact fractions, with one fraction for each run.
type exactMean struct {
	runs   int
	counts map[int64]int64      // sums of the numerators of shares, by denominator
	sums   map[string]*fraction // sums of other fractions, by denominator
	lowest *fraction            // the lowest figure of a run
	low    int                  // the first run with the lowest figure
}

// fraction is the exact number part/over. over is above 0.
type fraction struct{ part, over *big.Int }

func newFraction(part, over int64) *fraction { return &fraction{big.NewInt(part), big.NewInt(over)} }

// addShare adds the figure of a run, part/over in percent. over is at most 2,000,000.
func (m *exactMean) addShare(part, over int64, run int) {
	if m.counts == nil {
		m.counts = map[int64]int64{}
	}
	m.counts[over] += 100 * part
	m.runs++
	if part != over || m.lowest == nil { // most figures are 100, and cannot become the lowest
		m.noteLowest(newFraction(100*part, over), run)
	}
}

func (m *exactMean) add(f *fraction, run int) {
	if m.sums == nil {
		m.sums = map[string]*fraction{}
	}
	m.runs++
	m.noteLowest(f, run)
	key := f.over.String()
	if sum := m.sums[key]; sum != nil {
		sum.part.Add(sum.part, f.part)
		return
	}
	m.sums[key] = &fraction{new(big.Int).Set(f.part), f.over}
}

func (m *exactMean) noteLowest(f *fraction, run int) {
	isLower := m.lowest == nil || f.less(m.lowest)
	isEarlier := run < m.low && !isLower && !m.lowest.less(f)
	if isLower || isEarlier {
		m.lowest, m.low = f, run
	}
}

// floor returns the mean, rounded down; there is at least one run.
func (m *exactMean) floor() int {
	list := make([]*fraction, 0, len(m.counts)+len(m.sums))
	for over, part := range m.counts { // the sum is exact in any order
		list = append(list, newFraction(part, over))
	}
	for _, sum := range m.sums {
		list = append(list, sum)
	}
	runs := big.NewInt(int64(m.runs))
	if low, high := floorBounds(list, runs); low == high {
		return low
	}
	total := sumOf(list)
	over := runs.Mul(total.over, runs)
	return int(over.Div(total.part, over).Int64())
}

// floorBounds returns a lower and an upper bound of the mean, rounded down. They are a fast estimate, because the exact sum of a
// million different fractions takes a minute.
func floorBounds(list []*fraction, runs *big.Int) (low, high int) {
	const bits = 64 // number of binary places of each fraction
	sum := new(big.Int)
	for _, f := range list {
		scaled := new(big.Int).Lsh(f.part, bits)
		sum.Add(sum, scaled.Div(scaled, f.over))
	}
	mean := func() int { return int(new(big.Int).Rsh(new(big.Int).Div(sum, runs), bits).Int64()) }
	low = mean()
	sum.Add(sum, big.NewInt(int64(len(list)))) // each fraction was rounded down by less than 1
	return low, mean()
}

// worst returns a text with the lowest figure and its run; "" if every figure is 100.
func (m *exactMean) worst() string {
	percent := m.lowest.floor()
	if percent == 100 {
		return ""
	}
	return fmt.Sprintf("lowest in run %d, %d%%", m.low, percent)
}

// sumOf returns the sum of fractions, of which there must be at least one. It adds the sums of both halves and does not reduce
// fractions, which is much faster if there are many denominators.
func sumOf(list []*fraction) *fraction {
	if len(list) == 1 {
		return list[0]
	}
	a, b := sumOf(list[:len(list)/2]), sumOf(list[len(list)/2:])
	left, right := new(big.Int).Mul(a.part, b.over), new(big.Int).Mul(b.part, a.over)
	return &fraction{left.Add(left, right), right.Mul(a.over, b.over)}
}

func (f *fraction) less(g *fraction) bool {
	return new(big.Int).Mul(f.part, g.over).Cmp(new(big.Int).Mul(g.part, f.over)) < 0
}

func (f *fraction) floor() int { return int(new(big.Int).Div(f.part, f.over).Int64()) }
