package weaken

import (
	"math/big"
	"slices"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/trace"
)

// The directions below are about the inputs of the runs, and about settings that decide the meaning of other settings.

// Some inputs are kept in the recording: a prompt, a model, the agent's program or server. If such an input changes, the
// recording is stale, and the case is an error until it is recorded again. So such a change does not weaken.

// noLongerGiven is the direction of a removed input. A removed system prompt does not count if the case still has a prompt and the
// recordings keep the system prompt, because the kept prompt is then compared with an empty one.
func noLongerGiven(c change) answer {
	stillKept := c.key == trace.KeepsSystemPrompt && len(c.after[trace.KeepsPrompt]) > 0 && c.keeps(c.key)
	return answerIf(removed(c) == yes && !stillKept)
}

// givenUnkept is the direction of a changed or removed input that the recordings do not keep, and of an added agent program, whose
// runs would differ from the recorded runs.
func givenUnkept(c change) answer {
	return answerIf((added(c) == no || c.key == trace.KeepsAgent) && !c.keeps(c.key))
}

func givenKept(c change) answer { return answerIf(added(c) == no) }

// keeps reports whether all recordings keep the named input, or the runs were made just now.
func (s *sides) keeps(what string) bool {
	lacks := func(r report.Recording) bool { return !slices.Contains(r.Keeps, what) }
	return s.live || len(s.of.Recordings) > 0 && !slices.ContainsFunc(s.of.Recordings, lacks)
}

// moreUnlisted is the direction of an additional server without known tools, if a recording does not keep the tools. Calls to such
// a server are not judged.
func moreUnlisted(c change) answer {
	if onOneSide(c) == yes || c.keeps(trace.KeepsCatalog) {
		return no
	}
	return more(c)
}

// otherSnapshot is the direction of a changed or removed catalog of a server. An added catalog does not count in the test of an
// agent: it comes with a new server, or lets the test check more than before.
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

// changesOthers is the direction of an added gate that changes the judgement of other gates, because they use its classes or its
// distractors.
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

// countChangesOthers is the direction of a changed number of distractors, if this changes the judgement of other gates: with a
// curve, the number decides which runs they judge, and orchestration counts distractors as existing tools.
func countChangesOthers(c change) answer {
	return answerIf(len(c.before[distractorCurve])+len(c.after[distractorCurve])+len(c.before[gates.Orchestration.Name]) > 0)
}

// imitatedFirst is the direction of a changed order of the tools to imitate. The order decides which tools are imitated only if
// count is too small to imitate every tool in every way.
func imitatedFirst(c change) answer {
	imitations := big.NewRat(int64(gates.NearDuplicateKinds()*len(c.head.items())), 1)
	count, isKnown := report.Digits(string(c.after[distractorCount].text()))
	isTooSmall := !isKnown || count.Cmp(imitations) < 0
	return answerIf(c.reordered() && isTooSmall)
}

// isBefore is the direction of an added or moved fault before an old fault, because it can then take the calls of the old fault.
// A removed fault does not count here, because the change of its times is reported.
func isBefore(c change) answer {
	if onOneSide(c) == yes {
		return no
	}
	head := c.head.items()
	kept := slices.DeleteFunc(c.base.items(), func(one string) bool { return !slices.Contains(head, one) })
	isKeptFirst := len(kept) <= len(head) && slices.Equal(kept, head[:len(kept)])
	isIncomplete := c.base.isCut() || c.head.isCut()
	return answerIf(c.reordered() || isIncomplete || !isKeptFirst)
}

// takenFromOutside is the direction of a tool that was added to the restricted tools, if only the calls outside the lists are
// bounded: calls of this tool no longer count as outside.
func takenFromOutside(c change) answer {
	return answerIf(c.expects(gates.ToolEdges, "edges.outside") && !c.expects(gates.ToolEdges, "edges.restricted_attempts"))
}

// changesShare is the direction of a tool that was removed from the allowed tools, if the share of allowed calls is bounded: the
// share of the other tools may grow.
func changesShare(c change) answer {
	return answerIf(c.expects(gates.ToolEdges, "edges.allowed_pct"))
}
