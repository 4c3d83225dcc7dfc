package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/org/mcp-gates/internal/source"
)

func TestWorkspaceOpen(t *testing.T) {
	top := t.TempDir()
	for _, file := range []string{"outside.json", "w/top.json", "w/a/b/deep.json", "w/c/real.json"} {
		writeNew(t, filepath.Join(top, file))
	}
	links := map[string]string{
		"w/a/to_file.json": "../c/real.json", "w/a/to_folder": "../c", "w/a/out.json": "../../outside.json", "w/a/out": "../..",
	}
	for link, target := range links {
		if err := os.Symlink(target, filepath.Join(top, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(top, "w/a/pipe.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	workspace, err := openWorkspace(filepath.Join(top, "w"))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, want string }{
		{"top.json", "w/top.json"},
		{"a/b/deep.json", "w/a/b/deep.json"},
		{"a/to_file.json", "w/c/real.json"},
		{"a/to_folder/real.json", "w/c/real.json"},
		{"a/out.json", "path escapes from parent"},
		{"a/out/outside.json", "path escapes from parent"},
		{"a/gone.json", "no such file"},
		{"gone/x.json", "no such file"},
		{"a/pipe.json", "is not a regular file"},
		{"a/b", "is not a regular file"},
		{"../outside.json", "invalid argument"},
		{"a//b/deep.json", "invalid argument"},
		{"", "invalid argument"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := content(workspace, tt.name); !strings.Contains(got, tt.want) {
				t.Errorf("open %q: got %s, want %s", tt.name, got, tt.want)
			}
		})
	}
}

// writeNew writes a file that holds its own path.
func writeNew(t *testing.T, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(name), 0o600); err != nil {
		t.Fatal(err)
	}
}

// content returns what a file holds, or why it cannot be read.
func content(fsys fs.FS, name string) string {
	data, err := source.ReadFile(fsys, name, 1000)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
