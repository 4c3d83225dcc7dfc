package mock

import (
	"encoding/json"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
)

// TestPublishedCatalogs serves every published catalog in the folder that MCP_GATES_DATA names: what comes back has the
// hash, the order and every field of what was read.
func TestPublishedCatalogs(t *testing.T) {
	dir := os.Getenv("MCP_GATES_DATA")
	if dir == "" {
		t.Skip("MCP_GATES_DATA is not set: published catalogs are not served")
	}
	served := 0
	err := fs.WalkDir(os.DirFS(dir), "catalogs", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".json") {
			return err
		}
		data, err := os.ReadFile(dir + "/" + name)
		if err != nil {
			return err
		}
		// A folder can hold other files than catalogs.
		if cat, mistakes := catalog.Read(name, data); len(mistakes) == 0 {
			served++
			checkServed(t, cat)
		}
		return nil
	})
	if err != nil || served < 10 {
		t.Errorf("served %d catalogs, want at least 10: %v", served, err)
	}
}

func checkServed(t *testing.T, cat *catalog.Catalog) {
	t.Helper()
	frames := handshake + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n"
	back, mistakes := catalog.Read("back", []byte(exchange(t, New(FromCatalog(cat), Options{}), frames)[2]))
	if len(mistakes) > 0 { // and no catalog
		t.Fatalf("%s: what came back cannot be read: %v", cat.File, mistakes)
	}
	if len(back.Tools) != len(cat.Tools) {
		t.Fatalf("%s: %d tools came back, want %d", cat.File, len(back.Tools), len(cat.Tools))
	}
	for i, tool := range cat.Tools {
		var want, got strings.Builder
		compact(t, &want, tool.Raw)
		compact(t, &got, back.Tools[i].Raw)
		if got.String() != want.String() {
			t.Errorf("%s: tool %q came back as\n%s", cat.File, tool.Name, got.String())
		}
	}
}

// compact writes text without the white space between its tokens.
func compact(t *testing.T, to *strings.Builder, text []byte) {
	t.Helper()
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(json.RawMessage(text)); err != nil {
		t.Fatal(err)
	}
}
