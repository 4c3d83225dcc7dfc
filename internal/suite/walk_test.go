package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/thorough"
)

// tree makes files in a new folder, which it returns.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestNested pins where the search below a folder does not go: through links, into repositories in the repository, and to what
// is no file.
func TestNested(t *testing.T) {
	dir := tree(t, "a/mcp-gates.yml", "b/suite.yml", "submodule/.git", "submodule/mcp-gates.yml", "clone/.git/HEAD", "clone/x/mcp-gates.yml", ".git/mcp-gates.yml")
	for link, target := range map[string]string{"a/up": "..", "a/self": "self", "linked": "a", "b/mcp-gates.yml": "suite.yml"} {
		if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(link))); err != nil {
			t.Skipf("SKIPPED: no symbolic links here: %v", err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "c/mcp-gates.yml"), 0o755); err != nil {
		t.Fatal(err)
	}
	for top, want := range map[string][]string{
		".": {"a/mcp-gates.yml"}, "linked": {"linked/mcp-gates.yml"}, "submodule": {"submodule/mcp-gates.yml"}, "clone": {"clone/x/mcp-gates.yml"},
	} {
		got, err := findNested(os.DirFS(dir), top, bounds{100, 100, 10})
		if diff := cmp.Diff(got, want); diff != "" || err != nil {
			t.Errorf("in %q: %v (-got +want):\n%s", top, err, diff)
		}
	}
}

// TestNestedBounds pins that a search never ends with fewer suites than there are: what it does not look at is a mistake.
func TestNestedBounds(t *testing.T) {
	fsys := fstest.MapFS{"mcp-gates.yml": {}, "a/b/c/mcp-gates.yml": {}, "d/e": {}} // 5 folders, 7 entries
	for _, test := range []struct {
		most bounds
		err  string
	}{
		{bounds{5, 7, 3}, ""},
		{bounds{4, 7, 3}, "there are more than 4 folders"},
		{bounds{5, 6, 3}, "there are more than 6 files and folders"},
		{bounds{5, 7, 2}, `"a/b/c" is more than 2 folders deep`},
	} {
		found, err := findNested(fsys, ".", test.most)
		want := "not all folders could be searched for suites, so name those to check: " + test.err
		switch {
		case test.err == "" && (err != nil || len(found) != 2):
			t.Errorf("%+v: got %q, %v, want both suites", test.most, found, err)
		case test.err != "" && (errText(err) != want || !errors.Is(err, ErrUnsearched) || found != nil):
			t.Errorf("%+v: got %q, %v, want nothing and %s", test.most, found, err, want)
		}
	}
	_, err := findNested(fstest.MapFS{strings.Repeat("long/", 500) + "x": {}}, ".", bounds{1000, 1000, 64})
	if err == nil || len(err.Error()) > 300 {
		t.Errorf("a long path: got %v, want a short error", err)
	}
}

// closed are files with a folder that cannot be read.
type closed struct{ fstest.MapFS }

func (c closed) Open(name string) (fs.File, error) {
	if name == "closed" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return c.MapFS.Open(name)
}

// TestNestedUnreadable pins that a folder that cannot be read is a mistake.
func TestNestedUnreadable(t *testing.T) {
	got, err := findNested(closed{fstest.MapFS{"mcp-gates.yml": {}, "closed/mcp-gates.yml": {}}}, ".", bounds{100, 100, 10})
	want := `not all folders could be searched for suites, so name those to check: folder "closed": permission denied`
	if errText(err) != want || !errors.Is(err, ErrUnsearched) || got != nil {
		t.Errorf("got %q, %v, want nothing and %s", got, err, want)
	}
}

// TestNestedMany searches a folder of 100,000 files with links, which would have no end if links were followed.
func TestNestedMany(t *testing.T) {
	if !thorough.Asked() {
		t.Skip("SKIPPED: makes 100,000 files; MCP_GATES_THOROUGH=1 asks for it")
	}
	dir := tree(t, "services/a/mcp-gates.yml")
	for i := range 100 {
		if err := os.MkdirAll(filepath.Join(dir, "f", fmt.Sprint(i)), 0o755); err != nil {
			t.Fatal(err)
		}
		make := exec.Command("sh", "-c", "seq 1000 | xargs touch")
		make.Dir = filepath.Join(dir, "f", fmt.Sprint(i))
		if out, err := make.CombinedOutput(); err != nil {
			t.Skipf("SKIPPED: %v: %s", err, out)
		}
		if err := os.Symlink("../..", filepath.Join(make.Dir, "up")); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	found, err := Find(root.FS(), nil)
	if diff := cmp.Diff(found, []string{"services/a/mcp-gates.yml"}); diff != "" || err != nil {
		t.Errorf("%v (-got +want):\n%s", err, diff)
	}
}
