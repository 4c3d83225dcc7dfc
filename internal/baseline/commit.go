package baseline

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrNoRevision says that nothing in a repository has the name that was given for a revision.
var ErrNoRevision = errors.New("there is no such revision")

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
	sha, err := r.commit(ctx, "HEAD")
	if err != nil {
		return Head{}, unreadable(err, "commit HEAD")
	}
	raw, err := r.output(ctx, "cat-file", "commit", sha)
	if err != nil {
		return Head{}, unreadable(err, "commit HEAD")
	}
	return Head{SHA: sha, Parents: parents(raw)}, nil
}

// Resolve returns the commit that a user names as the baseline. A full hash is taken as it is, even when the clone does
// not have it. A branch stands for the commit where HEAD left it, so that later commits of the branch do not count. A
// branch that is not there is looked for at the remote called origin. Tags and other expressions (HEAD~2) mean the
// commit that git takes them for.
func (r *Repository) Resolve(ctx context.Context, ref string) (Commit, error) {
	if sha := strings.ToLower(ref); IsSHA(sha) {
		return Commit{SHA: sha, Ref: ref}, nil
	}
	name := ref
	sha, err := r.commit(ctx, name)
	if err != nil && isPlain(ref) {
		if remote, notThere := r.commit(ctx, "refs/remotes/origin/"+ref); notThere == nil {
			name, sha, err = "refs/remotes/origin/"+ref, remote, nil
		}
	}
	if err != nil {
		return Commit{}, unreadable(err, "commit %q", ref)
	}
	full, err := r.output(ctx, "rev-parse", "--symbolic-full-name", "--verify", "--end-of-options", name)
	if err != nil {
		return Commit{}, unreadable(err, "commit %q", ref)
	}
	if !strings.HasPrefix(full, "refs/heads/") && !strings.HasPrefix(full, "refs/remotes/") {
		return Commit{SHA: sha, Ref: ref}, nil
	}
	return r.mergeBase(ctx, ref, sha)
}

// isPlain reports whether ref is the name of a branch and no expression.
func isPlain(ref string) bool { return ref != "" && !strings.ContainsAny(ref, "^~:@{}?*[\\ ") }

// mergeBase returns the commit at which HEAD left the branch whose tip is at sha.
func (r *Repository) mergeBase(ctx context.Context, branch, sha string) (Commit, error) {
	head, err := r.commit(ctx, "HEAD")
	if err != nil {
		return Commit{}, unreadable(err, "commit HEAD")
	}
	out, err := r.output(ctx, "merge-base", head, sha)
	base := strings.TrimSuffix(out, "\n")
	if err != nil || !IsSHA(base) {
		return Commit{}, unreadable(r.noCommonCommit(ctx), "commit %q", branch)
	}
	return Commit{SHA: base, Ref: branch}, nil
}

func (r *Repository) noCommonCommit(ctx context.Context) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case r.isShallow(ctx):
		return errors.New("the clone is too shallow to hold the commit where HEAD left it")
	}
	return errors.New("it has no commit in common with HEAD")
}

// commit returns the hash of the commit that an expression means.
func (r *Repository) commit(ctx context.Context, ref string) (string, error) {
	if ref == "" || strings.ContainsAny(ref, "\x00\n") {
		return "", fmt.Errorf("%q names no commit", ref)
	}
	out, err := r.output(ctx, "rev-parse", "--verify", "--end-of-options", ref+"^{commit}")
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	sha := strings.TrimSuffix(out, "\n")
	switch {
	case err != nil && strings.Contains(err.Error(), "Needed a single revision"):
		return "", r.missing(ctx, ref)
	case err != nil:
		return "", err
	case !IsSHA(sha):
		return "", fmt.Errorf("git rev-parse: expected a commit hash, found %q", sha)
	}
	return sha, nil
}

// missing says why an expression means no commit: nothing has that name, or what has it is not here or not a commit.
func (r *Repository) missing(ctx context.Context, ref string) error {
	_, err := r.output(ctx, "rev-parse", "--verify", "--end-of-options", ref)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil:
		return errors.New("git knows the name, but has no commit for it")
	}
	return ErrNoRevision
}

func (r *Repository) isShallow(ctx context.Context) bool {
	out, err := r.output(ctx, "rev-parse", "--is-shallow-repository")
	return err == nil && out == "true\n"
}

// IsSHA reports whether s is a full object hash, SHA-1 or SHA-256, in lower case.
func IsSHA(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// parents returns the parents that a raw commit object lists.
func parents(raw string) []string {
	var found []string
	header, _, _ := strings.Cut(raw, "\n\n")
	for line := range strings.Lines(header) {
		if parent, ok := strings.CutPrefix(line, "parent "); ok {
			found = append(found, strings.TrimSpace(parent))
		}
	}
	return found
}
