package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/org/mcp-gates/internal/yamlread"
	"golang.org/x/tools/txtar"
)

// loader loads catalogs from the files of an archive.
func loader(archive *txtar.Archive) Load {
	read := func(path yamlread.Str) (*catalog.Catalog, source.Errors) {
		data := content(archive, path.Value)
		if data == nil {
			return nil, source.Errors{{Pos: path.Pos, Msg: fmt.Sprintf("%q: no such file", path.Value)}}
		}
		return catalog.Read(path.Value, data)
	}
	open := func(v yamlread.Value) (string, []byte, bool) {
		data := content(archive, v.Text())
		if data == nil {
			v.Errorf("%q: no such file", v.Text())
		}
		return v.Text(), data, data != nil
	}
	return Load{read, open}
}

// TestMistakes reads the specs in testdata/mistakes.txtar. Each is followed by a file of the mistakes wanted.
func TestMistakes(t *testing.T) {
	file := filepath.Join("testdata", "mistakes.txtar")
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		if !strings.HasSuffix(f.Name, ".yml") {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			_, errs := Read(f.Name, f.Data, loader(archive))
			compare(t, archive, map[string][]byte{f.Name + ".want": []byte(errs.Error() + "\n")})
		})
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestInlineCatalog compares a catalog in YAML with the same one in JSON.
func TestInlineCatalog(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "inline.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	want, errs := catalog.Read("catalog.json", content(archive, "catalog.json"))
	if errs != nil {
		t.Fatal(errs)
	}
	for _, name := range []string{"object.yml", "list.yml"} {
		spec, errs := Read(name, content(archive, name), Load{})
		if errs != nil {
			t.Fatal(errs)
		}
		got := spec.Catalog
		var at []string
		for i, tool := range got.Tools {
			if got, want := parts(tool), parts(want.Tools[i]); !slices.Equal(got, want) {
				t.Errorf("%s: tool %d:\n got %q\nwant %q", name, i, got, want)
			}
			at = append(at, tool.Pos.String(), tool.DescriptionPos.String())
		}
		wantAt := strings.Fields(string(content(archive, name+".positions")))
		if !slices.Equal(at, wantAt) {
			t.Errorf("%s: positions of names and descriptions:\n got %q\nwant %q", name, at, wantAt)
		}
	}
}

// parts returns what a tool holds, without the white space in its JSON.
func parts(t *catalog.Tool) []string {
	return []string{
		t.Server, t.Name, t.Description, compact(t.InputSchema), compact(t.OutputSchema), compact(t.Annotations), compact(t.Raw),
	}
}

// TestAliases pins that a small file cannot make a large catalog or endless queries.
func TestAliases(t *testing.T) {
	thorough.Unraced(t, "it takes seconds, on one goroutine")
	long := strings.Repeat("word ", 200_000)
	tests := []struct{ what, spec, want string }{
		{"tools", "catalog:\n- name: a\n  description: &d " + long + "\n" + strings.Repeat("- {name: b, description: *d}\n", 100) +
			"intents: [{query: a, gold: a}]", "catalogs of more than 33554432 bytes end here"},
		{"queries", "catalog: [{name: a}]\nintents:\n- {query: &q " + long + ", gold: a}\n" +
			strings.Repeat("- {query: *q, gold: a}\n", 100), "queries are more than 4194304 bytes long together"},
	}
	for _, test := range tests {
		_, errs := Read("spec.yml", []byte(test.spec), Load{})
		if len(errs) != 1 || !strings.Contains(errs[0].Msg, test.want) {
			t.Errorf("mistakes in repeated %s: got %.300v, want one: %s", test.what, errs, test.want)
		}
	}
}

func TestReadBlock(t *testing.T) {
	a, b := tool("one", "search", ""), tool("two", "search", "")
	cat := &catalog.Catalog{Tools: []*catalog.Tool{a, b, tool("two", "x.y", "")}}
	const src = `
intents:
- {query: q, gold: search}
- {query: q, gold: [two.search]}
mutations:
- {tool: one.search, kind: blank}
- {tool: x.y, kind: truncate, chars: 0}
min_accuracy: 0.75
min_wilson_lower: 0.5`
	var errs source.Errors
	spec := ReadBlock(yamlread.Parse("suite.yml", []byte(src), &errs), cat)
	if errs != nil {
		t.Fatal(errs)
	}
	got := fmt.Sprintf("%d %t %t %d %s %s", len(spec.Intents[0].Gold), spec.Intents[1].Gold[0] == b, spec.Mutations[0].Tool == a,
		len(spec.Mutations), spec.MinAccuracy.RatString(), spec.MinWilsonLower.RatString())
	if want := "2 true true 2 3/4 1/2"; got != want {
		t.Errorf("spec read: got %s, want %s", got, want)
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"mistakes.txtar", "inline.txtar"} {
		archive, err := txtar.ParseFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.HasSuffix(file.Name, ".yml") {
				f.Add(file.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		spec, errs := Read("spec.yml", data, loader(&txtar.Archive{}))
		for _, e := range errs {
			if e.Pos.File != "spec.yml" || e.Pos.Line < 1 {
				t.Errorf("mistake without a place in the file: %v", e)
			}
		}
		if errs != nil {
			return
		}
		r := Run(spec, byteCounter{})
		if r.Correct < 0 || r.Correct > r.Intents || r.WilsonLow > r.WilsonHigh || r.WilsonHigh > 10000 {
			t.Errorf("figures out of range: %+v", r)
		}
	})
}

// TestOn holds a benchmark to another catalog than it was read with.
func TestOn(t *testing.T) {
	const src = `
intents: [{query: find, gold: [search, one.search]}]
mutations: [{tool: search, kind: blank}]`
	var errs source.Errors
	spec := ReadBlock(yamlread.Parse("suite.yml", []byte(src), &errs), nil)
	if errs != nil {
		t.Fatal(errs)
	}
	long := tool("one", "search", strings.Repeat("x", maxMutated+1))
	tests := []struct {
		what  string
		tools []*catalog.Tool
		want  string
	}{
		{"all there", []*catalog.Tool{tool("one", "search", "finds")}, ""},
		{"gold is gone", []*catalog.Tool{tool("one", "serach", "finds")}, `gold tool "search" is not in the catalog, did you mean "serach"?`},
		{"no tools", nil, `gold tool "search" is not in the catalog`},
		{"two of the name", []*catalog.Tool{tool("one", "search", ""), tool("two", "search", "")}, `tool "search" is on several servers, expected "one.search" or "two.search"`},
		{"too much", []*catalog.Tool{long, tool("one", "y", "")}, "the descriptions and schemas that mutations are about have 134217"},
	}
	for _, test := range tests {
		got, err := spec.On(&catalog.Catalog{Tools: test.tools})
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.what, err, test.want)
		}
		if err == nil && (len(got.Intents[0].Gold) != 2 || got.Mutations[0].Tool != test.tools[0]) {
			t.Errorf("%s: got %+v", test.what, got)
		}
	}
	if spec.Catalog != nil || spec.Intents[0].Gold != nil || spec.Mutations[0].Tool != nil {
		t.Error("the benchmark itself was changed")
	}
}
