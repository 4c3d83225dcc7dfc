package catalog

import (
	"io/fs"
	"os"
	"path"
	"testing"

	"github.com/org/mcp-gates/internal/source"
)

// published returns the catalogs in the folder of published data by path.
func published(t testing.TB) map[string][]byte {
	t.Helper()
	dir := os.Getenv("MCP_GATES_DATA")
	if dir == "" {
		t.Skip("MCP_GATES_DATA does not name the folder of published catalogs: none was read")
	}
	folder, files := os.DirFS(dir), map[string][]byte{}
	err := fs.WalkDir(folder, "catalogs", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".json" {
			files[name], err = source.ReadFile(folder, name, source.MaxCatalog)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestPublished(t *testing.T) {
	for name, data := range published(t) {
		c, mistakes := Read(name, data)
		if err := mistakes.Err(); err != nil {
			t.Error(err)
			continue
		}
		if len(c.Tools) == 0 {
			t.Errorf("%s: no tools", name)
		}
		checkTools(t, string(data), c)
	}
}

func BenchmarkRead(b *testing.B) {
	files, size, tools := published(b), 0, 0
	for _, data := range files {
		size += len(data)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		tools = 0
		for name, data := range files {
			c, _ := Read(name, data)
			tools += len(c.Tools)
		}
	}
	b.ReportMetric(float64(tools), "tools")
}

func BenchmarkSHA256(b *testing.B) {
	c, _ := Read("c.json", published(b)["catalogs/github-mcp-server.json"])
	for b.Loop() {
		c.SHA256()
	}
}

func BenchmarkArgumentPos(b *testing.B) {
	c := read(b, `[{"name": "a", "inputSchema": {"type": "object", "properties": {"one": {"type": "string", "description": "a text of usual length, as arguments have them"}, "two": {"type": "integer"}}}}]`)
	for b.Loop() {
		c.Tools[0].ArgumentPos("two")
	}
}
