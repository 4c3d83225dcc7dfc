package baseline

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/org/mcp-gates/internal/git"
)

// ErrNoRepository means that a folder has no readable history. It is wrapped in an [*Unreadable].
var ErrNoRepository = git.ErrNoRepository

// Place is the place at which a repository is searched.
type Place struct {
	// Dir is the workspace: the folder to which the paths of suites and cassettes are relative. It may be below the top
	// of the repository.
	Dir string
	// Within is the topmost folder of the search, "" for no limit. Dir must be inside it.
	Within string
}

// Repository is the git repository of a workspace. It is only read: nothing is fetched, and nothing runs.
type Repository struct{ git *git.Repository }

// Open finds the repository of a workspace. Every error is an [*Unreadable]; it wraps [ErrNoRepository] if there is no
// repository.
func Open(place Place) (*Repository, error) {
	repository, err := git.Find(place.Dir, place.Within)
	if err != nil {
		return nil, unreadable(err, "git history")
	}
	return &Repository{repository}, nil
}

// Name returns the name of the folder that contains the repository.
func (r *Repository) Name() string { return r.git.Name }

// openObjects opens the objects of the repository. They can be read until ctx ends.
func (r *Repository) openObjects(ctx context.Context) (*git.Objects, error) {
	objects, err := r.git.Objects(ctx)
	if err != nil {
		return nil, unreadable(err, "git history")
	}
	return objects, nil
}

// Files are the files of a commit in the workspace's folder, read from the objects of a local repository. They are safe
// for concurrent use; [Files.Close] closes what is open.
type Files struct {
	*Tree
	objects *git.Objects
}

// Files returns the files of the commit sha, a full hash. They can be read until ctx ends. Every error is an
// [*Unreadable]; content that the clone lacks causes an error in [Tree.Err] when it is read.
func (r *Repository) Files(ctx context.Context, sha string) (*Files, error) {
	if !IsSHA(sha) {
		return nil, unreadable(nil, "commit %q is not a full hash", sha)
	}
	objects, err := r.openObjects(ctx)
	if err != nil {
		return nil, err
	}
	entries, err := objects.List(sha, r.git.Prefix)
	if err != nil {
		objects.Close()
		return nil, unreadable(r.withShallowHint(err), "commit %s", sha)
	}
	tree := NewTree(entries, func(entry Entry) (io.ReadCloser, error) { return objects.Open(entry.SHA) })
	tree.size = func(entry Entry) int64 {
		size, _ := objects.Size(entry.SHA) // 0 on an error: opening the file fails, too, and reports the reason
		return size
	}
	return &Files{tree, objects}, nil
}

// HeadFiles returns the files of the checked-out commit; see [Repository.Files]. The error wraps [ErrNoRevision] if nothing is
// committed yet.
func (r *Repository) HeadFiles(ctx context.Context) (*Files, error) {
	head, err := r.Head(ctx)
	if err != nil {
		return nil, err
	}
	return r.Files(ctx, head.SHA)
}

// Close closes all open objects. Further files cannot be opened.
func (f *Files) Close() error { return f.objects.Close() }

// withShallowHint adds to an error that a shallow clone is the probable reason why a commit cannot be listed.
func (r *Repository) withShallowHint(err error) error {
	if errors.Is(err, git.ErrAbsent) && r.git.IsShallow() {
		return fmt.Errorf("%w (the clone is shallow; `fetch-depth: 2` on actions/checkout brings the base along)", err)
	}
	return err
}
