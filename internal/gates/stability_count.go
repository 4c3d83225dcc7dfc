package gates

import (
	"math/big"

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
	thrash, loop, progress, growth  exactMean
	thrashes, loops, repeats        map[string]judge.Note
}

func newStabilityCount(window int) *stabilityCount {
	return &stabilityCount{
		window: window, same: newSameCalls(), ids: map[catalog.Ref]string{},
		thrashes: map[string]judge.Note{}, loops: map[string]judge.Note{}, repeats: map[string]judge.Note{},
	}
}

// steps is what is known of a run's calls so far.
type steps struct {
	last   *callIdentity
	used   map[catalog.Ref]int    // where each tool was last called
	values map[int]bool           // the leaves of arguments
	failed map[*callIdentity]bool // the calls made; true for those that failed, and did not succeed since
}

func (c *stabilityCount) run(run *trace.Run) {
	before := steps{used: map[catalog.Ref]int{}, values: map[int]bool{}, failed: map[*callIdentity]bool{}}
	n := len(run.Calls)
	half := n / 2
	thrashed, looped, redone := 0, 0, 0
	for i := range run.Calls {
		call := &run.Calls[i]
		same := c.same.of(call)
		failed, made := before.failed[same]
		if before.thrashes(same, i, c.window) {
			thrashed++
			tally(c.thrashes, c.id(same.tool), run.Number)
		}
		if failed {
			looped++
			tally(c.loops, c.id(same.tool), run.Number)
		}
		if made && i >= n-half {
			redone++
			tally(c.repeats, c.id(same.tool), run.Number)
		}
		before.note(same, i, call.Failed)
	}
	c.calls, c.thrashed, c.looped, c.redone = c.calls+n, c.thrashed+thrashed, c.looped+looped, c.redone+redone
	c.thrash.add(rest(thrashed, n), run.Number)
	c.loop.add(rest(looped, n), run.Number)
	c.progress.add(rest(redone, half), run.Number)
	if growth := growthOf(run); growth != nil {
		c.growth.add(growth, run.Number)
	}
}

// rest returns the share of n calls that are not bad, in percent; 100 when there are none.
func rest(bad, n int) *fraction {
	if n == 0 {
		return newFraction(100, 1)
	}
	return newFraction(100*int64(n-bad), int64(n))
}

func (c *stabilityCount) id(tool catalog.Ref) string {
	id, ok := c.ids[tool]
	if !ok {
		id = tool.ID()
		c.ids[tool] = id
	}
	return id
}

// thrashes reports whether a call goes back to a tool with nothing new.
func (s *steps) thrashes(call *callIdentity, at, window int) bool {
	last, used := s.used[call.tool]
	if !used || at-last > window || s.last.tool == call.tool {
		return false
	}
	for _, leaf := range call.leaves {
		if !s.values[leaf] {
			return false
		}
	}
	return true
}

// note adds a call.
func (s *steps) note(call *callIdentity, at int, failed bool) {
	s.last, s.used[call.tool], s.failed[call] = call, at, failed
	for _, leaf := range call.leaves {
		s.values[leaf] = true
	}
}

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
