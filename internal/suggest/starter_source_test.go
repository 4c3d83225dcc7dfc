package suggest

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestStarterSource holds that the suite names the code that describes a server's tools, where the workspace has it.
func TestStarterSource(t *testing.T) {
	const list = `{"tools": [
	  {"name": "list_notes", "description": "List the notes of a notebook. Returns their titles.", "inputSchema": {"type": "object"}},
	  {"name": "delete_note", "description": "Delete a note of a notebook for good.", "inputSchema": {"type": "object"}},
	  {"name": "print_note", "description": "Print a note on the printer in the hall.", "inputSchema": {"type": "object"}}
	]}`
	const (
		lists   = "server.tool('list_notes', 'List the notes of a notebook. Returns their titles.', run)\n"
		deletes = "server.tool('delete_note', 'Delete a note of a notebook for good.', run)\n"
	)
	for _, test := range []struct {
		name  string
		files map[string]string
		want  string // of the suite; "" for no source
	}{
		{"one file", map[string]string{"server.js": lists + strings.Repeat("\n", 100) + deletes}, "source: [server.js] #"},
		{"a folder", map[string]string{"src/tools/a/lists.js": lists, "src/tools/deletes.js": deletes}, "source: [src/tools] #"},
		{"files of no folder", map[string]string{"lists.js": lists, "lib/deletes.js": deletes}, "source: [lib/deletes.js, lists.js] #"},
		{"less than half", map[string]string{"server.js": lists}, ""},
		{"a name that is a glob", map[string]string{"[a].js": lists + strings.Repeat("\n", 100) + deletes}, ""},
		{"no code", map[string]string{"README.md": lists + deletes}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := fstest.MapFS{}
			for name, text := range test.files {
				files[name] = &fstest.MapFile{Data: []byte(text)}
			}
			starter, err := NewStarter(t.Context(), files, "mcp-gates.yml", started(t, `{"mcpServers": {"a": {"command": "a"}}}`, list), nil)
			if err != nil {
				t.Fatal(err)
			}
			got := string(starter.Files["mcp-gates.yml"])
			if has := strings.Contains(got, "source:"); has != (test.want != "") || !strings.Contains(got, test.want) {
				t.Errorf("got\n%s\nwant %q", got, test.want)
			}
		})
	}
}

func TestSourceOf(t *testing.T) {
	if got := sourceOf([]string{"a/b/c.js", "a/b2/c.js"}); !slices.Equal(got, []string{"a"}) {
		t.Errorf("got %q, want the folder that holds both", got)
	}
}
