package weaken

import (
	"math/big"
	"slices"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/trace"
)

// Directions of what the runs were made with, and of settings that decide the meaning of others.

// A prompt, model, program or server of the agent that the recording keeps makes the recording stale where it changes, and the case an error
// until it is recorded again.

// noLongerGiven leaves out a system prompt: a case with a prompt has one, if only an empty one.
func noLongerGiven(c change) answer {
	stillKept := c.key == trace.KeepsSystemPrompt && len(c.after[trace.KeepsPrompt]) > 0 && c.keeps(c.key)
	return answerIf(removed(c) == yes && !stillKept)
}

// givenUnkept holds of a new program, too: it makes other runs than the recording has.
func givenUnkept(c change) answer {
	return answerIf((added(c) == no || c.key == trace.KeepsAgent) && !c.keeps(c.key))
}

func givenKept(c change) answer { return answerIf(added(c) == no) }

// keeps reports whether the recordings contain the input that what names, or the runs were made just now.
func (s *sides) keeps(what string) bool {
	lacks := func(r report.Recording) bool { return !slices.Contains(r.Keeps, what) }
	return s.live || len(s.of.Recordings) > 0 && !slices.ContainsFunc(s.of.Recordings, lacks)
}

// moreUnlisted is the direction of an additional server without known tools, if no recording has its tools: calls to it are left out.
func moreUnlisted(c change) answer {
	if onOneSide(c) == yes || c.keeps(trace.KeepsCatalog) {
		return no
	}
	return more(c)
}

// otherSnapshot is another catalog of a server. A server that joins the test of an agent brings its own, and a first one gives the test more
// to go by.
func otherSnapshot(c change) answer {
	return answerIf(added(c) == no || len(c.after["runs"]) == 0)
}

func cheaper(c change) answer {
	if c.before[trace.KeepsModel].text() != c.after[trace.KeepsModel].text() {
		return no
	}
	return lower(c)
}

const (
	distractorCount = "distractors.count"
	distractorCurve = "distractors.curve"
)

// changesOthers is a gate that is added and changes what others judge: it brings them classes, or distractors.
func changesOthers(c change) answer {
	switch c.key {
	case gates.EqualFunctionSets.Name, gates.TokenEfficiency.Name:
		return answerIf(c.reclassified())
	case gates.Distractors.Name:
		_, curve := c.after[distractorCurve]
		return answerIf(curve || !slices.Equal(c.after[distractorCount].values(), []string{"0"}))
	}
	return no
}

// curvesOthers is another number of distractors with a curve, of which it is part of which runs are judged, or with orchestration, which takes
// distractors for tools that there are.
func curvesOthers(c change) answer {
	return answerIf(len(c.before[distractorCurve])+len(c.after[distractorCurve])+len(c.before[gates.Orchestration.Name]) > 0)
}

// imitatedFirst is another order of the tools to imitate. All are imitated in one way before the first is imitated in another: with all ways
// used up the order is that of the list alone.
func imitatedFirst(c change) answer {
	all := big.NewRat(int64(gates.NearDuplicateKinds()*len(c.head.items())), 1)
	count, ok := report.Digits(string(c.after[distractorCount].text()))
	return answerIf(c.reordered() && (!ok || count.Cmp(all) < 0))
}

// isBefore is a fault that is new or in another place before an old one, whose calls it can take. One that is gone is reported by its times.
func isBefore(c change) answer {
	if onOneSide(c) == yes {
		return no
	}
	head := c.head.items()
	left := slices.DeleteFunc(c.base.items(), func(one string) bool { return !slices.Contains(head, one) })
	isFirst := len(left) <= len(head) && slices.Equal(left, head[:len(left)])
	return answerIf(c.reordered() || c.base.cut() || c.head.cut() || !isFirst)
}

// takenFromOutside is another tool that must not be called: its calls are not among those outside the lists any more.
func takenFromOutside(c change) answer {
	return answerIf(c.expects(gates.ToolEdges, "edges.outside") && !c.expects(gates.ToolEdges, "edges.restricted_attempts"))
}

// changesShare is a tool less that may be called: a greater share of the others may be.
func changesShare(c change) answer {
	return answerIf(c.expects(gates.ToolEdges, "edges.allowed_pct"))
}
