package baseline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// history opens the history of a folder of the repository.
func (r *testRepo) history(folder string) (*Repository, *History) {
	r.t.Helper()
	repository, err := Open(Place{Dir: filepath.Join(r.dir, folder)})
	if err != nil {
		r.t.Fatal(err)
	}
	h, err := repository.History(context.Background())
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { h.Close() })
	return repository, h
}

// TestHistoryFiles holds the files of a commit that are read as they are looked at to those that are listed as a whole.
func TestHistoryFiles(t *testing.T) {
	r := newRepo(t).write("a.txt", "a").write("d/e/b.txt", strings.Repeat("b", maxKeptFile+1)).write("d/c.txt", "")
	r.link("e/b.txt", "d/link")
	sha := r.commit("one")
	for _, folder := range []string{"", "d"} {
		repository, h := r.history(folder)
		lazy, err := h.FilesOf(sha)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := repository.Files(context.Background(), sha)
		if err != nil {
			t.Fatal(err)
		}
		defer whole.Close()
		for range 2 { // the second time of what was kept
			if got, want := walked(t, lazy), walked(t, whole); !slices.Equal(got, want) || len(got) < 4 {
				t.Errorf("folder %q:\ngot  %.300q\nwant %.300q", folder, got, want)
			}
		}
		if err := fstest.TestFS(lazy, strings.TrimPrefix("d/c.txt", folder+"/")); err != nil {
			t.Error(err)
		}
	}
}

// walked lists what a file system holds, with the content of its files.
func walked(t *testing.T, fsys fs.FS) (list []string) {
	t.Helper()
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		content := ""
		if !entry.IsDir() && err == nil {
			var text []byte
			text, err = fs.ReadFile(fsys, name)
			content = string(text)
		}
		list = append(list, fmt.Sprintf("%s %s %d %s", info.Mode(), name, info.Size(), content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestChanged(t *testing.T) {
	r := newRepo(t).write("same/a.txt", "a").write("d/b.txt", "b").write("d/e/c.txt", "c").write("gone/x/y.txt", "y").write("kind", "k")
	first := r.commit("one")
	for _, name := range []string{"gone", "kind"} {
		if err := os.RemoveAll(filepath.Join(r.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	second := r.write("d/b.txt", "B").write("d/new.txt", "n").write("kind/z.txt", "z").commit("two")
	_, h := r.history("")
	before, err := h.FilesOf(first)
	if err != nil {
		t.Fatal(err)
	}
	after, err := h.FilesOf(second)
	if err != nil {
		t.Fatal(err)
	}
	changes, err := Changed(before, after)
	var got []string
	for _, c := range changes {
		got = append(got, fmt.Sprintf("%s %s>%s", c.Path, c.Before.Mode, c.After.Mode))
	}
	want := []string{"d/b.txt 100644>100644", "d/new.txt >100644", "gone 040000>", "gone/x 040000>", "gone/x/y.txt 100644>", "kind 100644>040000", "kind/z.txt >100644"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("Changed = %v\ngot  %q\nwant %q", err, got, want)
	}
	if again, err := Changed(after, before); err != nil || len(again) != len(want) {
		t.Errorf("Changed the other way round = %v, %v", again, err)
	}
	if none, err := Changed(after, after); len(none) > 0 || err != nil {
		t.Errorf("Changed of one commit = %v, %v, want nothing", none, err)
	}
}

// TestHistoryBomb pins that folders which name the same folders over and over are compared within bounds.
func TestHistoryBomb(t *testing.T) {
	r := newRepo(t).write("a/f.txt", "one")
	first := r.commit("one")
	tree := r.git("write-tree")
	for range 8 {
		var listing strings.Builder
		for i := range 10 {
			fmt.Fprintf(&listing, "040000 tree %s\td%d\n", tree, i)
		}
		tree = r.gitIn(r.dir, listing.String(), "mktree")
	}
	bomb := r.git("commit-tree", "-p", first, "-m", "bomb", tree)
	_, h := r.history("")
	before, _ := h.FilesOf(first)
	after, err := h.FilesOf(bomb)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Changed(before, after); !errors.Is(err, ErrManyChanges) {
		t.Errorf("Changed = %v, want %v", err, ErrManyChanges)
	}
}
