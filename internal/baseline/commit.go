package baseline

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/git"
)

// ErrNoRevision means that a repository has nothing with the name of the revision.
var ErrNoRevision = git.ErrNoRevision

// Commit is the commit that a change is compared with.
type Commit struct {
	SHA string // in full, lower-case
	Ref string // the user's name for it; "" if the program found it
}

// Head is a commit with the parents that it lists; a shallow clone may lack them.
type Head struct {
	SHA     string
	Parents []string
}

// Event holds the commits in the event that started a workflow; "" for commits that it does not name.
type Event struct {
	HeadSHA string // head of the pull request
	BaseSHA string // base of the pull request or merge group
	Before  string // tip of the branch before the push, all zeros if there was none
}

// Base returns the commit to compare head with: the first parent of head if head merges the pull request into its base,
// otherwise the base in the event, otherwise the commit before the push. The event's base has a lower priority because
// it can be hours older than the merge commit. A [*NoBaseline] means that there is none.
func (e Event) Base(head Head) (Commit, error) {
	c := Commit{}
	switch {
	case e.HeadSHA != "" && len(head.Parents) == 2 && head.Parents[1] == e.HeadSHA:
		c = Commit{SHA: head.Parents[0]}
	case e.BaseSHA != "":
		c = Commit{SHA: e.BaseSHA}
	case e.Before != "" && strings.Trim(e.Before, "0") == "":
		return Commit{}, &NoBaseline{Reason: "the push made a new branch"}
	case e.Before != "":
		c = Commit{SHA: e.Before}
	default:
		return Commit{}, &NoBaseline{Reason: "the event has no base commit"}
	}
	if !IsSHA(c.SHA) {
		return Commit{}, unreadable(nil, "the event names %q as its base, which is not a full commit hash", c.SHA)
	}
	if c.SHA == head.SHA {
		return Commit{}, &NoBaseline{Reason: "the base is the commit that is checked out"}
	}
	return c, nil
}

// Find returns the commit to compare the checked-out commit with, see [Event.Base].
func (r *Repository) Find(ctx context.Context, e Event) (Commit, error) {
	head, err := r.Head(ctx)
	if err != nil {
		return Commit{}, err
	}
	return e.Base(head)
}

// Head returns the checked-out commit.
func (r *Repository) Head(ctx context.Context) (Head, error) {
	objects, err := r.openObjects(ctx)
	if err != nil {
		return Head{}, err
	}
	defer objects.Close()
	return headOf(objects)
}

func headOf(objects *git.Objects) (Head, error) {
	rev, err := objects.Resolve("HEAD")
	if err != nil {
		return Head{}, unreadable(err, "commit HEAD")
	}
	c, err := objects.Commit(rev.Hash)
	if err != nil {
		return Head{}, unreadable(err, "commit HEAD")
	}
	return Head{SHA: rev.Hash, Parents: c.Parents}, nil
}

// Resolve returns the commit that a user names as the baseline. A full hash is accepted even if the clone lacks the
// commit. A branch means the commit at which HEAD left it, so that later commits of the branch do not count. A missing
// branch is looked up at the remote called origin. Tags and other expressions (HEAD~2) have the same meaning as in git.
func (r *Repository) Resolve(ctx context.Context, ref string) (Commit, error) {
	return r.resolve(ctx, ref, forkPoint)
}

// Named returns the commit that a user names. Unlike [Repository.Resolve], a branch means its last commit, whatever is
// checked out.
func (r *Repository) Named(ctx context.Context, ref string) (Commit, error) {
	return r.resolve(ctx, ref, func(_ *git.Objects, tip string) (string, error) { return tip, nil })
}

// resolve returns the commit that a user names. For a branch, commitOf returns the commit that is meant, given the last commit of the branch.
func (r *Repository) resolve(ctx context.Context, ref string, commitOf func(*git.Objects, string) (string, error)) (Commit, error) {
	objects, err := r.openObjects(ctx)
	if err != nil {
		return Commit{}, err
	}
	defer objects.Close()
	rev, err := resolveName(objects, ref)
	if err == nil && (strings.HasPrefix(rev.Ref, "refs/heads/") || strings.HasPrefix(rev.Ref, "refs/remotes/")) {
		rev.Hash, err = commitOf(objects, rev.Hash)
	}
	if err != nil {
		return Commit{}, unreadable(err, "commit %q", ref)
	}
	return Commit{SHA: rev.Hash, Ref: ref}, nil
}

// resolveName returns the revision that a user names: a full hash, a revision of this repository, or a branch of the remote
// called origin.
func resolveName(objects *git.Objects, ref string) (git.Revision, error) {
	if sha := strings.ToLower(ref); IsSHA(sha) {
		return git.Revision{Hash: sha}, nil
	}
	rev, err := objects.Resolve(ref)
	if errors.Is(err, ErrNoRevision) {
		if remote, notThere := objects.Resolve("refs/remotes/origin/" + ref); notThere == nil && remote.Ref != "" {
			return remote, nil
		}
	}
	return rev, err
}

// forkPoint returns the commit at which HEAD left the branch with the tip sha.
func forkPoint(objects *git.Objects, sha string) (string, error) {
	head, err := objects.Resolve("HEAD")
	if err != nil {
		return "", fmt.Errorf("HEAD: %w", err)
	}
	return objects.MergeBase(head.Hash, sha)
}

// IsSHA reports whether s is a full object hash, SHA-1 or SHA-256, in lower case.
func IsSHA(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}
