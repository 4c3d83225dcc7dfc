package locate

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
)

// TestLinks does not follow links, which may lead round in circles, and opens no named pipe, which would never end.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "src/server.go"), []byte(noteCode), 0o644); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"src/loop": "..", "again": "src", "src/copy.go": "server.go", "src/gone.go": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "src/pipe.go"), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	note := tool("save_note", noteText)
	for _, globs := range [][]string{nil, {"**"}, {"src/*"}} {
		places, err := Find(root.FS(), []*catalog.Tool{note}, globs)
		if got := places[note].String(); err != nil || got != "src/server.go:1" {
			t.Errorf("place with globs %q is %q, %v, want src/server.go:1", globs, got, err)
		}
	}
}
