package catalog

import (
	"fmt"
	"github.com/org/mcp-gates/internal/thorough"
	"strings"
	"testing"
	"testing/fstest"
)

// TestManifest pins what is known of the tools of a manifest, in the shapes that people write: names and descriptions, and nothing that a
// tool of a server has beside them. A tool with an input schema after all is known.
func TestManifest(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // the tools, each with "?" where its schema is not known
		manifest   Manifest
	}{
		{"mcpb 0.3", `{"manifest_version": "0.3", "name": "x", "tools": [{"name": "a", "description": "A."}, {"name": "b"}],
			"prompts": [{"name": "p", "description": "P", "arguments": ["t"], "text": "T"}]}`,
			`a? {"name":"a","description":"A."}, b? {"name":"b"}`, Manifest{"manifest_version", "0.3", false}},
		{"dxt, after the tools", `{"tools": [{"name": "a"}], "tools_generated": true, "dxt_version": "0.1"}`, `a? {"name":"a"}`, Manifest{"dxt_version", "0.1", true}},
		{"not generated", `{"manifest_version": "0.2", "tools_generated": false, "tools": [{"name": "a"}]}`, `a? {"name":"a"}`, Manifest{"manifest_version", "0.2", false}},
		{"a version that is no text", `{"manifest_version": 0.2, "tools_generated": "yes", "tools": [{"name": "a"}]}`, `a? {"name":"a"}`, Manifest{Key: "manifest_version"}},
		{"fields beside the schema", `{"manifest_version": "0.4", "tools": [
			{"name": "a", "title": "T", "annotations": {}, "outputSchema": {}, "_meta": {"ui": {"visibility": []}}, "inputSchema": null}]}`,
			`a? {"name":"a"}`, Manifest{"manifest_version", "0.4", false}},
		{"a schema after all", `{"manifest_version": "0.4", "tools": [{"name": "a", "inputSchema": {}}, {"name": "b", "parameters": {}}, {"name": "c"}]}`,
			`a {"name": "a", "inputSchema": {}}, b {"name":"b","inputSchema":{}}, c? {"name":"c"}`, Manifest{"manifest_version", "0.4", false}},
		{"one name twice", `{"manifest_version": "0.4", "tools": [{"name": "a"}, {"name": "a"}]}`, `a? {"name":"a"}, a? {"name":"a"}`, Manifest{"manifest_version", "0.4", false}},
		{"below a server", `{"servers": {"s": {"manifest_version": "0.3", "tools": [{"name": "a"}]}, "t": {"tools": [{"name": "b"}]}}}`,
			`s.a? {"name":"a"}, t.b {"name": "b"}`, Manifest{"manifest_version", "0.3", false}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cat, errs := Read("manifest.json", []byte(test.text))
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			var got []string
			for _, tool := range cat.All() {
				mark := ""
				if tool.SchemaUnknown {
					mark = "?"
				}
				got = append(got, tool.Ref().ID()+mark+" "+string(tool.Raw))
			}
			if list := strings.Join(got, ", "); list != test.want {
				t.Errorf("got  %s\nwant %s", list, test.want)
			}
			if cat.Manifest == nil || *cat.Manifest != test.manifest {
				t.Errorf("got %+v, want %+v", cat.Manifest, test.manifest)
			}
		})
	}
}

// TestManyToolsOfManifest pins that a manifest made to be huge is read in one go.
func TestManyToolsOfManifest(t *testing.T) {
	thorough.Unraced(t, "it takes five seconds, on one goroutine")
	const most = 100_000
	var b strings.Builder
	b.WriteString(`{"tools": [`)
	for i := range most {
		fmt.Fprintf(&b, `{"name": "t%d", "description": "D"},`, i)
	}
	b.WriteString(`{"name": "last"}], "manifest_version": "0.3"}`)
	cat, errs := Read("manifest.json", []byte(b.String()))
	if len(errs) > 0 || len(cat.Tools) != most+1 || cat.SchemasUnknown() != most+1 {
		t.Fatalf("got %v", errs)
	}
}

// TestManifestsInFolder pins that a folder with a manifest says so, and that its own tools keep their schemas.
func TestManifestsInFolder(t *testing.T) {
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	cat, err := Files{FS: fstest.MapFS{
		"c/a.json":        text(`{"name": "a", "inputSchema": {}}`),
		"c/manifest.json": text(`{"manifest_version": "0.3", "tools_generated": true, "tools": [{"name": "a"}, {"name": "b"}]}`),
	}, Name: "c"}.Read()
	if err != nil {
		t.Fatal(err)
	}
	if n, v := cat.SchemasUnknown(), cat.SaysVariants(); n != 1 || !cat.Unlisted() || !strings.Contains(v, `"a" in c/manifest.json`) {
		t.Errorf("got %d of %d unknown, %s", n, len(cat.Tools), v)
	}
	if named := cat.Named("s").Without(nil); Merge(nil, named).Manifest == nil {
		t.Error("a copy forgets the manifest")
	}
}
