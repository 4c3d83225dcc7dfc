package npm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInit begins a workspace with real servers in .mcp.json, and expects a suite that passes, a case that ran, no secret in any
// file, and a server that changes for the worse to be found.
func TestInit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "testdata/init")
	out, _ := w.run(0, "init", "--yes")
	for _, want := range []string{
		`server "memory" has 9 tools` + "\n", "wrote cassettes/mcp-gates/", "wrote .github/workflows/mcp-gates.yml\n", "PASS: 8 cases passed · ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("init does not print %q:\n%s", want, out)
		}
	}
	w.run(0, "run")
	w.run(0, "snapshot", "--check", "--server", "memory")
	err := filepath.WalkDir(w.dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == ".mcp.json" {
			return err
		}
		if strings.Contains(read(t, name), "hunter2") {
			t.Errorf("%s holds a value of .mcp.json's env", name)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	catalog := w.read("catalogs/memory.json")
	w.write(filepath.Join(w.dir, "catalogs/memory.json"), strings.ReplaceAll(catalog, "Read the entire knowledge graph", "Graph"))
	w.run(1, "run")
}
