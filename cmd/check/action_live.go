package main

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/live"
	"github.com/org/mcp-gates/internal/report"
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

// evaluate checks the files of the head: it replays their recordings, or runs their cases live.
func (a *action) evaluate(ctx context.Context, files fs.FS, o check.Options) (*report.Report, error) {
	if a.inputs.Mode == annotate.Replay {
		return check.Run(ctx, files, o), nil
	}
	log := a.commands.Log() // of whole lines, so that there is nothing to close
	progress := &progress{w: log, last: time.Now()}
	o.Jobs, o.Progress = a.inputs.Jobs, progress.update
	runner, err := goLive(ctx, liveRun{
		flags: liveFlags{
			record: a.inputs.Mode == annotate.Record, turnTimeout: live.DefaultTurnTimeout, caseTimeout: live.DefaultCaseTimeout,
		},
		getenv: withoutRunner(a.getenv), workspace: a.event.Workspace, files: files, progress: progress,
		hurry: a.hurry, mask: a.publisher.Mask,
	}, &o)
	if err != nil {
		return nil, err
	}
	defer func() { a.secrets = redactorOf(runner) }()
	r := check.Run(ctx, files, o)
	if a.inputs.Mode == annotate.Record {
		tellRecordings(runner.Recordings(), func(line string) { a.commands.Say("%s", line) })
	}
	return r, nil
}

// withoutRunner hides what belongs to the action and to the runner, such as their tokens: a suite can name any variable
// for a server.
func withoutRunner(getenv func(string) string) func(string) string {
	return func(name string) string {
		upper := strings.ToUpper(name)
		if strings.HasPrefix(upper, "INPUT_") || strings.HasPrefix(upper, "ACTIONS_") {
			return ""
		}
		return getenv(name)
	}
}
