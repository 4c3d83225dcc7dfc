package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/markdown"
)

// verdict returns the exit status after fail-on. Only status 1 is ever forgiven.
func (a *action) verdict(r *report.Report) int {
	status := r.ExitStatus()
	if status == report.ExitFail {
		switch a.inputs.FailOn {
		case annotate.FailOnNever:
			status = report.ExitPass
		case annotate.FailOnRegression:
			if r.Shard != nil || r.Baseline != nil && !r.Baseline.Regressed() { // of shards the merged report knows
				status = report.ExitPass
			}
		}
	}
	return status
}

// weakened returns the exit status that fail-on-weakened asks for. When nobody knows what the change weakens, the job
// does not pass.
func (a *action) weakened(r *report.Report, base *basis) int {
	if !a.inputs.FailOnWeakened || r.Shard != nil {
		return report.ExitPass
	}
	if reason := a.undecided(r, base); reason != "" {
		a.refuse("unknown weakenings", "It is not known whether the change weakens its own judge, which fail-on-weakened asks for: "+reason)
		return report.ExitWorld
	}
	if r.Baseline != nil && r.Baseline.IsWeakened() {
		a.refuse("weakened gates", "The change weakens its own judge, which fail-on-weakened does not allow; the job summary says where.")
		return report.ExitFail
	}
	return report.ExitPass
}

// breaking returns the exit status that fail-on-breaking asks for.
func (a *action) breaking(r *report.Report, base *basis) int {
	if !a.inputs.FailOnBreaking || r.Shard != nil {
		return report.ExitPass
	}
	unknown := base.unknownBreaks(r)
	if unknown == "" && base.unlike && a.workflowWasThere(base) {
		unknown = "the workflow asks for what the base does not have: " + base.none
	}
	status, title, reason := breakingStatus(r, unknown)
	if status != report.ExitPass {
		a.refuse(title, reason)
	}
	if gone := serversGone(r); gone != "" {
		a.commands.Warn("%s", gone)
	}
	return status
}

// refuse notes why the job fails beside its cases: the title is for the check run, the reason for the log.
func (a *action) refuse(title, reason string) {
	a.reasons = append(a.reasons, title)
	if strings.HasPrefix(title, "unknown ") {
		a.unknown = append(a.unknown, markdown.Reason{Title: title, Sentence: reason})
	}
	a.commands.Fail("%s", reason)
}

// title returns the verdict in one line, with what fails the job first.
func (a *action) title(r *report.Report) string {
	return strings.Join(append(slices.Clone(a.reasons), markdown.Headline(r)), "; ")
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
