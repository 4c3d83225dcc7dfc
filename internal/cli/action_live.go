package cli

import (
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/live"
)

// refuseMode refuses to run something under an event of which anybody may have made the change, and whose job holds
// secrets all the same.
func (a *action) refuseMode() error {
	if a.inputs.Mode == annotate.Replay || !a.event.Privileged() {
		return nil
	}
	return fmt.Errorf("mode %q is refused under %s: its jobs hold secrets, anybody may have made the change, and the commands, "+
		"URLs and headers of a suite could carry them away; use mode \"replay\" here, and run live under pull_request, "+
		"workflow_dispatch or schedule", a.inputs.Mode, a.event.Name)
}

// live says how the cases of the head are run; nil where their recordings are replayed.
func (a *action) live() *liveRun {
	if a.inputs.Mode == annotate.Replay {
		return nil
	}
	return &liveRun{
		flags: liveFlags{
			budget: -1, // the budgets of the suites hold
			from:   a.inputs.LiveFrom,
			record: a.inputs.Mode == annotate.Record, turnTimeout: live.DefaultTurnTimeout, caseTimeout: live.DefaultCaseTimeout,
		},
		getenv: withoutRunner(a.getenv), workspace: a.event.Workspace,
		forgive: a.inputs.Baseline == annotate.BaselineAuto,
		hurry:   a.hurry, mask: a.publisher.Mask,
	}
}

// withoutRunner hides what belongs to the action and to the runner, such as their tokens: a suite can name any variable
// for a server.
func withoutRunner(getenv func(string) string) func(string) string {
	return func(name string) string {
		upper := strings.ToUpper(name)
		if upper == "GITHUB_TOKEN" || strings.HasPrefix(upper, "INPUT_") || strings.HasPrefix(upper, "ACTIONS_") || strings.HasPrefix(upper, "RUNNER_") {
			return ""
		}
		return getenv(name)
	}
}
