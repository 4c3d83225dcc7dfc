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

// addWorkflowEdits adds the edits of the running workflow's file to the comparison, or writes them to the log if there is no
// comparison. The edits never cause a refusal, because whoever edits that file can remove the whole check.
func (a *action) addWorkflowEdits(ctx context.Context, r *report.Report, base *basis) {
	changes, err := a.workflowChanges(ctx, base)
	if err != nil {
		a.commands.Warn("Whether the change edits its workflow is not known: %s", err)
	}
	if r.Baseline != nil {
		r.Baseline.Weakened = append(r.Baseline.Weakened, changes...)
		return
	}
	const maxShown = 10
	for _, c := range changes[:min(len(changes), maxShown)] {
		switch {
		case c.Key != report.WholeWorkflow:
			a.commands.Warn("The change edits its workflow, %s:%d: %s of %s was %q and is %q now", c.Suite, c.Line, c.Key, c.Name, c.Base, c.Head)
		case base.noneReason == "": // a new workflow is expected together with the first suite
			a.commands.Warn("The workflow %s %s", c.Suite, c.Head)
		}
	}
}

// baseHasWorkflow reports whether the base has the running workflow's file, so that the workflow has judged the base. It reports
// true if the file cannot be looked up in the base's files, and false if the file's name or the base's files are unknown.
func (a *action) baseHasWorkflow(base *basis) bool {
	file := a.event.WorkflowFile(a.getenv)
	if file == "" || base.files == nil {
		return false
	}
	_, err := fs.Stat(base.files, file)
	return !errors.Is(err, fs.ErrNotExist)
}

// workflowChanges compares the workflow's file in the change with the same file in the event's base commit.
func (a *action) workflowChanges(ctx context.Context, base *basis) ([]report.Weakening, error) {
	file := a.event.WorkflowFile(a.getenv)
	if file == "" {
		return nil, nil
	}
	files, err := a.workflowBaseFiles(ctx, base)
	if files == nil || err != nil {
		return nil, err
	}
	if !source.Stands(files, file) {
		return []report.Weakening{annotate.NewWorkflow(file)}, nil
	}
	baseText, err := source.ReadFile(files, file, annotate.MaxWorkflow)
	if err != nil {
		return nil, fmt.Errorf("read it in the base: %w", reason(err))
	}
	headText, err := a.readHeadWorkflow(ctx, file)
	if err != nil {
		return nil, fmt.Errorf("read it: %w", reason(err))
	}
	return annotate.WorkflowChanges(file, baseText, headText, a.getenv("GITHUB_ACTION_REPOSITORY")), nil
}

// workflowBaseFiles returns the files of the event's base commit. The input baseline is ignored, because the change may edit it.
// The files are nil if there is no base, or if the base could not be read.
func (a *action) workflowBaseFiles(ctx context.Context, base *basis) (fs.FS, error) {
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

// readHeadWorkflow reads the workflow's file, which a sparse checkout may lack.
func (a *action) readHeadWorkflow(ctx context.Context, file string) ([]byte, error) {
	if source.Stands(a.workspace, file) || a.client == nil {
		return source.ReadFile(a.workspace, file, annotate.MaxWorkflow)
	}
	tree, err := a.client.Files(ctx, a.event.SHA, nil)
	if err != nil {
		return nil, err
	}
	return source.ReadFile(tree, file, annotate.MaxWorkflow)
}
