package annotate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"
	"github.com/org/mcp-gates/internal/baseline"
)

// Resolve returns the baseline that a user names, as [baseline.Repository.Resolve] does in a clone. For a full hash it is that
// commit, for a branch the commit where head left the branch, otherwise the commit of a tag. Expressions such as HEAD~2 need a
// clone. The error is [baseline.ErrNoRevision] if nothing has this name.
func (c *Client) Resolve(ctx context.Context, ref, head string) (baseline.Commit, error) {
	if sha := strings.ToLower(ref); baseline.IsSHA(sha) {
		return baseline.Commit{SHA: sha, Ref: ref}, nil
	}
	switch {
	case strings.ContainsAny(ref, "^~:@{}"):
		return baseline.Commit{}, fmt.Errorf("%q is not a branch, tag or full SHA, and other revisions take a clone and git", ref)
	case !isRef(ref):
		return baseline.Commit{}, fmt.Errorf("%q is not a branch, tag or full SHA: %w", ref, baseline.ErrNoRevision)
	}
	_, _, err := c.api.Git.GetRef(ctx, c.owner, c.repo, "heads/"+ref)
	switch {
	case err == nil:
		return c.mergeBase(ctx, ref, head)
	case status(err) != http.StatusNotFound:
		return baseline.Commit{}, fmt.Errorf("look for branch %q: %w", ref, err)
	}
	sha, _, err := c.api.Repositories.GetCommitSHA1(ctx, c.owner, c.repo, ref, "")
	switch {
	case err == nil && !baseline.IsSHA(sha):
		err = errors.New("GitHub sent no SHA")
	case status(err) == http.StatusUnprocessableEntity:
		err = baseline.ErrNoRevision // "No commit found for SHA: …"
	case status(err) == http.StatusNotFound && c.canRead(ctx, head):
		err = baseline.ErrNoRevision
	}
	if err != nil {
		return baseline.Commit{}, fmt.Errorf("look for commit %q: %w", ref, err)
	}
	return baseline.Commit{SHA: sha, Ref: ref}, nil
}

// canRead reports whether the token may read the repository. Without this right, GitHub answers every request with 404.
func (c *Client) canRead(ctx context.Context, sha string) bool {
	_, _, err := c.api.Git.GetCommit(ctx, c.owner, c.repo, sha)
	return err == nil
}

// mergeBase returns the commit at which head left the branch.
func (c *Client) mergeBase(ctx context.Context, branch, head string) (baseline.Commit, error) {
	comparison, _, err := c.api.Repositories.CompareCommits(ctx, c.owner, c.repo, branch, head, &github.ListOptions{PerPage: 1})
	if err != nil {
		return baseline.Commit{}, fmt.Errorf("look for where %s left %q: %w", head, branch, err)
	}
	sha := checkedSHA(comparison.GetMergeBaseCommit().GetSHA())
	if sha == "" {
		return baseline.Commit{}, fmt.Errorf("%q has no commit in common with %s", branch, head)
	}
	return baseline.Commit{SHA: sha, Ref: branch}, nil
}

// Holds reports whether a commit is the wanted one or a descendant of it, as far as GitHub knows.
func (c *Client) Holds(ctx context.Context, commit, wanted string) bool {
	base, err := c.mergeBase(ctx, wanted, commit)
	return err == nil && base.SHA == wanted
}

// isRef reports whether a name can be that of a branch or tag, and can be used in an address.
func isRef(name string) bool {
	steps := strings.Split(name, "/")
	return !strings.ContainsAny(name, "^~:@{}?*[\\ ") &&
		!slices.ContainsFunc(steps, func(step string) bool { return step == "" || strings.HasPrefix(step, ".") }) &&
		!strings.Contains(name, "..")
}
