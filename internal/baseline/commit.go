package baseline

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/git"
)

// ErrNoRevision says that nothing in a repository has the name that was given for a revision.
var ErrNoRevision = git.ErrNoRevision

// Commit is the commit that a change is compared with.
type Commit struct {
	SHA string // in full, lower-case
	Ref string // what the user named it by; "" when it was found
}

// Head is a commit and its parents, as the commit itself lists them: in a shallow clone, parents may not be there.
type Head struct {
	SHA     string
	Parents []string
}

// Event holds the commits that the event that started a workflow names; "" where it names none.
type Event struct {
	HeadSHA string // head of the pull request
	BaseSHA string // base of the pull request or merge group
	Before  string // tip of the branch before the push, all zeros when there was none
}

// Base returns the commit that head is compared with: the first parent of head when head merges the pull request into
// its base, else what the event calls the base, else what was there before the push. The event's own word comes second
// because it can be hours older than the merge commit. A [*NoBaseline] says that there is none.
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

// Find returns the commit that the checked-out commit is compared with, as [Event.Base] does.
func (r *Repository) Find(ctx context.Context, e Event) (Commit, error) {
	head, err := r.Head(ctx)
	if err != nil {
		return Commit{}, err
	}
	return e.Base(head)
}

// Head returns the checked-out commit.
func (r *Repository) Head(ctx context.Context) (Head, error) {
	objects, err := r.objects(ctx)
	if err != nil {
		return Head{}, err
	}
	defer objects.Close()
	return checkedOut(objects)
}

func checkedOut(objects *git.Objects) (Head, error) {
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

// Resolve returns the commit that a user names as the baseline. A full hash is taken as it is, even when the clone does
// not have it. A branch stands for the commit where HEAD left it, so that later commits of the branch do not count. A
// branch that is not there is looked for at the remote called origin. Tags and other expressions (HEAD~2) mean the
// commit that git takes them for.
func (r *Repository) Resolve(ctx context.Context, ref string) (Commit, error) {
	objects, err := r.objects(ctx)
	if err != nil {
		return Commit{}, err
	}
	defer objects.Close()
	rev, err := named(objects, ref)
	if err == nil && (strings.HasPrefix(rev.Ref, "refs/heads/") || strings.HasPrefix(rev.Ref, "refs/remotes/")) {
		rev.Hash, err = left(objects, rev.Hash)
	}
	if err != nil {
		return Commit{}, unreadable(err, "commit %q", ref)
	}
	return Commit{SHA: rev.Hash, Ref: ref}, nil
}

// Named returns the commit that a user names, itself: of a branch its last commit, whatever is checked out. Otherwise it does as
// [Repository.Resolve] does.
func (r *Repository) Named(ctx context.Context, ref string) (Commit, error) {
	objects, err := r.objects(ctx)
	if err != nil {
		return Commit{}, err
	}
	defer objects.Close()
	rev, err := named(objects, ref)
	if err != nil {
		return Commit{}, unreadable(err, "commit %q", ref)
	}
	return Commit{SHA: rev.Hash, Ref: ref}, nil
}

// named returns the revision that a user names: a full hash, one of this repository, or a branch of the remote called origin.
func named(objects *git.Objects, ref string) (git.Revision, error) {
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

// left returns the commit at which HEAD left the branch whose tip is at sha.
func left(objects *git.Objects, sha string) (string, error) {
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
