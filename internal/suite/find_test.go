package suite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// TestFind pins what arguments stand for.
func TestFind(t *testing.T) {
	fsys := fstest.MapFS{}
	for _, name := range []string{
		"mcp-gates.yml", "mcptest.yaml", "suites/a.yml", "suites/deep/er/b.yaml", "suites/notes.md", "other/c.yml",
		"team/mcp-gates.yaml", "team/suites/d.yml", "team/e.yml", "empty/readme.md", "odd[1]/mcp-gates.yml",
		"services/a/mcp-gates.yml", "services/b/deep/mcp-gates.yml", "services/b/deep/mcptest.yml", "services/b/suites/e.yml",
		"suites/deep/mcp-gates.yml", ".hidden/mcp-gates.yml", "services/.b/mcp-gates.yml", "node_modules/x/mcp-gates.yml",
		"services/vendor/mcp-gates.yml", "services/a/testdata/mcp-gates.yml", "lib/testdata/s/mcp-gates.yml",
	} {
		fsys[name] = &fstest.MapFile{}
	}
	usual := []string{"mcp-gates.yml", "mcptest.yaml", "odd[1]/mcp-gates.yml", "services/a/mcp-gates.yml",
		"services/b/deep/mcp-gates.yml", "suites/a.yml", "suites/deep/er/b.yaml", "suites/deep/mcp-gates.yml", "team/mcp-gates.yaml"}
	tests := []struct {
		name string
		args []string
		want []string
		err  string
	}{
		{"nothing named", nil, usual, ""},
		{"a file of any name", []string{"suites/notes.md"}, []string{"suites/notes.md"}, ""},
		{"a spelling of a path", []string{"./suites/../other//c.yml"}, []string{"other/c.yml"}, ""},
		{"a glob", []string{"other/*.yml"}, []string{"other/c.yml"}, ""},
		{"a deep glob", []string{"**/*.yaml"}, []string{"mcptest.yaml", "suites/deep/er/b.yaml", "team/mcp-gates.yaml"}, ""},
		{"folders of services", []string{"services"}, []string{"services/a/mcp-gates.yml", "services/b/deep/mcp-gates.yml"}, ""},
		{"a folder that is left out, by its name", []string{"lib/testdata", "node_modules/x"}, []string{"lib/testdata/s/mcp-gates.yml", "node_modules/x/mcp-gates.yml"}, ""},
		{"a folder", []string{"team"}, []string{"team/mcp-gates.yaml", "team/suites/d.yml"}, ""},
		{"the workspace", []string{"."}, usual, ""},
		{"a folder with brackets", []string{"odd[1]"}, []string{"odd[1]/mcp-gates.yml"}, ""},
		{"each once", []string{"suites/a.yml", "suites/*", "team/"}, []string{"suites/a.yml", "suites/notes.md", "team/mcp-gates.yaml", "team/suites/d.yml"}, ""},
		{"a missing file", []string{"suites/a.yml", "suites/z.yml"}, []string{"suites/a.yml"}, `no suite matches "suites/z.yml"`},
		{"an empty glob", []string{"none/*.yml"}, nil, `no suite matches "none/*.yml"`},
		{"an empty folder", []string{"empty"}, nil, `no suite found in folder "empty", expected one of mcp-gates.yml, mcp-gates.yaml, mcptest.yml, mcptest.yaml, suites/**/*.{yml,yaml}, **/mcp-gates.{yml,yaml}; to check other files, name them with a glob such as "empty/**/*.yml"; "mcp-gates init" writes a suite`},
		{"a bad glob", []string{"suites/[a"}, nil, `suite "suites/[a": is not a valid glob`},
		{"a glob of many alternatives", []string{strings.Repeat("{a,b}", 30)}, nil, `suite "` + strings.Repeat("{a,b}", 30) + `": is a glob of more than 3 braces, 20 commas or 3 of **`},
		{"outside", []string{"../x.yml", "/etc/passwd"}, nil, `suite "../x.yml": expected a file, glob or folder in the workspace; suite "/etc/passwd": expected a file, glob or folder in the workspace`},
		{"an empty argument", []string{""}, nil, `suite "": expected a file, glob or folder in the workspace`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Find(fsys, tt.args)
			if diff := cmp.Diff(got, tt.want); diff != "" {
				t.Errorf("Find(%q) (-got +want):\n%s", tt.args, diff)
			}
			if message := errText(err); message != tt.err {
				t.Errorf("Find(%q)\n got: %s\nwant: %s", tt.args, message, tt.err)
			}
		})
	}
	if got, err := Find(fstest.MapFS{}, nil); err == nil || got != nil {
		t.Errorf("Find in an empty workspace: got %q, %v, want an error", got, err)
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestFindLinks pins that links within the workspace are followed once, and what leads out of it is refused.
func TestFindLinks(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "workspace")
	for name, content := range map[string]string{"suites/a.yml": "servers: {}\n", "suites/sub/b.yml": "servers: {}\n", "../secret.yml": "a: 1\n"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"suites/loop": ".", "suites/sub/up": "..", "suites/inside.yml": "sub/b.yml", "suites/outside.yml": "../../secret.yml", "suites/broken.yml": "nowhere.yml",
	} {
		if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(link))); err != nil {
			t.Skipf("SKIPPED: no symbolic links here: %v", err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	files, err := Find(root.FS(), nil)
	want := []string{"suites/a.yml", "suites/broken.yml", "suites/inside.yml", "suites/outside.yml", "suites/sub/b.yml"}
	if diff := cmp.Diff(files, want); diff != "" || err != nil {
		t.Errorf("Find (-got +want):\n%s%v", diff, err)
	}
	loader := NewLoader(root.FS())
	for name, want := range map[string]string{
		"suites/inside.yml":  "",
		"suites/outside.yml": "suites/outside.yml: cannot be opened: path escapes from parent",
		"suites/broken.yml":  "suites/broken.yml: no such file",
	} {
		if _, errs := loader.Load(name); errs.Error() != want {
			t.Errorf("Load(%s)\n got: %s\nwant: %s", name, errs, want)
		}
	}
	if _, err := Find(root.FS(), []string{"suites/outside.yml"}); err == nil {
		t.Errorf("Find of a link that leads out: got no error")
	}
}

// TestSlug pins how names become file names.
func TestSlug(t *testing.T) {
	tests := []struct{ name, want string }{
		{"weather selection", "weather-selection"},
		{"  What's the *weather* in São Paulo?! ", "what-s-the-weather-in-são-paulo"},
		{"Cafe\u0301", "café"},
		{"gpt-4.1", "gpt-4-1"},
		{"天気 予報", "天気-予報"},
		{"½ x²", "x"},
		{"...", ""},
		{"", ""},
		{strings.Repeat("a", 100), strings.Repeat("a", 100)},
		{strings.Repeat("a", 101), strings.Repeat("a", 100) + "-9d079339"},
		{strings.Repeat("a", 99) + " b", strings.Repeat("a", 99) + "-fe45b413"},
		{strings.Repeat("é", 60), strings.Repeat("é", 50) + "-f989aaf5"},
	}
	for _, tt := range tests {
		if got := Slug(tt.name); got != tt.want {
			t.Errorf("Slug(%q): got %q, want %q", tt.name, got, tt.want)
		}
	}
}
