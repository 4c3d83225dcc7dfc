package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/report"
)

// setStrayReason sets strayReason if the workspace does not hold the change of the event. It sets nothing if the event names no
// change, or if it is unknown whether the workspace holds it.
func (a *action) setStrayReason(ctx context.Context) error {
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

// warnStray warns that the workspace does not hold the change, so that something else is judged. There is no warning if the change
// is refused, because the refusal already has the reason.
func (a *action) warnStray(refused []report.Refusal) {
	if a.strayReason != "" && len(refused) == 0 {
		a.commands.Warn("The change is not judged: %s", a.strayReason)
	}
}
