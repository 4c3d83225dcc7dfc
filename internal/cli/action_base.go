package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/report"
)

// base finds and evaluates the base of the change. The basis holds any reason why it could not be read.
func (a *action) base(ctx context.Context, o check.Options) basis {
	switch a.inputs.Baseline {
	case annotate.BaselineNone:
		return basis{noneReason: "the input baseline says none"}
	case annotate.BaselineAuto:
		if a.event.Privileged() && a.event.ForPullRequest && a.pull.Number == 0 {
			// The pull request is closed but may be opened again, so its base is unknown, not missing.
			return basis{broken: fmt.Errorf("no open pull request has the commit %s", a.event.HeadSHA)}
		}
	default:
		if name, ok := strings.CutPrefix(a.inputs.Baseline, baseline.FilePrefix); ok {
			return a.loadSavedReport(ctx, name)
		}
	}
	b, done := a.baseFromGit(ctx, o)
	if !done && a.client != nil {
		b = a.baseFromAPI(ctx, o, b)
	}
	mayBeReport := b.noRevision && !a.event.Privileged()
	if mayBeReport && isFile(a.root.Stat, filepath.FromSlash(a.inputs.Baseline)) {
		return a.loadSavedReport(ctx, a.inputs.Baseline)
	}
	return b
}

func (a *action) findBaseCommit(ctx context.Context, repository *baseline.Repository) (baseline.Commit, error) {
	if a.inputs.Baseline == annotate.BaselineAuto {
		return repository.Find(ctx, a.baselineEvent())
	}
	return repository.Resolve(ctx, a.inputs.Baseline)
}

func (a *action) baselineEvent() baseline.Event {
	return baseline.Event{HeadSHA: a.event.HeadSHA, BaseSHA: a.event.BaseSHA, Before: a.event.Before}
}

// baseFromGit evaluates the base from the objects of the local repository. If they do not suffice, done is false. The basis
// then has the reason and, if the repository knows it, the base commit.
func (a *action) baseFromGit(ctx context.Context, o check.Options) (b basis, done bool) {
	if a.event.Privileged() {
		return basis{broken: errors.New("the change is not checked out")}, false
	}
	repository, err := a.repository()
	if err != nil {
		return basis{broken: err, noRevision: errors.Is(err, baseline.ErrNoRepository)}, false
	}
	commit, err := a.findBaseCommit(ctx, repository)
	if err != nil {
		b.noteOutcome(nil, nil, err)
		b.noRevision = errors.Is(err, baseline.ErrNoRevision)
		return b, b.noneReason != ""
	}
	b.about.Ref, b.about.SHA = report.Optional(commit.Ref), report.Optional(commit.SHA)
	files, err := repository.Files(ctx, commit.SHA)
	if err != nil {
		b.broken = err
		return b, false
	}
	submodules := baseline.OpenSubmodules(ctx, files.Tree, a.place())
	a.closers = append(a.closers, files.Close, submodules.Close)
	b.files = files.Tree
	b.evaluate(ctx, files, a.filesIfAffected(), files.Tree, o)
	return b, b.broken == nil
}

// baseFromAPI evaluates the base from GitHub's API. b is the basis that baseFromGit returned.
func (a *action) baseFromAPI(ctx context.Context, o check.Options, b basis) basis {
	sha := string(b.about.SHA)
	if sha == "" {
		commit, err := a.commitFromAPI(ctx)
		if err != nil {
			return withAPIError(b, err)
		}
		sha = commit.SHA
		b.about.Ref, b.about.SHA = report.Optional(commit.Ref), report.Optional(sha)
	}
	files, err := a.client.Files(ctx, sha, a.workspace)
	if err != nil {
		return withAPIError(b, err)
	}
	if a.tree != nil {
		files.LeaveOut(a.tree)
	} else {
		a.closers = append(a.closers, baseline.OpenSubmodules(ctx, files, a.place()).Close)
	}
	fromAPI := basis{about: b.about, files: files}
	fromAPI.evaluate(ctx, files, a.filesIfAffected(), files, o)
	return fromAPI
}

// filesIfAffected returns the files of the change if the action checks only the suites that the change touches; otherwise nil.
func (a *action) filesIfAffected() fs.FS {
	if a.pipeline.options.OnlyAffected {
		return a.head
	}
	return nil
}

// withAPIError returns the basis for a base that could not be read through the API because of err. It adds the error of the local
// repository that b may have.
func withAPIError(b basis, err error) basis {
	if nothing, ok := errors.AsType[*baseline.NoBaseline](err); ok {
		return basis{noneReason: nothing.Reason}
	}
	noRevision := errors.Is(err, baseline.ErrNoRevision) // only GitHub knows this, because a local clone may lack revisions
	if b.broken != nil {
		err = fmt.Errorf("%w; before that, in the local repository, %w", err, b.broken)
	}
	return basis{broken: err, noRevision: noRevision}
}

// commitFromAPI returns the base commit, by GitHub's API: the one for the input baseline or, if that is auto, the event's base.
func (a *action) commitFromAPI(ctx context.Context) (baseline.Commit, error) {
	checked, merge := a.event.SHA, a.event.SHA
	if a.event.Privileged() {
		checked, merge = a.event.HeadSHA, a.pull.MergeSHA
	}
	if a.inputs.Baseline != annotate.BaselineAuto {
		return a.client.Resolve(ctx, a.inputs.Baseline, checked)
	}
	return a.eventBase(ctx, merge)
}

// eventBase returns the base commit of the event. If the commit merge merges the pull request, the base is its first parent. merge
// is "" if there is no such commit.
func (a *action) eventBase(ctx context.Context, merge string) (baseline.Commit, error) {
	head := baseline.Head{SHA: merge}
	if merge != "" {
		parents, err := a.client.Parents(ctx, merge)
		if err != nil {
			return baseline.Commit{}, err
		}
		head.Parents = parents
	}
	return a.baselineEvent().Base(head)
}
