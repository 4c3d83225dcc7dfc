package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
)

// addWorkflow adds the edits of the workflow that runs to the comparison, or writes them to the log where there is none.
// They are never counted, because whoever edits that file can remove the whole check.
func (a *action) addWorkflow(ctx context.Context, r *report.Report, base *basis) {
	changes, err := a.workflowChanges(ctx, base)
	if err != nil {
		a.commands.Warn("Whether the change edits its workflow is not known: %s", err)
	}
	if r.Baseline != nil {
		r.Baseline.Weakened = append(r.Baseline.Weakened, changes...)
		return
	}
	const most = 10
	for _, c := range changes[:min(len(changes), most)] {
		if c.Key != annotate.WholeWorkflow || base.none == "" { // a first workflow comes with the first suite
			a.commands.Warn("The change edits its workflow, %s:%d: %s of %s was %q and is %q now", c.Suite, c.Line, c.Key, c.Name, c.Base, c.Head)
		}
	}
}

// workflowWasThere reports whether the base has the workflow that runs: it then judged something there, or nobody knows.
func (a *action) workflowWasThere(base *basis) bool {
	file := a.event.WorkflowFile(a.getenv)
	if file == "" || base.files == nil {
		return false
	}
	_, err := fs.Stat(base.files, file)
	return !errors.Is(err, fs.ErrNotExist)
}

// workflowChanges compares the workflow's file with that of the event's base commit.
func (a *action) workflowChanges(ctx context.Context, base *basis) ([]report.Weakening, error) {
	file := a.event.WorkflowFile(a.getenv)
	if file == "" {
		return nil, nil
	}
	files, err := a.workflowBase(ctx, base)
	if files == nil || err != nil {
		return nil, err
	}
	was, err := source.ReadFile(files, file, annotate.MaxWorkflow)
	if errors.Is(err, fs.ErrNotExist) {
		return []report.Weakening{annotate.NewWorkflow(file)}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read it in the base: %w", reason(err))
	}
	is, err := a.workflowNow(ctx, file)
	if err != nil {
		return nil, fmt.Errorf("read it: %w", reason(err))
	}
	return annotate.WorkflowChanges(file, was, is, a.getenv("GITHUB_ACTION_REPOSITORY")), nil
}

// workflowBase returns the files of the event's base commit, which is not what the input baseline names: that may be
// among what the change edits. It is nil when there is none, and when the base is one that could not be read.
func (a *action) workflowBase(ctx context.Context, base *basis) (fs.FS, error) {
	if a.inputs.Baseline == annotate.BaselineAuto {
		return base.files, nil
	}
	tree, err := a.eventTree(ctx)
	var none *baseline.NoBaseline
	switch {
	case errors.As(err, &none):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return tree, nil
}

// workflowNow reads the workflow's file, which a sparse checkout need not have.
func (a *action) workflowNow(ctx context.Context, file string) ([]byte, error) {
	data, err := source.ReadFile(a.workspace, file, annotate.MaxWorkflow)
	if !errors.Is(err, fs.ErrNotExist) || a.client == nil {
		return data, err
	}
	tree, err := a.client.Files(ctx, a.event.SHA, nil)
	if err != nil {
		return nil, err
	}
	return source.ReadFile(tree, file, annotate.MaxWorkflow)
}
