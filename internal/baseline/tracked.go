package baseline

import (
	"context"
	"errors"
)

// Tracks reports whether git tracks a file in the folder for which the repository was opened: the checked-out commit
// has it, or it was added for the next commit.
func (r *Repository) Tracks(ctx context.Context, name string) (bool, error) {
	staged, err := r.git.Stages(r.git.Prefix + name)
	if err != nil {
		return false, unreadable(err, "git index")
	}
	if staged {
		return true, nil
	}
	files, err := r.HeadFiles(ctx)
	if errors.Is(err, ErrNoRevision) {
		return false, nil // there are no commits yet
	}
	if err != nil {
		return false, err
	}
	defer files.Close()
	return files.Tree.Tracks(name), nil
}
