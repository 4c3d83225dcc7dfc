package baseline

import (
	"context"
	"slices"
)

// maxLater bounds the number of commits that are searched for a wanted commit, from HEAD to its ancestors: steps of a job can
// add a few commits after the checkout. A wanted commit beyond the bound counts as missing.
const maxLater = 100

// Holds returns the checked-out commit, and whether it is one of the wanted commits or a descendant of one, judged by
// the clone and the last hundred commits.
func (r *Repository) Holds(ctx context.Context, wanted ...string) (Head, bool, error) {
	objects, err := r.openObjects(ctx)
	if err != nil {
		return Head{}, false, err
	}
	defer objects.Close()
	head, err := headOf(objects)
	if err != nil {
		return Head{}, false, err
	}
	seen := map[string]bool{}
	next := []Head{head}
	for len(next) > 0 && len(seen) < maxLater {
		at := next[0]
		next, seen[at.SHA] = next[1:], true
		if slices.Contains(wanted, at.SHA) || slices.ContainsFunc(at.Parents, func(sha string) bool { return slices.Contains(wanted, sha) }) {
			return head, true, nil
		}
		for _, sha := range at.Parents {
			if c, err := objects.Commit(sha); err == nil && !seen[sha] { // a shallow clone lacks parents
				next = append(next, Head{SHA: sha, Parents: c.Parents})
			}
		}
	}
	return head, false, ctx.Err()
}
