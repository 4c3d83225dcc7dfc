package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/org/mcp-gates/internal/baseline"
)

// savedReport loads a saved report of the workspace, out of which no link leads. One that the change brings is refused.
func (a *action) savedReport(ctx context.Context, name string) basis {
	if a.event.Privileged() {
		return basis{saved: true, broken: fmt.Errorf("under %s no file of the workspace is compared with, found %q", a.event.Name, name)}
	}
	path := filepath.FromSlash(name)
	open := func() (*os.File, error) {
		if info, err := a.root.Stat(path); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%q is not a regular file", name) // opening a pipe would wait for a writer
		}
		return a.root.Open(path)
	}
	return savedReport(name, open, func(saved io.Reader) error {
		commits, err := a.commits(ctx)
		if commits == nil || err != nil {
			return err
		}
		defer commits.close()
		return baseline.CheckSaved(saved, filepath.ToSlash(filepath.Clean(path)), commits.change, commits.base, "the base commit")
	})
}

// commits are the files of the change as commits have them.
type commits struct {
	change []*baseline.Tree               // what is checked out
	base   func() (*baseline.Tree, error) // what the event compares it with
	close  func()
}

// commits reads commits from the local repository, else through the API; nil where there is no repository at all.
func (a *action) commits(ctx context.Context) (*commits, error) {
	c, err := a.commitsFromGit(ctx)
	switch {
	case err == nil:
		return c, nil
	case a.client != nil:
		return a.commitsFromAPI(ctx)
	case errors.Is(err, baseline.ErrNoRepository):
		return nil, nil
	}
	return nil, err
}

func (a *action) commitsFromGit(ctx context.Context) (*commits, error) {
	dir := a.event.Workspace
	repository, err := baseline.Open(ctx, baseline.Place{Dir: dir, Trusted: dir, Getenv: a.getenv})
	if err != nil {
		return nil, err
	}
	head, err := repository.Head(ctx)
	if err != nil {
		return nil, err
	}
	files, err := repository.Files(ctx, head.SHA)
	if err != nil {
		return nil, err
	}
	c := &commits{change: []*baseline.Tree{files.Tree}, close: func() { files.Close() }}
	c.base = a.eventTree(c, func() (*baseline.Tree, error) {
		commit, err := a.said().Base(head)
		if err != nil {
			return nil, err
		}
		if original, err := repository.Files(ctx, commit.SHA); err == nil {
			a.closers = append(a.closers, original.Close)
			return original.Tree, nil
		} else if a.client == nil {
			return nil, err
		}
		return a.client.Files(ctx, commit.SHA, a.workspace)
	})
	return c, nil
}

func (a *action) commitsFromAPI(ctx context.Context) (*commits, error) {
	c := &commits{close: func() {}}
	// A workflow may check out the head instead of the merge commit.
	for _, sha := range slices.Compact([]string{a.event.SHA, a.event.HeadSHA}) {
		tree, err := a.client.Files(ctx, sha, nil)
		if err != nil {
			return nil, err
		}
		c.change = append(c.change, tree)
	}
	c.base = a.eventTree(c, func() (*baseline.Tree, error) {
		commit, err := a.eventBase(ctx, a.event.SHA)
		if err != nil {
			return nil, err
		}
		return a.client.Files(ctx, commit.SHA, a.workspace)
	})
	return c, nil
}

// eventTree returns the files of the event's base. Where the event has none, such as a schedule, the commit that is
// checked out is as good as its base; but not for a push, which brings a change whose base is not known.
func (a *action) eventTree(c *commits, find func() (*baseline.Tree, error)) func() (*baseline.Tree, error) {
	return func() (*baseline.Tree, error) {
		tree, err := find()
		var none *baseline.NoBaseline
		switch {
		case !errors.As(err, &none):
			return tree, err
		case a.event.Before != "":
			return nil, errors.New(none.Reason) // which is a fault here
		}
		return c.change[0], nil
	}
}
