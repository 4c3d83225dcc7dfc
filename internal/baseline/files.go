package baseline

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/org/mcp-gates/internal/git"
)

// ErrNoRepository says that a folder has no history that could be read. It comes wrapped in an [*Unreadable].
var ErrNoRepository = git.ErrNoRepository

// Place says where a repository is looked for.
type Place struct {
	// Dir is the workspace: the folder that the paths of suites and cassettes are relative to. It may be a folder below
	// the top of the repository.
	Dir string
	// Within is the topmost folder that is looked at, "" for none. Dir has to lie in it.
	Within string
}

// Repository is the git repository of a workspace. It is only ever read: nothing is fetched, and nothing runs.
type Repository struct{ git *git.Repository }

// Open finds the repository of a workspace. Every error is an [*Unreadable], around [ErrNoRepository] where that is why.
func Open(place Place) (*Repository, error) {
	repository, err := git.Find(place.Dir, place.Within)
	if err != nil {
		return nil, unreadable(err, "git history")
	}
	return &Repository{repository}, nil
}

// Name returns the name of the folder that holds the repository.
func (r *Repository) Name() string { return r.git.Name }

// objects opens the objects of the repository. They are read as long as ctx lives.
func (r *Repository) objects(ctx context.Context) (*git.Objects, error) {
	objects, err := r.git.Objects(ctx)
	if err != nil {
		return nil, unreadable(err, "git history")
	}
	return objects, nil
}

// Files are the files of a commit under the workspace's folder, read from the objects of a local repository. It is safe
// for concurrent use; [Files.Close] gives back what it has open.
type Files struct {
	*Tree
	objects *git.Objects
}

// Files returns the files of the commit sha, a full hash. They are read as long as ctx lives. Every error is an
// [*Unreadable]; content that the clone lacks shows when it is read, in [Tree.Err].
func (r *Repository) Files(ctx context.Context, sha string) (*Files, error) {
	if !IsSHA(sha) {
		return nil, unreadable(nil, "commit %q is not a full hash", sha)
	}
	objects, err := r.objects(ctx)
	if err != nil {
		return nil, err
	}
	entries, err := objects.List(sha, r.git.Prefix)
	if err != nil {
		objects.Close()
		return nil, unreadable(r.notInClone(err), "commit %s", sha)
	}
	tree := NewTree(entries, func(entry Entry) (io.ReadCloser, error) { return objects.Open(entry.SHA) })
	tree.size = func(entry Entry) int64 {
		size, err := objects.Size(entry.SHA)
		if err != nil {
			return 0 // it cannot be opened either, which says why
		}
		return size
	}
	return &Files{tree, objects}, nil
}

// Close gives back what is open. What is opened after it fails.
func (f *Files) Close() error { return f.objects.Close() }

// notInClone says that a clone without history is probably why a commit cannot be listed.
func (r *Repository) notInClone(err error) error {
	if errors.Is(err, git.ErrAbsent) && r.git.IsShallow() {
		return fmt.Errorf("%w (the clone is shallow; `fetch-depth: 2` on actions/checkout brings the base along)", err)
	}
	return err
}
