package baseline

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
)

// FilePrefix marks a baseline as the path of a saved report, even if a revision has the same name.
const FilePrefix = "file:"

// Tracks reports whether the commit determines the content at name: it has an entry there, or a link or a submodule on
// the way.
func (t *Tree) Tracks(name string) bool {
	if !fs.ValidPath(name) || name == "." {
		return false
	}
	for at := name; at != "."; at = path.Dir(at) {
		if _, isSubmodule := t.submodules[at]; isSubmodule {
			return true
		}
		about, err := t.Lstat(at)
		if err == nil && (at == name || about.Mode()&fs.ModeSymlink != 0) {
			return true
		}
	}
	return false
}

// CheckSaved refuses a saved report that a commit of the change tracks, unless the base has the same report, because a
// change must not choose its own baseline. where names the base in the error. A report that no commit of the change
// tracks was made by an earlier step and is accepted. base is called only for a tracked report.
func CheckSaved(saved io.Reader, name string, change []*Tree, base func() (*Tree, error), where string) error {
	if !slices.ContainsFunc(change, func(commit *Tree) bool { return commit.Tracks(name) }) {
		return nil
	}
	tree, err := base()
	if err != nil {
		return fmt.Errorf("saved report %q is tracked, and %s cannot be read: %w", name, where, err)
	}
	original, err := tree.Open(name)
	switch {
	case tree.Err() != nil:
		return fmt.Errorf("saved report %q is tracked, and %s cannot be read: %w", name, where, tree.Err())
	case err != nil:
		return fmt.Errorf("saved report %q is tracked and not in %s: the change brings what it is compared with", name, where)
	}
	defer original.Close()
	same, err := haveSameContent(saved, original)
	switch {
	case err != nil:
		return fmt.Errorf("compare saved report %q with that in %s: %w", name, where, err)
	case !same:
		return fmt.Errorf("saved report %q is tracked and differs from that in %s: the change edits what it is compared with", name, where)
	}
	return nil
}

func haveSameContent(a, b io.Reader) (bool, error) {
	one, other := sha256.New(), sha256.New()
	_, err := io.Copy(one, a)
	_, otherErr := io.Copy(other, b)
	return bytes.Equal(one.Sum(nil), other.Sum(nil)), cmp.Or(err, otherErr)
}
