package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/shard"
)

// loadSavedReport loads a saved report of the workspace and follows no link out of the workspace. It refuses a report that the
// change adds or edits.
func (a *action) loadSavedReport(ctx context.Context, name string) basis {
	if a.event.Privileged() {
		return basis{isSaved: true, broken: fmt.Errorf("under %s no file of the workspace is compared with, found %q", a.event.Name, name)}
	}
	path := filepath.FromSlash(name)
	open := func() (*os.File, error) { return a.openRegular(name) }
	return loadSavedReport(name, open, func(saved io.Reader) error {
		change, err := a.changeTrees(ctx)
		if err != nil {
			return err
		}
		base := func() (*baseline.Tree, error) { return a.originals(ctx, change) }
		return baseline.CheckSaved(saved, filepath.ToSlash(filepath.Clean(path)), change, base, "the base commit")
	})
}

// openRegular opens a regular file of the workspace. It follows no link out of the workspace.
func (a *action) openRegular(name string) (*os.File, error) {
	path := filepath.FromSlash(name)
	if info, err := a.root.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%q is not a regular file", name) // opening a pipe would wait for a writer
	}
	return a.root.Open(path)
}

// setShardOrMerge sets up the check of one shard, or the merge of the reports of all shards, if the inputs ask for it.
func (a *action) setShardOrMerge(ctx context.Context) (err error) {
	o := &a.pipeline.options
	o.Shard = a.inputs.Shard
	if a.inputs.Merge != nil {
		o.Merge, err = a.readShards(ctx)
		o.OnlyAffected = o.Merge.Selection().Affected
	}
	if err != nil || a.inputs.ShardBy == "" {
		return err
	}
	file, err := a.openRegular(a.inputs.ShardBy)
	if err != nil {
		return fmt.Errorf("open shard-by: %w", err)
	}
	defer file.Close()
	if o.Shard.Weights, err = shard.ReadWeights(file); err != nil {
		return fmt.Errorf("shard-by %q %w", a.inputs.ShardBy, err)
	}
	return nil
}

// readShards reads the reports of the shards. A job of this run must have made each report. A report that is a file of the commit
// is refused, because the change could then judge itself. The set keeps the reasons for refusals, to publish them.
func (a *action) readShards(ctx context.Context) (*shard.Set, error) {
	if a.event.Privileged() {
		return nil, fmt.Errorf("under %s no reports of the workspace are merged: anybody may have made them", a.event.Name)
	}
	change, err := a.changeTrees(ctx)
	if err != nil {
		return nil, fmt.Errorf("find out which files the change brings: %w", err)
	}
	set := &shard.Set{}
	var names []string
	for _, pattern := range a.inputs.Merge {
		found, err := doublestar.Glob(a.workspace, pattern, doublestar.WithFilesOnly())
		if err != nil {
			return nil, fmt.Errorf("find the reports %q: %w", pattern, err)
		}
		if len(found) == 0 {
			set.Refuse(fmt.Sprintf("no file matches %q, expected the reports of all shards", pattern))
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if slices.ContainsFunc(change, func(commit *baseline.Tree) bool { return commit.Tracks(name) }) {
			set.Refuse(fmt.Sprintf("%q is a file of the commit, expected the report that a job of this run has made", name))
			continue
		}
		if err := addShard(set, name, func() (*os.File, error) { return a.openRegular(name) }); err != nil {
			set.Refuse(err.Error())
		}
	}
	return set, nil
}

// originals returns the files of the commit that must have the same saved report: the event's base or, for an event without a base,
// such as a schedule, the commit that is checked out. A push must have a base, because it brings a change.
func (a *action) originals(ctx context.Context, change []*baseline.Tree) (*baseline.Tree, error) {
	tree, err := a.eventTree(ctx)
	var none *baseline.NoBaseline
	switch {
	case !errors.As(err, &none):
		return tree, err
	case a.event.Before != "":
		return nil, errors.New(none.Reason) // a push without a base
	}
	return change[0], nil
}

// changeTrees returns the files of each commit that may be checked out in the workspace, read from the local repository or else
// through the API. It returns none if there is neither a repository nor a token.
func (a *action) changeTrees(ctx context.Context) (trees []*baseline.Tree, err error) {
	tree, err := a.treeFromGit(ctx, func(repository *baseline.Repository) (string, error) {
		head, err := repository.Head(ctx)
		return head.SHA, err
	})
	switch {
	case err == nil:
		return []*baseline.Tree{tree}, nil
	case a.client == nil && errors.Is(err, baseline.ErrNoRepository):
		return nil, nil
	case a.client == nil:
		return nil, err
	}
	// A workflow may check out the head instead of the merge commit.
	for _, sha := range slices.Compact([]string{a.event.SHA, a.event.HeadSHA}) {
		tree, err := a.client.Files(ctx, sha, nil)
		if err != nil {
			return nil, err
		}
		trees = append(trees, tree)
	}
	return trees, nil
}

func (a *action) repository() (*baseline.Repository, error) { return baseline.Open(a.place()) }

func (a *action) place() baseline.Place {
	dir := a.event.Workspace
	return baseline.Place{Dir: dir, Within: dir}
}

// treeFromGit returns the files of the commit that find returns for the local repository.
func (a *action) treeFromGit(ctx context.Context, find func(*baseline.Repository) (sha string, err error)) (*baseline.Tree, error) {
	repository, err := a.repository()
	if err != nil {
		return nil, err
	}
	sha, err := find(repository)
	if err != nil {
		return nil, err
	}
	files, err := repository.Files(ctx, sha)
	if err != nil {
		return nil, err
	}
	a.closers = append(a.closers, files.Close)
	return files.Tree, nil
}

// eventTree returns the files of the commit that the event compares the change with, whatever the input baseline says. The error is
// a [*baseline.NoBaseline] if the event has no such commit.
func (a *action) eventTree(ctx context.Context) (*baseline.Tree, error) {
	tree, err := a.treeFromGit(ctx, func(repository *baseline.Repository) (string, error) {
		commit, err := repository.Find(ctx, a.baselineEvent())
		return commit.SHA, err
	})
	var none *baseline.NoBaseline
	if err == nil || errors.As(err, &none) || a.client == nil {
		return tree, err
	}
	commit, err := a.eventBase(ctx, a.event.SHA)
	if err != nil {
		return nil, err
	}
	return a.client.Files(ctx, commit.SHA, a.workspace)
}
