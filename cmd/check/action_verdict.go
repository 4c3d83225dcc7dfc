package main

import (
	"fmt"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/report"
)

// verdict returns the exit status after fail-on. Only status 1 is ever forgiven.
func (a *action) verdict(r *report.Report) int {
	status := r.ExitStatus()
	if status == report.ExitFail {
		switch a.inputs.FailOn {
		case annotate.FailOnNever:
			status = report.ExitPass
		case annotate.FailOnRegression:
			if r.Baseline != nil && !r.Baseline.Regressed() {
				status = report.ExitPass
			}
		}
	}
	return status
}

// weakened returns the exit status that fail-on-weakened asks for. When nobody knows what the change weakens, the job
// does not pass.
func (a *action) weakened(r *report.Report, base *basis) int {
	if !a.inputs.FailOnWeakened {
		return report.ExitPass
	}
	if reason := a.undecided(r, base); reason != "" {
		a.commands.Fail("It is not known whether the change weakens its own judge, which fail-on-weakened asks for: %s", reason)
		return report.ExitWorld
	}
	if r.Baseline != nil && r.Baseline.IsWeakened() {
		a.commands.Fail("The change weakens its own judge, which fail-on-weakened does not allow; the job summary says where.")
		return report.ExitFail
	}
	return report.ExitPass
}

// undecided returns why weakenings could not be looked for; "" when they could.
func (a *action) undecided(r *report.Report, base *basis) string {
	switch {
	case base.broken != nil:
		return base.why()
	case r.Baseline != nil && len(r.Baseline.Unjudged) > 0:
		return fmt.Sprintf("the base's suite broke on the evidence of %q: %s", r.Baseline.Unjudged[0].Case, r.Baseline.Unjudged[0].Reason)
	case base.unlike && a.workflowWasThere(base):
		return "the workflow asks for what the base does not have: " + base.none
	case base.saved && base.report != nil && !base.hasSettings():
		return fmt.Sprintf("the saved report %q does not say how its cases are judged", string(base.about.File))
	}
	return ""
}
