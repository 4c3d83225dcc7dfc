package baseline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/git"
)

func TestFilesAreAFileSystem(t *testing.T) {
	r := newRepo(t).write("suites/a.yml", "name: a\n", "suites/über straße.yml", "x", "empty", "", "sub/deep/f", "f",
		"sub/tab\tnewline\nname", "odd")
	r.link("a.yml", "suites/link")
	r.link("sub/deep", "folder")
	if err := os.Chmod(filepath.Join(r.dir, "suites/a.yml"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.git("add", "-A")
	r.git("update-index", "--add", "--cacheinfo", "160000,"+sha("7")+",module")
	r.git("commit", "-q", "-m", "one")
	first := r.git("rev-parse", "HEAD")
	r.write("suites/a.yml", "changed", "later", "x").commit("two")
	files := r.files(".", first)
	err := fstest.TestFS(files, "suites/a.yml", "suites/über straße.yml", "empty", "sub/deep/f", "suites/link", "folder", "sub/tab\tnewline\nname")
	if err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{"suites/link": "name: a\n", "folder/f": "f", "empty": "", "sub/tab\tnewline\nname": "odd"} {
		if got := readString(t, files, name); got != want {
			t.Errorf("content of %q: got %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"module/x", "later", ".git", ".git/config"} {
		if _, err := files.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Stat(%q): got %v, want %v", name, err, fs.ErrNotExist)
		}
	}
}

func TestWorkspaceBelowTheTop(t *testing.T) {
	r := newRepo(t).write("sub/space [a]*/suites/a.yml", "a", "sub/other/b.yml", "b", "sub/space [a]*.txt", "c")
	r.link("../../other/b.yml", "sub/space [a]*/suites/out.yml")
	first := r.commit("one")
	files := r.files("sub/space [a]*", first)
	if got := readString(t, files, "suites/a.yml"); got != "a" {
		t.Errorf("content of suites/a.yml: got %q, want %q", got, "a")
	}
	if list, err := fs.ReadDir(files, "."); err != nil || len(list) != 1 || list[0].Name() != "suites" {
		t.Errorf("ReadDir: got %v, %v, want suites alone", list, err)
	}
	if _, err := files.Open("suites/out.yml"); !errors.Is(err, errEscapes) {
		t.Errorf("Open of a link out of the workspace: got %v, want %v", err, errEscapes)
	}
	if err := os.MkdirAll(filepath.Join(r.dir, "new"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(r.files("new", first)); err != nil {
		t.Errorf("a folder that the commit does not have: %v", err)
	}
}

func TestWorkspaceNamedLikeAnExpression(t *testing.T) {
	for _, folder := range []string{":(exclude)a", ":!a", "-r", "a*"} {
		r := newRepo(t).write(folder+"/f", "f", "a/other", "x", "r/other", "x")
		files := r.files(folder, r.commit("one"))
		if err := fstest.TestFS(files, "f"); err != nil || len(files.root.children) != 1 {
			t.Errorf("files of folder %q: %v, %d entries, want one", folder, err, len(files.root.children))
		}
	}
}

// maxBuffered is the size, in bytes, up to which a file is held in memory while it is read.
const maxBuffered = 4 << 20

func TestLargeFilesInParallel(t *testing.T) {
	large := bytes.Repeat([]byte("0123456789abcdef"), (maxBuffered+5<<20)/16)
	r := newRepo(t).write("large", string(large), "exact", string(large[:maxBuffered]), "small", "s")
	for i := range 50 {
		r.write(fmt.Sprintf("f%d", i), strings.Repeat(fmt.Sprint(i), 1000))
	}
	files := r.files(".", r.commit("one"))
	var wg sync.WaitGroup
	read := func(name, want string) {
		wg.Go(func() {
			data, err := fs.ReadFile(files, name)
			if err != nil || string(data) != want {
				t.Errorf("ReadFile(%q): got %d bytes, %v, want %d", name, len(data), err, len(want))
			}
		})
	}
	for range 2 {
		read("large", string(large))
		read("exact", string(large[:maxBuffered]))
		for i := range 50 {
			read(fmt.Sprintf("f%d", i), strings.Repeat(fmt.Sprint(i), 1000))
		}
	}
	wg.Wait()
	half, err := files.Open("large")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(io.Discard, half, maxBuffered); err != nil {
		t.Error(err)
	}
	if err := errors.Join(half.Close(), half.Close()); err != nil {
		t.Errorf("Close halfway: %v", err)
	}
	if err := files.Err(); err != nil {
		t.Errorf("Err: got %v, want nil", err)
	}
}

func TestFilesAfterClose(t *testing.T) {
	r := newRepo(t).write("a", "a")
	files := r.files(".", r.commit("one"))
	readString(t, files, "a")
	if err := errors.Join(files.Close(), files.Close()); err != nil {
		t.Errorf("Close: %v", err)
	}
	unused := r.files(".", r.git("rev-parse", "HEAD"))
	unused.Close()
	for _, closed := range []*Files{files, unused} {
		if _, err := closed.Open("a"); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("Open after Close: got %v, want %v", err, fs.ErrClosed)
		}
	}
}

func TestFilesEndWithTheirContext(t *testing.T) {
	r := newRepo(t).write("a", "a", "large", strings.Repeat("x", maxBuffered+1))
	sha := r.commit("one")
	ctx, cancel := context.WithCancel(context.Background())
	files, err := r.open(".").Files(ctx, sha)
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	readString(t, files, "a")
	cancel()
	for _, name := range []string{"a", "large"} {
		if _, err := fs.ReadFile(files, name); !errors.Is(err, context.Canceled) {
			t.Errorf("ReadFile(%q): got %v, want %v", name, err, context.Canceled)
		}
	}
}

func TestCommitThatIsNotThere(t *testing.T) {
	r := newRepo(t)
	r.commit("one")
	for _, wanted := range []string{sha("9"), "HEAD", "--all", "", sha("9") + "\n"} {
		var because *Unreadable
		files, err := r.open(".").Files(context.Background(), wanted)
		if !errors.As(err, &because) {
			t.Errorf("Files(%q) = %v, %v, want an *Unreadable", wanted, files, err)
		}
	}
}

// In a partial clone only what the head needs was fetched, and nothing more must be.
func TestPartialClone(t *testing.T) {
	r := newRepo(t).write("changed", "old", "sub/f", "old")
	first := r.commit("one")
	r.write("changed", "new", "sub/f", "new").commit("two")
	for _, filter := range []string{"blob:none", "tree:0"} {
		t.Run(filter, func(t *testing.T) {
			c := r.clone("--filter=" + filter)
			objects := c.git("count-objects", "-v")
			_, err := readFrom(c, first, "changed")
			var because *Unreadable
			if !errors.As(err, &because) {
				t.Errorf("read: got %v, want an *Unreadable", err)
			}
			if now := c.git("count-objects", "-v"); now != objects {
				t.Errorf("objects before:\n%s\nand after:\n%s", objects, now)
			}
		})
	}
}

func readFrom(r *testRepo, sha, name string) ([]byte, error) {
	r.t.Helper()
	files, err := r.open(".").Files(context.Background(), sha)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	return fs.ReadFile(files, name)
}

func TestDamagedObjects(t *testing.T) {
	r := newRepo(t).write("gone", "gone", "damaged", "damaged", "damaged large", strings.Repeat("d", maxBuffered+1), "fine", "fine")
	sha := r.commit("one")
	object := func(name string) string {
		hash := r.git("rev-parse", sha+":"+name)
		return filepath.Join(r.dir, ".git/objects", hash[:2], hash[2:])
	}
	damage := func(name string) {
		file := object(name)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		os.Remove(file) // it is read-only
		copy(data[len(data)/2:], "not what zlib wrote here")
		if err := os.WriteFile(file, data[:len(data)-4], 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files := r.files(".", sha) // listed before the damage
	damage("damaged")
	damage("damaged large")
	if err := os.Remove(object("gone")); err != nil {
		t.Fatal(err)
	}
	if got := readString(t, files, "fine"); got != "fine" {
		t.Errorf("content of fine: got %q", got)
	}
	for _, name := range []string{"gone", "damaged large", "fine", "damaged"} {
		var because *Unreadable
		if data, err := fs.ReadFile(files, name); errors.As(err, &because) != (name != "fine") {
			t.Errorf("ReadFile(%q): got %d bytes, %v, want an *Unreadable for all but fine", name, len(data), err)
		}
	}
}

// Objects can be missing without the repository saying so.
func TestObjectMissingFromTheStart(t *testing.T) {
	r := newRepo(t).write("gone", "gone", "fine", "fine")
	first := r.commit("one")
	hash := r.git("rev-parse", first+":gone")
	if err := os.Remove(filepath.Join(r.dir, ".git/objects", hash[:2], hash[2:])); err != nil {
		t.Fatal(err)
	}
	files := r.files(".", first)
	if _, err := fs.ReadFile(files, "gone"); !errors.Is(err, git.ErrAbsent) || !errors.Is(files.Err(), git.ErrAbsent) {
		t.Errorf("ReadFile(gone): got %v, Err %v, want %v", err, files.Err(), git.ErrAbsent)
	}
	if got := readString(t, files, "fine"); got != "fine" {
		t.Errorf("content of fine: got %q", got)
	}
}
