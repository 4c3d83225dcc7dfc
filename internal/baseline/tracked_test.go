package baseline

import (
	"path/filepath"
	"testing"
)

// TestTrackedByGit pins which files of a folder git tracks: those of the commit, also when the index has lost them, and those that were
// added.
func TestTrackedByGit(t *testing.T) {
	r := newRepo(t).write("sub/old", "a").write("sub/lost", "a").write("sub/ours", "a").write("sub/new", "a")
	tracks := func(name string) bool {
		t.Helper()
		repository, err := Open(Place{Dir: filepath.Join(r.dir, "sub")})
		if err != nil {
			t.Fatal(err)
		}
		found, err := repository.Tracks(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if tracks("old") {
		t.Error("a file is tracked before anything is committed")
	}
	r.git("add", "sub/old", "sub/lost")
	r.git("commit", "-q", "-m", "one")
	r.git("rm", "-q", "--cached", "sub/lost")
	r.git("add", "sub/new")
	for name, want := range map[string]bool{"old": true, "lost": true, "new": true, "ours": false, "gone": false} {
		if got := tracks(name); got != want {
			t.Errorf("%q: got %t, want %t", name, got, want)
		}
	}
}
