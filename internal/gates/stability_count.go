package gates

import (
	"math/big"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
)

// stabilityCount counts over runs.
type stabilityCount struct {
	window int
	same   *sameCalls
	ids    map[catalog.Ref]string

	calls, thrashed, looped, redone int
	unkept                          int // calls whose arguments were not recorded
	thrash, loop, progress, growth  exactMean
	backs, loops, repeats           map[string]judge.Note
}

func newStabilityCount(window int) *stabilityCount {
	return &stabilityCount{
		window: window, same: newSameCalls(), ids: map[catalog.Ref]string{},
		backs: map[string]judge.Note{}, loops: map[string]judge.Note{}, repeats: map[string]judge.Note{},
	}
}

// steps is what is known of a run's calls so far.
type steps struct {
	calls  []trace.Call
	used   map[catalog.Ref]int    // where each tool was last called
	failed map[*callIdentity]bool // the calls made of tools that are called again; true for those that failed, and did not succeed since
	values map[int]bool           // the leaves of arguments, of the first calls
	read   int                    // how many
}

func (c *stabilityCount) run(run *trace.Run) {
	n := len(run.Calls)
	half := n / 2
	again := calledAgain(run.Calls)
	before := steps{calls: run.Calls, used: map[catalog.Ref]int{}, failed: map[*callIdentity]bool{}, values: map[int]bool{}}
	thrashed, looped, redone := 0, 0, 0
	for i := range run.Calls {
		call := &run.Calls[i]
		if call.Args == trace.ArgsUnknown {
			c.unkept++
		}
		if tool := call.Tool.Ref; again[tool] { // otherwise it is equal to no other call, and goes back to nothing
			same := c.same.of(call)
			failed, made := before.failed[same]
			if c.thrashes(&before, i) {
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
			before.failed[same], before.used[tool] = call.Failed, i
		}
	}
	c.calls, c.thrashed, c.looped, c.redone = c.calls+n, c.thrashed+thrashed, c.looped+looped, c.redone+redone
	addRest(&c.thrash, thrashed, n, run.Number)
	addRest(&c.loop, looped, n, run.Number)
	addRest(&c.progress, redone, half, run.Number)
	if growth := growthOf(run); growth != nil {
		c.growth.add(growth, run.Number)
	}
}

// addRest adds the share of n calls that are not bad; all when there are none.
func addRest(mean *exactMean, bad, n, run int) {
	n = max(n, 1)
	mean.addShare(int64(n-bad), int64(n), run)
}

func (c *stabilityCount) id(tool catalog.Ref) string {
	id, ok := c.ids[tool]
	if !ok {
		id = tool.ID()
		c.ids[tool] = id
	}
	return id
}

// thrashes reports whether the call at a place goes back to its tool with nothing new.
func (c *stabilityCount) thrashes(before *steps, at int) bool {
	tool := before.calls[at].Tool.Ref
	last, used := before.used[tool]
	if !used || at-last > c.window || before.calls[at-1].Tool.Ref == tool {
		return false
	}
	for ; before.read < at; before.read++ {
		for _, leaf := range c.leaves(&before.calls[before.read]) {
			before.values[leaf] = true
		}
	}
	return !slices.ContainsFunc(c.leaves(&before.calls[at]), func(leaf int) bool { return !before.values[leaf] })
}

func (c *stabilityCount) leaves(call *trace.Call) []int { return c.same.leavesOf(c.same.of(call)) }

// growthOf returns the figure of a run; nil when it has no tokens, or none for one of its replies.
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
	// 40 * (4f - s) / f
	part := new(big.Int).Lsh(first, 2)
	part.Mul(part.Sub(part, last), big.NewInt(40))
	switch most := new(big.Int).Mul(first, big.NewInt(100)); {
	case part.Sign() <= 0:
		return newFraction(0, 1)
	case part.Cmp(most) >= 0:
		return newFraction(100, 1)
	}
	return &fraction{part, first}
}

// turnTokens returns the tokens of each turn that has any; not ok when none has, or a reply has none.
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
