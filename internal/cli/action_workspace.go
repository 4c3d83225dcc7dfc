package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/report"
)

// findStray notes why the workspace is not of the change that the event is about; nothing where it is, where nobody knows, and
// where the event names no change.
func (a *action) findStray(ctx context.Context) error {
	wanted := a.event.Change()
	if len(wanted) == 0 {
		return nil
	}
	repository, err := a.repository()
	if err != nil {
		return ctx.Err() // a workspace without a repository
	}
	head, holds, err := repository.Holds(ctx, wanted...)
	if err != nil || holds {
		return ctx.Err()
	}
	if a.client != nil && slices.ContainsFunc(wanted, func(sha string) bool { return a.client.Holds(ctx, head.SHA, sha) }) {
		return nil // a shallow clone lacks what is between them
	}
	a.stray = fmt.Sprintf("the workspace holds commit %s, which does not have the change %s that this workflow runs for; "+
		"check out the default `ref` of actions/checkout", head.SHA, a.event.HeadSHA)
	return ctx.Err()
}

// warnStray says that something else than the change is judged, unless that has the change refused.
func (a *action) warnStray(refused []report.Refusal) {
	if a.stray != "" && len(refused) == 0 {
		a.commands.Warn("The change is not judged: %s", a.stray)
	}
}
