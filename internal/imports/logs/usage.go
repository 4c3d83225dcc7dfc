package logs

import (
	"cmp"
	"fmt"

	"github.com/org/mcp-gates/internal/trace"
)

// addUsage adds the tokens and the cost of the run: those that a record gives for the whole session, otherwise the sum over its
// replies.
func (a *assembly) addUsage(run *Run, from, to int, whole bool) {
	sum, some := a.sum(from, to)
	if whole && a.session.whole != nil {
		sum = a.session.whole.or(sum)
	}
	run.setUsage(sum)
	isLost := func(some, kept trace.Count) bool { return some.Known && !kept.Known }
	cached := run.Extra.Value()
	if isLost(some.Input, run.Input) || isLost(some.Output, run.Output) || isLost(some.Total, run.Total) ||
		isLost(some.CacheRead, cached.CacheRead) || isLost(some.CacheWrite, cached.CacheWrite) {
		a.in.account.LeaveOut("tokens of runs in which not every reply has them")
	}
	if isLost(some.Cost, run.Cost) {
		a.in.account.LeaveOut("costs of runs in which not every reply has one")
	}
}

// sum adds up the usages of the replies. A sum is unknown if a reply lacks the count. A count of some is known if any reply has
// it.
func (a *assembly) sum(from, to int) (all, some Usage) {
	sum := Sums{}
	replies := map[string]bool{}
	byReply := map[string]Usage{}
	var order []string
	for i, e := range a.events[from:to] {
		switch {
		case e.Kind == spent:
			key := cmp.Or(e.Usage.Reply, fmt.Sprintf("#%d", i))
			if _, known := byReply[key]; !known {
				order = append(order, key)
			}
			byReply[key] = e.Usage
		case e.Kind == said && e.Message.Role == RoleAssistant && e.Message.ID != "":
			replies[e.Message.ID] = true
		case e.Kind == asked && e.Call.Reply != "":
			replies[e.Call.Reply] = true
		}
	}
	for _, key := range order {
		delete(replies, key)
		sum.Add(byReply[key])
		some = some.either(byReply[key])
	}
	if len(replies) > 0 {
		return Usage{}, some
	}
	all, _ = sum.Total()
	return all, some
}

func (u Usage) either(other Usage) Usage {
	return Usage{
		Input: cmp.Or(u.Input, other.Input), Output: cmp.Or(u.Output, other.Output), Total: cmp.Or(u.Total, other.Total),
		CacheRead: cmp.Or(u.CacheRead, other.CacheRead), CacheWrite: cmp.Or(u.CacheWrite, other.CacheWrite), Cost: cmp.Or(u.Cost, other.Cost),
	}
}

// or returns the usage with the tokens, or the cost, of another usage if its own are unknown.
func (u *Usage) or(other Usage) Usage {
	all := *u
	if !u.Input.Known && !u.Output.Known && !u.Total.Known {
		all = other
		all.Cost = u.Cost
	}
	all.Cost = cmp.Or(all.Cost, other.Cost)
	all.CacheRead, all.CacheWrite = cmp.Or(all.CacheRead, other.CacheRead), cmp.Or(all.CacheWrite, other.CacheWrite)
	return all
}

// setUsage sets the token counts and the cost of the run.
func (run *Run) setUsage(u Usage) {
	run.Input, run.Output, run.Total, run.Cost = u.Input, u.Output, u.Total, u.Cost
	if u.CacheRead.Known || u.CacheWrite.Known || run.Extra != nil {
		run.Extra = &trace.Extra{CacheRead: u.CacheRead, CacheWrite: u.CacheWrite, Delegations: run.Extra.Value().Delegations}
	}
	if !run.Total.Known && run.Input.Known && run.Output.Known {
		run.Total = trace.Known(run.Input.N + run.Output.N)
	}
}

// Plus returns the sum of two usages of a session. A count that either usage lacks is unknown, except for tokens of the cache:
// programs leave those out if there are none.
func (u Usage) Plus(other Usage) Usage {
	u.Input, u.Output, u.Total = Plus(u.Input, other.Input), Plus(u.Output, other.Output), Plus(u.Total, other.Total)
	u.CacheRead, u.CacheWrite = knownSum(u.CacheRead, other.CacheRead), knownSum(u.CacheWrite, other.CacheWrite)
	u.Cost = Plus(u.Cost, other.Cost)
	return u
}

// Plus returns the sum of two counts; unknown if either is.
func Plus(a, b trace.Count) trace.Count {
	if !a.Known || !b.Known {
		return trace.Count{}
	}
	return Sum(a, b)
}

// knownSum returns the sum of the known counts; unknown if neither is known.
func knownSum(a, b trace.Count) trace.Count {
	if !a.Known {
		return b
	}
	return Sum(a, b)
}

// Sums adds up usages with [Usage.Plus].
type Sums struct {
	usage Usage
	begun bool
}

// Add adds a usage.
func (s *Sums) Add(u Usage) {
	if !s.begun {
		s.usage, s.begun = u, true
		return
	}
	s.usage = s.usage.Plus(u)
}

// Total returns the sum; ok is false if no usage was added.
func (s *Sums) Total() (sum Usage, ok bool) { return s.usage, s.begun }
