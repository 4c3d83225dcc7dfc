package baseline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// submodule is the mode of an entry that names a commit of another repository.
const submodule = "160000"

// Submodules are the repositories in a workspace that hold the files of a commit's submodules. [Submodules.Close]
// closes what is open.
type Submodules struct {
	ctx   context.Context
	place Place
	tree  *Tree

	mu     sync.Mutex
	opened []io.Closer
	closed bool
}

// OpenSubmodules adds the files of a commit's submodules to its tree, if the workspace has the submodules' commits. The files can
// be read until ctx ends. [Tree.Lacking] names a submodule that was read but is missing.
func OpenSubmodules(ctx context.Context, tree *Tree, place Place) *Submodules {
	s := &Submodules{ctx: ctx, place: place, tree: tree}
	tree.mount = s.filesOf
	return s
}

// Close closes all open repositories. Submodules that are first read later count as missing.
func (s *Submodules) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, one := range slices.Backward(s.opened) {
		errs = append(errs, one.Close())
	}
	s.opened, s.closed = nil, true
	return errors.Join(errs...)
}

// filesOf returns the files of a submodule's commit; nil if the workspace was not meant to have them.
func (s *Submodules) filesOf(name, sha string) (*Tree, error) {
	place := s.place
	place.Dir = filepath.Join(s.place.Dir, filepath.FromSlash(name))
	if _, err := os.Lstat(filepath.Join(place.Dir, ".git")); err != nil {
		if s.isLeftOut(name, place.Dir) {
			return nil, nil
		}
		return nil, errors.New("the workspace does not have it as the base has")
	}
	repository, err := Open(place)
	if err != nil {
		return nil, err
	}
	files, err := repository.Files(s.ctx, sha)
	if err != nil {
		return nil, fmt.Errorf("%w; it was moved, and `fetch-depth: 0` on actions/checkout brings the commit along", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errors.Join(os.ErrClosed, files.Close())
	}
	s.opened = append(s.opened, files, OpenSubmodules(s.ctx, files.Tree, place))
	return files.Tree, nil
}

// isLeftOut reports whether the checkout leaves a submodule out, both in the base and in the change: the change has it
// in the same place with the same settings, and the workspace has no files there.
func (s *Submodules) isLeftOut(name, dir string) bool {
	if held, err := os.ReadDir(dir); len(held) > 0 || err != nil && !errors.Is(err, os.ErrNotExist) {
		return false
	}
	if _, err := os.Lstat(filepath.Join(s.place.Dir, ".git")); err != nil {
		return false // the settings of submodules are at the top, which is not among the files
	}
	repository, err := Open(s.place)
	if err != nil {
		return false
	}
	files, err := repository.HeadFiles(s.ctx)
	if err != nil {
		return false
	}
	defer files.Close()
	return s.tree.LeavesOut(files.Tree, name)
}

// LeavesOut reports whether another commit also has a submodule at name, with the same settings of submodules. A commit
// without settings has only repositories that were added by accident, which a checkout leaves empty.
func (t *Tree) LeavesOut(other *Tree, name string) bool {
	_, isThere := other.submodules[name]
	return isThere && t.submoduleSettings() == other.submoduleSettings()
}

// submoduleSettings returns the hash of the settings of submodules; "" if there are none.
func (t *Tree) submoduleSettings() string {
	n, err := t.root.childNamed(".gitmodules")
	if n == nil || err != nil {
		return ""
	}
	return n.entry.SHA
}

// LeaveOut makes each submodule an empty folder if head has a submodule in the same place, with the same settings: then
// both sides lack its files. Any other submodule counts as missing if it is read, see [Tree.Lacking].
func (t *Tree) LeaveOut(head *Tree) {
	t.mount = func(name, _ string) (*Tree, error) {
		if !t.LeavesOut(head, name) {
			return nil, errors.New("the API has no files of submodules")
		}
		return nil, nil
	}
}

// IsSubmodule reports whether a folder is a commit of another repository. It does not read the folder's files.
func (t *Tree) IsSubmodule(name string) bool {
	n, err := t.lookup("lstat", name, false)
	return err == nil && n.within != nil
}

// Lacking names a submodule that was read but whose files are missing, with the reason; "" if there is none. All other
// files can still be trusted.
func (t *Tree) Lacking() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lacking
}

func (t *Tree) submoduleNodes(entry Entry) []*node {
	inner, err := (*Tree)(nil), errors.New("the API has no files of submodules")
	if t.mount != nil {
		inner, err = t.mount(entry.Path, entry.SHA)
	}
	if err != nil {
		t.noteMissing(fmt.Sprintf("submodule %q: %s", entry.Path, err))
		return nil
	}
	if inner == nil {
		return nil
	}
	inner.outer = t
	return inner.root.children
}

// noteMissing notes a submodule whose files are missing. The result does not depend on the order of reading.
func (t *Tree) noteMissing(reason string) {
	t.mu.Lock()
	if t.lacking == "" || reason < t.lacking {
		t.lacking = reason
	}
	t.mu.Unlock()
	if t.outer != nil {
		t.outer.noteMissing(reason)
	}
}
