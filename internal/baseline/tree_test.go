package baseline

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// treeOf makes a tree of lines "MODE PATH CONTENT"; without a mode they are files.
func treeOf(lines ...string) *Tree {
	var entries []Entry
	for _, line := range lines {
		mode, rest, _ := strings.Cut(line, " ")
		name, content, _ := strings.Cut(rest, " ")
		entries = append(entries, Entry{Path: name, Mode: mode, Size: int64(len(content)), SHA: content})
	}
	return NewTree(entries, func(e Entry) (io.ReadCloser, error) {
		if e.SHA == "BROKEN" {
			return nil, errors.New("the line is down")
		}
		return io.NopCloser(strings.NewReader(e.SHA)), nil
	})
}

func TestTreeIsAFileSystem(t *testing.T) {
	tree := treeOf(
		"100644 suites/a.yml name: a",
		"100755 suites/run #!",
		"100664 suites/old old mode",
		"040000 suites",
		"100644 deep/er/est/file x",
		"100644 empty ",
		"120000 suites/link a.yml",
		"120000 folder deep/er",
		"160000 submodule",
		"100644 long "+strings.Repeat("y", 5000),
	)
	want := []string{"suites/a.yml", "suites/run", "suites/old", "deep/er/est/file", "empty", "suites/link", "folder", "long"}
	if err := fstest.TestFS(tree, want...); err != nil {
		t.Error(err)
	}
	if held, err := fs.ReadDir(tree, "submodule"); len(held) > 0 || err != nil {
		t.Errorf("ReadDir(submodule): got %v, error %v, want nothing", held, err)
	}
	if err := fstest.TestFS(treeOf()); err != nil {
		t.Errorf("empty tree: %v", err)
	}
	if err := tree.Err(); err != nil {
		t.Errorf("Err: got %v, want nil", err)
	}
}

func TestTreeModes(t *testing.T) {
	tree := treeOf("100644 d/f x", "100755 x x", "120000 l d/f")
	for name, want := range map[string]string{"d/f": "-rw-r--r--", "x": "-rwxr-xr-x", "d": "drwxr-xr-x", "l": "Lrwxrwxrwx"} {
		if about, err := tree.Lstat(name); err != nil || about.Mode().String() != want {
			t.Errorf("Lstat(%q): got %v, %v, want mode %s", name, about.Mode(), err, want)
		}
	}
	about, err := tree.Stat("l")
	if err != nil || about.Mode() != 0o644 || about.Size() != 1 || about.Name() != "l" {
		t.Errorf("Stat of a link to a file: got %v, %v", about, err)
	}
	if target, err := tree.ReadLink("l"); err != nil || target != "d/f" {
		t.Errorf("ReadLink(l) = %q, %v", target, err)
	}
	for _, name := range []string{"d", "d/f", "nothing", "../x"} {
		if target, err := tree.ReadLink(name); err == nil {
			t.Errorf("ReadLink(%q) = %q, want an error", name, target)
		}
	}
}

func TestLinks(t *testing.T) {
	tree := treeOf(
		"100644 top/f content", "100644 other/g other",
		"120000 top/near f", "120000 top/up ../other/g", "120000 top/twice near", "120000 top/dir ../other",
		"120000 top/dots ./../top/./f", "120000 top/slashes ..//other//g", "120000 top/final ../other/",
		"120000 top/thrudir dir/g", "120000 top/over dir/../top/f",
		"120000 top/out ../../top/f", "120000 top/absolute /top/f", "120000 top/gone nothing", "120000 top/empty ",
		"120000 top/self self", "120000 top/ping pong", "120000 top/pong ping",
		"120000 top/grow grow/grow", "120000 top/thrufile f/../f", "120000 top/filedot f/.", "120000 top/fileslash f/",
		"120000 top/long "+strings.Repeat("./", maxPath)+"f",
	)
	const notExist = "file does not exist"
	tests := []struct{ name, want string }{
		{"top/near", "content"}, {"top/up", "other"}, {"top/twice", "content"}, {"top/dots", "content"},
		{"top/slashes", "other"}, {"top/dir/g", "other"}, {"top/final/g", "other"}, {"top/thrudir", "other"},
		{"top/over", "content"}, // ".." is the parent of where the link led
		{"top/out", errEscapes.Error()}, {"top/absolute", errEscapes.Error()},
		{"top/gone", notExist}, {"top/empty", notExist}, {"top/gone/x", notExist},
		{"top/self", errLoop.Error()}, {"top/ping", errLoop.Error()}, {"top/grow", errLoop.Error()},
		{"top/thrufile", notExist}, {"top/filedot", notExist}, {"top/fileslash", notExist}, {"top/f/x", notExist},
		{"top/long", "symbolic link is too long"},
		{"top/../top/f", "invalid argument"}, {"/top/f", "invalid argument"}, {"", "invalid argument"},
	}
	for _, test := range tests {
		data, err := fs.ReadFile(tree, test.name)
		got := string(data)
		if err != nil {
			var where *fs.PathError
			if !errors.As(err, &where) || where.Path != test.name {
				t.Errorf("ReadFile(%q): error %v, want one at that path", test.name, err)
				continue
			}
			got = where.Err.Error()
		}
		if got != test.want {
			t.Errorf("ReadFile(%q): got %q, want %q", test.name, got, test.want)
		}
	}
	if err := tree.Err(); err != nil {
		t.Errorf("Err: got %v, want nil: a bad link is the file's fault", err)
	}
}

func TestEntriesNoWorkspaceCouldHold(t *testing.T) {
	tree := treeOf(
		"100644 a first", "100644 a second", "100644 a/below x", "100644 ../out x", "100644 /abs x", "100644 b//c x",
		"100644 . x", "100644  x", "100644 ./d x", "100644 e/../f x", "100644 bad\xffname x", "999999 strange x", "1 g x",
		"100644 h/i x", "100644 h x", "100644 "+strings.Repeat("n/", maxPath)+"n x",
	)
	var got []string
	err := fs.WalkDir(tree, ".", func(name string, _ fs.DirEntry, err error) error {
		got = append(got, name)
		return err
	})
	if want := []string{".", "a", "h"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("WalkDir: error %v, got %q, want %q", err, got, want)
	}
	if got := readString(t, tree, "a"); got != "first" {
		t.Errorf("content of a: got %q, want that of the first entry", got)
	}
}

func TestContentThatCannotBeFetched(t *testing.T) {
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
	tests := []struct {
		name, line, want string
	}{
		{"file", "100644 f BROKEN", `"f": the line is down`},
		{"link", "120000 f BROKEN", `"f": the line is down`},
		{"LFS pointer", "100644 f " + pointer, `"f": is a Git LFS pointer, its content is not in the repository`},
		{"text about LFS", "100644 f " + pointer + strings.Repeat("x", maxPointer), ""},
		{"text that begins alike", "100644 f version https://git-lfs.github.com/spe", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tree := treeOf(test.line, "100644 ok fine")
			if err := tree.Err(); err != nil {
				t.Fatalf("Err before anything is read: %v", err)
			}
			_, err := fs.ReadFile(tree, "f")
			var because *Unreadable
			if wrong := errors.As(err, &because); wrong != (test.want != "") {
				t.Errorf("ReadFile: got %v, want an *Unreadable: %v", err, test.want != "")
			}
			if test.want != "" && (tree.Err() == nil || tree.Err().Error() != test.want) {
				t.Errorf("Err: got %v, want %s", tree.Err(), test.want)
			}
			if got := readString(t, tree, "ok"); got != "fine" {
				t.Errorf("another file: got %q", got)
			}
		})
	}
}

// The reason does not depend on what was read first.
func TestErrIsTheSameInAnyOrder(t *testing.T) {
	for _, order := range [][]string{{"a", "b"}, {"b", "a"}} {
		tree := treeOf("100644 a BROKEN", "100644 b BROKEN")
		for _, name := range order {
			fs.ReadFile(tree, name)
		}
		if got, want := fmt.Sprint(tree.Err()), `"a": the line is down`; got != want {
			t.Errorf("Err after reading %q: got %s, want %s", order, got, want)
		}
	}
}

func TestContentThatBreaksOff(t *testing.T) {
	content := func(Entry) (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(strings.NewReader(strings.Repeat("x", 5000)), brokenReader{})), nil
	}
	tree := NewTree([]Entry{{Path: "f", Mode: "100644", Size: 9000}}, content)
	data, err := fs.ReadFile(tree, "f")
	var because *Unreadable
	if len(data) != 5000 || !errors.As(err, &because) || tree.Err() == nil {
		t.Errorf("ReadFile: got %d bytes, %v, Err %v, want 5000 and an *Unreadable", len(data), err, tree.Err())
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("connection reset") }

// FuzzTree makes trees of arbitrary entries, one a line: a mode, a path, and a link's target or a file's content.
func FuzzTree(f *testing.F) {
	f.Add("100644 a x\n120000 b a\n040000 c\n100755 c/d y")
	f.Add("120000 a b\n120000 b a/c\n120000 c/d ../../x")
	f.Add("100644 a/b x\n100644 a x\n100644 a/../a y\n160000 s")
	f.Add("120000 a/a/a ../a\n120000 x a/a/a/a/a")
	f.Fuzz(func(t *testing.T, lines string) {
		tree := treeOf(strings.Split(lines, "\n")...)
		err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || !fs.ValidPath(name) {
				t.Errorf("tree of %q: WalkDir at %q: %v", lines, name, err)
			}
			checkEntry(t, tree, name, entry)
			return nil
		})
		if err != nil {
			t.Errorf("tree of %q: WalkDir: %v", lines, err)
		}
	})
}

// checkEntry checks that what a folder lists is what can be opened.
func checkEntry(t *testing.T, tree *Tree, name string, entry fs.DirEntry) {
	t.Helper()
	about, err := tree.Lstat(name)
	if err != nil || about.Mode().Type() != entry.Type() || about.Name() != path.Base(name) {
		t.Errorf("Lstat(%q) = %v, %v, want what the folder lists: %v", name, about, err, entry)
	}
	if !entry.Type().IsRegular() {
		tree.Open(name) // a link can lead anywhere, but must end
		return
	}
	data, err := fs.ReadFile(tree, name)
	if err == nil && int64(len(data)) != about.Size() || err != nil && tree.Err() == nil {
		t.Errorf("ReadFile(%q): got %q, %v, want %d bytes", name, bytes.Clone(data), err, about.Size())
	}
}
