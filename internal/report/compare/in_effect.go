package compare

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// isSoftened reports whether the case fails by the base's suite alone.
func isSoftened(c *report.Case) bool {
	own, _ := c.ByOwnSuite()
	return c.Base != nil && c.Base.Reason != "" && badness(own) < badness(judge.Fail)
}

// inEffect notes a case that fails by the base's suite alone.
func (c *comparer) inEffect(head *report.Case, settings []report.Weakening) {
	j := head.Base
	switch {
	case j == nil:
		return
	case j.Fault != "":
		c.out.Unjudged = append(c.out.Unjudged, report.Unjudged{Case: head.ID, Reason: j.Fault})
		return
	case !isSoftened(head):
		return
	}
	own, _ := head.ByOwnSuite()
	w := report.Weakening{
		Kind: report.InEffect, Case: head.ID, Suite: head.Suite, Name: head.Name, Model: head.Model, Line: head.Line,
		Base: report.Optional(j.Verdict), Head: report.Optional(own), Reason: j.Reason, Settings: []string{},
	}
	for _, s := range settings {
		w.Settings = append(w.Settings, s.Key)
	}
	c.out.Weakened = append(c.out.Weakened, w)
}

// lost notes recordings that are gone and whose runs fail by the base's suite, unless the settings name others already.
func (c *comparer) lost(head *report.Case, settings []report.Weakening) {
	isTold := slices.ContainsFunc(settings, func(w report.Weakening) bool { return w.Key == cassetteKey })
	if head.Base == nil || len(head.Base.Lost) == 0 || isTold {
		return
	}
	c.out.Weakened = append(c.out.Weakened, report.Weakening{
		Kind: report.RecordingLost, Case: head.ID, Suite: head.Suite, Name: head.Name, Model: head.Model, Key: cassetteKey,
		Base: report.Optional(strings.Join(head.Base.Lost, "; ")), Line: head.Line,
	})
}
