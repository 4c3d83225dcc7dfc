package main

import (
	"context"
	"time"

	"github.com/org/mcp-gates/internal/annotate"
)

// cancelTime is how long the program goes on after a signal. A step that is cancelled gets SIGINT, after 7.5 seconds
// SIGTERM, and is killed 2.5 seconds later:
// https://docs.github.com/en/actions/reference/workflow-cancellation-reference
const cancelTime = 3500 * time.Millisecond

// cancel ends a job that a signal has cancelled: the check run becomes a failure at once, whatever the evaluation is
// doing. A replay is left where it is. Live runs are waited for, as long as there is time: their servers end because
// ctx did, and the log says which recordings are kept.
func (a *action) cancel(ctx context.Context, ended <-chan struct{}) {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
	defer done()
	published := make(chan struct{})
	go func() {
		defer close(published)
		a.publisher.Cancel(ctx)
	}()
	a.commands.Fail("the check was interrupted")
	if a.inputs.Mode != annotate.Replay {
		select {
		case <-ended:
		case <-ctx.Done():
		}
	}
	<-published
}
