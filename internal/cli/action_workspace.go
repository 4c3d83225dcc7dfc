package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/report"
)

// findStrayReason notes why the workspace does not hold the change of the event. It notes nothing if the workspace holds the change, if this
// is unknown, and if the event names no change.
func (a *action) findStrayReason(ctx context.Context) error {
	wanted := a.event.Change()
	if len(wanted) == 0 {
		return nil
	}
	repository, err := a.repository()
	if err != nil {
		return ctx.Err() // the workspace has no repository
	}
	head, holds, err := repository.Holds(ctx, wanted...)
	if err != nil || holds {
		return ctx.Err()
	}
	if a.client != nil && slices.ContainsFunc(wanted, func(sha string) bool { return a.client.Holds(ctx, head.SHA, sha) }) {
		return nil // a shallow clone lacks the commits in between
	}
	a.strayReason = fmt.Sprintf("the workspace holds commit %s, which does not have the change %s that this workflow runs for; "+
		"check out the default `ref` of actions/checkout", head.SHA, a.event.HeadSHA)
	return ctx.Err()
}

// warnStray warns that something other than the change is judged, unless the change is refused for that reason.
func (a *action) warnStray(refused []report.Refusal) {
	if a.strayReason != "" && len(refused) == 0 {
		a.commands.Warn("The change is not judged: %s", a.strayReason)
	}
}
