package main

import (
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

// weakened returns the exit status that fail-on-weakened asks for. Where the base cannot be read nobody knows what the
// change weakens, so the job does not pass.
func (a *action) weakened(r *report.Report, base *basis) int {
	switch {
	case !a.inputs.FailOnWeakened:
	case base.broken != nil:
		a.commands.Fail("Whether the change weakens its own judge cannot be told, which fail-on-weakened asks for: %s", base.why())
		return report.ExitWorld
	case r.Baseline != nil && len(r.Baseline.Unjudged) > 0:
		a.commands.Fail("Whether the change weakens its own judge cannot be told, which fail-on-weakened asks for: "+
			"the base's suite broke on the evidence of %q: %s", r.Baseline.Unjudged[0].Case, r.Baseline.Unjudged[0].Reason)
		return report.ExitWorld
	case base.unlike && a.workflowWasThere(base):
		a.commands.Fail("Whether the change weakens its own judge cannot be told, which fail-on-weakened asks for: "+
			"the workflow asks for what the base does not have: %s", base.none)
		return report.ExitWorld
	case base.saved && base.report != nil && !base.toldSettings():
		a.commands.Fail("Whether the change weakens its own judge cannot be told, which fail-on-weakened asks for: "+
			"the saved report %q does not say how its cases are judged", string(base.about.File))
		return report.ExitWorld
	case r.Baseline != nil && r.Baseline.IsWeakened():
		a.commands.Fail("The change weakens its own judge, which fail-on-weakened does not allow; the job summary says where.")
		return report.ExitFail
	}
	return report.ExitPass
}
