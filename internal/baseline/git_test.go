package baseline

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOpenSaysWhyNot(t *testing.T) {
	r := newRepo(t)
	r.commit("one")
	outside := realTempDir(t)
	tests := []struct {
		name    string
		place   Place
		want    error
		wantMsg string
	}{
		{"no repository", Place{Dir: outside}, ErrNoRepository, "not in a git repository"},
		{"no repository within", Place{Dir: outside, Within: outside}, ErrNoRepository, "not in a git repository"},
		{"outside of what is looked at", Place{Dir: r.dir, Within: outside}, nil, "does not lie in"},
		{"no such folder", Place{Dir: filepath.Join(outside, "gone")}, os.ErrNotExist, "no such file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			repo, err := Open(test.place)
			var because *Unreadable
			if !errors.As(err, &because) {
				t.Fatalf("Open = %v, %v, want an *Unreadable", repo, err)
			}
			if test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.wantMsg) {
				t.Errorf("Open: got error %q, want %v with %q", err, test.want, test.wantMsg)
			}
		})
	}
}

// A container's workspace belongs to another user, which git refuses by default ("dubious ownership").
func TestFolderOfAnotherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: only root can give folders away")
	}
	r := newRepo(t).write("sub/a.txt", "a")
	sha := r.commit("one")
	for _, name := range []string{r.dir, filepath.Join(r.dir, "sub"), filepath.Join(r.dir, ".git")} {
		if err := os.Chown(name, 12345, 12345); err != nil {
			t.Fatal(err)
		}
	}
	for _, place := range []Place{{Dir: r.dir}, {Dir: filepath.Join(r.dir, "sub")}, {Dir: r.dir, Within: r.dir}} {
		repo, err := Open(place)
		if err != nil {
			t.Errorf("Open(%+v) of another user: %v", place, err)
			continue
		}
		if head, err := repo.Head(context.Background()); err != nil || head.SHA != sha {
			t.Errorf("Head = %v, %v, want %s", head, err, sha)
		}
	}
}

// A .git that is not a repository is passed over; folders above the workspace are not searched.
func TestRepositoryAboveTheWorkspace(t *testing.T) {
	r := newRepo(t).write("work/a.txt", "a")
	r.commit("one")
	work := filepath.Join(r.dir, "work")
	if err := os.Mkdir(filepath.Join(work, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if repo, err := Open(Place{Dir: work, Within: work}); !errors.Is(err, ErrNoRepository) {
		t.Errorf("Open = %+v, %v, want %v", repo, err, ErrNoRepository)
	}
}

// A folder of the workspace can be made to look like a bare repository with a history of its own.
func TestPlantedBareRepository(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "a")
	r.git("init", "-q", "--bare", "planted")
	dir := filepath.Join(r.dir, "planted")
	if repo, err := Open(Place{Dir: dir}); err != nil || repo.git.Prefix != "planted/" {
		t.Errorf("Open of a planted repository: %+v, %v, want the one around it", repo, err)
	}
	if repo, err := Open(Place{Dir: dir, Within: dir}); !errors.Is(err, ErrNoRepository) {
		t.Errorf("Open within a planted repository: %+v, %v, want %v", repo, err, ErrNoRepository)
	}
}

// What the repository's own settings and refs say does not change what a commit is.
func TestReplacedObjectsAreNotBelieved(t *testing.T) {
	r := newRepo(t).write("a.txt", "true")
	first := r.commit("one")
	second := r.write("a.txt", "two").commit("two")
	other := r.gitIn(r.dir, "forged", "hash-object", "-w", "--stdin")
	r.git("replace", r.git("rev-parse", first+":a.txt"), other)
	r.git("replace", "--graft", second)
	r.write(".git/info/grafts", second+"\n")
	if got := readString(t, r.files(".", first), "a.txt"); got != "true" {
		t.Errorf("content of a.txt: got %q, want %q", got, "true")
	}
	if c, err := r.open(".").Resolve(context.Background(), "HEAD~1"); err != nil || c.SHA != first {
		t.Errorf("Resolve(HEAD~1) = %v, %v, want %s", c, err, first)
	}
}
