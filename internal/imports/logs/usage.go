package logs

import (
	"cmp"
	"fmt"

	"github.com/org/mcp-gates/internal/trace"
)

// addUsage adds the tokens and the cost of the run: the counts of the whole session if a record has them, otherwise the sum over
// the replies.
func (a *assembly) addUsage(run *Run, from, to int, whole bool) {
	sum, anyKnown := a.sumReplies(from, to)
	if whole && a.session.whole != nil {
		sum = a.session.whole.orElse(sum)
	}
	run.setUsage(sum)
	isLost := func(inReply, inRun trace.Count) bool { return inReply.Known && !inRun.Known }
	cached := run.Extra.Value()
	if isLost(anyKnown.Input, run.Input) || isLost(anyKnown.Output, run.Output) || isLost(anyKnown.Total, run.Total) ||
		isLost(anyKnown.CacheRead, cached.CacheRead) || isLost(anyKnown.CacheWrite, cached.CacheWrite) {
		a.in.account.LeaveOut("tokens of runs in which not every reply has them")
	}
	if isLost(anyKnown.Cost, run.Cost) {
		a.in.account.LeaveOut("costs of runs in which not every reply has one")
	}
}

// sumReplies adds up the usages of the replies. A count of sum is unknown if a reply lacks it. A count of anyKnown is known if
// any reply has it; its number means nothing.
func (a *assembly) sumReplies(from, to int) (sum, anyKnown Usage) {
	withoutUsage := map[string]bool{} // ids of replies
	byReply := map[string]Usage{}
	var order []string // keys of byReply
	for i, e := range a.events[from:to] {
		switch {
		case e.Kind == spent:
			key := cmp.Or(e.Usage.Reply, fmt.Sprintf("#%d", i))
			if _, known := byReply[key]; !known {
				order = append(order, key)
			}
			byReply[key] = e.Usage
		case e.Kind == said && e.Message.Role == RoleAssistant && e.Message.ID != "":
			withoutUsage[e.Message.ID] = true
		case e.Kind == asked && e.Call.Reply != "":
			withoutUsage[e.Call.Reply] = true
		}
	}
	sums := Sums{}
	for _, key := range order {
		delete(withoutUsage, key)
		sums.Add(byReply[key])
		anyKnown = anyKnown.fillUnknown(byReply[key])
	}
	if len(withoutUsage) > 0 {
		return Usage{}, anyKnown
	}
	sum, _ = sums.Total()
	return sum, anyKnown
}

func (u Usage) fillUnknown(other Usage) Usage {
	return Usage{
		Input: cmp.Or(u.Input, other.Input), Output: cmp.Or(u.Output, other.Output), Total: cmp.Or(u.Total, other.Total),
		CacheRead: cmp.Or(u.CacheRead, other.CacheRead), CacheWrite: cmp.Or(u.CacheWrite, other.CacheWrite), Cost: cmp.Or(u.Cost, other.Cost),
	}
}

// orElse returns the usage with the tokens of another usage if its own are all unknown, and with the cost and the tokens of the
// cache of the other usage if its own are unknown.
func (u *Usage) orElse(other Usage) Usage {
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

// Plus returns the sum of two usages of a session. A count that either usage lacks is unknown, except for cached tokens, because
// programs leave them out if there are none.
func (u Usage) Plus(other Usage) Usage {
	u.Input, u.Output, u.Total = Plus(u.Input, other.Input), Plus(u.Output, other.Output), Plus(u.Total, other.Total)
	u.CacheRead, u.CacheWrite = knownSum(u.CacheRead, other.CacheRead), knownSum(u.CacheWrite, other.CacheWrite)
	u.Cost = Plus(u.Cost, other.Cost)
	return u
}

// Plus returns the sum of two counts; unknown if either count is unknown.
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
	usage    Usage
	hasUsage bool
}

// Add adds a usage.
func (s *Sums) Add(u Usage) {
	if !s.hasUsage {
		s.usage, s.hasUsage = u, true
		return
	}
	s.usage = s.usage.Plus(u)
}

// Total returns the sum; ok is false if no usage was added.
func (s *Sums) Total() (sum Usage, ok bool) { return s.usage, s.hasUsage }
