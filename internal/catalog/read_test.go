package catalog

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the files that are made from others")

// ignorePlaces leaves out of a comparison where things stand.
var ignorePlaces = cmp.Options{
	cmpopts.IgnoreUnexported(Tool{}),
	cmpopts.IgnoreFields(Tool{}, "Pos", "DescriptionPos", "Raw"),
}

// read reads a catalog without mistakes.
func read(t testing.TB, text string) *Catalog {
	t.Helper()
	c, mistakes := Read("c.json", []byte(text))
	if err := mistakes.Err(); err != nil {
		t.Fatalf("Read(%q): %v", text, err)
	}
	return c
}

func TestShapes(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []*Tool
	}{
		{"object", `{"x": 1, "tools": [{"name": "a"}, {"name": "b"}], "y": {}}`, []*Tool{{Name: "a"}, {Name: "b"}}},
		{"list", `[{"name": "b"}, {"name": "a"}]`, []*Tool{{Name: "b"}, {Name: "a"}}},
		{"response", `{"jsonrpc": "2.0", "id": 1, "result": {"nextCursor": "x", "tools": [{"name": "a"}]}}`, []*Tool{{Name: "a"}}},
		{
			"servers", `{"servers": {"z y.": {"tools": [{"name": "a", "server": "other"}]}, "b": {"tools": []}, "a": {"tools": [{"name": "a"}]}}}`,
			[]*Tool{{Server: "z y.", Name: "a"}, {Server: "a", Name: "a"}},
		},
		{"no tools", `{"tools": []}`, nil},
		{"empty list", ` [] `, nil},
		{"no servers", `{"servers": {}}`, nil},
		{"own server", `[{"server": "s", "name": "a"}, {"name": "a", "server": null}, {"name": "b", "server": {"x": 1}}]`, []*Tool{{Server: "s", Name: "a"}, {Name: "a"}, {Name: "b"}}},
		{"one name twice", `[{"name": "a"}, {"name": "a"}]`, []*Tool{{Name: "a"}, {Name: "a"}}},
		{"empty name", `[{"name": ""}]`, []*Tool{{}}},
		{"byte order mark", "\ufeff[{\"name\": \"a\"}]", []*Tool{{Name: "a"}}},
		{
			"fields", `[{"name": "a", "title": {"name": "b"}, "description": " d\u00e9\n", "inputSchema": {"b": 1.0, "a" : [ ]}, "outputSchema": null, "annotations": {"readOnlyHint": null}}]`,
			[]*Tool{{
				Name: "a", Description: " dé\n", InputSchema: jsontext.Value(`{"b": 1.0, "a" : [ ]}`),
				OutputSchema: jsontext.Value(`null`), Annotations: jsontext.Value(`{"readOnlyHint": null}`),
			}},
		},
		{"null description", `[{"name": "a", "description": null}]`, []*Tool{{Name: "a"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(read(t, test.text).Tools, test.want, ignorePlaces); diff != "" {
				t.Errorf("tools of %s (-got +want):\n%s", test.text, diff)
			}
		})
	}
}

func TestRaw(t *testing.T) {
	tools := []string{
		`{ "z": [ ], "name" : "a}" , "b": "}\"" }`, `{"name":"b"}`, "{\n\"inputSchema\": {\"}\": {}}, \"name\": \"c\"\n}",
	}
	got := read(t, "[ "+strings.Join(tools, " ,\n")+"\n]\n").Tools
	for i, tool := range got {
		if string(tool.Raw) != tools[i] {
			t.Errorf("raw text of tool %d = %s, want %s", i, tool.Raw, tools[i])
		}
	}
	if len(got) != len(tools) {
		t.Errorf("%d tools, want %d", len(got), len(tools))
	}
}

func TestPositions(t *testing.T) {
	c := read(t, `{"tools": [
  {"description": "é", "name": "a", "x": 1},
  {
    "name":
      "b"
  }, {"é": "漢", "name": "c", "description": null}
]}`)
	var got []string
	for _, tool := range c.Tools {
		got = append(got, tool.Name, tool.Pos.String(), tool.DescriptionPos.String())
	}
	want := []string{
		"a", "c.json:2:32", "c.json:2:19",
		"b", "c.json:5:7", "c.json:5:7",
		"c", "c.json:6:25", "c.json:6:45",
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("positions (-got +want):\n%s", diff)
	}
}

// A byte order mark takes no column.
func TestByteOrderMark(t *testing.T) {
	c := read(t, "\ufeff[{\"name\": \"a\"}]")
	if got, want := c.Tools[0].Pos.String(), "c.json:1:11"; got != want {
		t.Errorf("position behind a byte order mark = %s, want %s", got, want)
	}
	_, mistakes := Read("c.json", []byte("\ufeff[{\"name\": 1}]"))
	if got, want := mistakes.Error(), `c.json:1:11: "name" of tool 1 must be text, found 1`; got != want {
		t.Errorf("mistake behind a byte order mark = %q, want %q", got, want)
	}
}

// Positions in a file of one long line, and in one of many, are those that counting from the start gives.
func TestLineIndex(t *testing.T) {
	for _, text := range []string{
		"", "\n", strings.Repeat("aé漢", 700), strings.Repeat("é\n", 700), strings.Repeat("x", blockSize), strings.Repeat("\n", 2*blockSize),
		strings.Repeat("long line é ", 90) + "\n" + strings.Repeat("漢", 300),
	} {
		x := newLineIndex("f", []byte(text))
		line, col := 1, 1
		for offset, r := range text + "\x00" {
			if got := x.pos(offset); got.Line != line || got.Col != col || got.File != "f" {
				t.Fatalf("pos(%d) = %v, want f:%d:%d", offset, got, line, col)
			}
			if col++; r == '\n' {
				line, col = line+1, 1
			}
		}
	}
}

func TestArgumentPos(t *testing.T) {
	c := read(t, `[{
  "name": "t",
  "description": "d",
  "inputSchema": {
    "properties": {
      "a": {"properties": {"x": {}}, "items": {"properties": {"c": {}}}},
      "say \"hi\"\\": {"items": {"items": {"properties": {"deep": 1}}}},
      "name" :
        true
    }
  }
}, {"name": "none"}, {"name": "odd", "description": "d", "inputSchema": {"properties": []}}]`)
	for _, test := range []struct {
		tool int
		path []string
		want string
	}{
		{0, []string{"a"}, "c.json:6:7"},
		{0, []string{"a", "x"}, "c.json:6:28"},
		{0, []string{"a", "[]", "c"}, "c.json:6:63"},
		{0, []string{`say "hi"\`}, "c.json:7:7"},
		{0, []string{`say "hi"\`, "[]", "[]", "deep"}, "c.json:7:59"},
		{0, []string{"name"}, "c.json:8:7"},
		{0, []string{"a", "missing"}, "c.json:6:7"},
		{0, []string{"missing"}, "c.json:3:18"},
		{0, nil, "c.json:3:18"},
		{1, []string{"a"}, "c.json:12:13"},
		{2, []string{"a"}, "c.json:12:53"},
	} {
		if got := c.Tools[test.tool].ArgumentPos(test.path...).String(); got != test.want {
			t.Errorf("ArgumentPos(%q) of tool %d = %s, want %s", test.path, test.tool, got, test.want)
		}
	}
}

// Each file of testdata/mistakes holds catalogs and, in "want", all mistakes in them.
func TestMistakes(t *testing.T) {
	files, err := filepath.Glob("testdata/mistakes/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples of mistakes: %v", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			last := len(archive.Files) - 1
			var got strings.Builder
			for _, file := range archive.Files[:last] {
				c, mistakes := Read(file.Name, file.Data)
				if len(mistakes) == 0 || c != nil {
					t.Errorf("%s has no mistake", file.Name)
				}
				got.WriteString(mistakes.Sorted().Error() + "\n")
			}
			if *update {
				archive.Files[last].Data = []byte(got.String())
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(got.String(), string(archive.Files[last].Data)); diff != "" {
				t.Errorf("mistakes (-got +want):\n%s", diff)
			}
		})
	}
}

// Mistakes that are too big for an example.
func TestLimits(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"longest description", `[{"name": "a", "description": "` + strings.Repeat("é", 1<<19) + `"}]`, ""},
		{
			"description", "[\n{\"name\": \"a\", \"description\": \"" + strings.Repeat("é", 1<<19) + `."}]`,
			`c.json:2:30: "description" of tool 1 is 1048577 bytes long, at most 1048576 are read`,
		},
		{"deepest schema", `[{"name": "a", "inputSchema": ` + strings.Repeat("[", 510) + strings.Repeat("]", 510) + `}]`, ""},
	} {
		_, mistakes := Read("c.json", []byte(test.text))
		if got := mistakes.Error(); got != test.want {
			t.Errorf("%s: mistakes = %q, want %q", test.name, got, test.want)
		}
	}
	for _, deep := range []string{
		strings.Repeat("[", 1<<20),
		`[{"name": "a", "inputSchema": ` + strings.Repeat("[", 511) + strings.Repeat("]", 511) + `}]`,
		`[{"name": "a", "x": ` + strings.Repeat(`{"a":`, 600) + `1` + strings.Repeat("}", 600) + `}]`,
	} {
		_, mistakes := Read("c.json", []byte(deep))
		if got := mistakes.Error(); !strings.Contains(got, "512 deep") || len(mistakes) != 1 {
			t.Errorf("mistakes of a value nested too deep = %q, want one", got)
		}
	}
}

func TestFromServers(t *testing.T) {
	raw := `{"weather": {"tools": [{"name": "get", "server": "x", "description": "d", "inputSchema": {}}]}, "empty": {}, "a b": {"tools": [{"name": "get"}]}}`
	c, err := FromServers(jsontext.Value(raw))
	if err != nil {
		t.Fatal(err)
	}
	want := []*Tool{{Server: "weather", Name: "get", Description: "d", InputSchema: jsontext.Value("{}")}, {Server: "a b", Name: "get"}}
	if diff := cmp.Diff(c.Tools, want, ignorePlaces); diff != "" {
		t.Errorf("tools of %s (-got +want):\n%s", raw, diff)
	}
	if pos := c.Tools[0].ArgumentPos("a"); pos.Line != 0 {
		t.Errorf("ArgumentPos without a file = %v, want none", pos)
	}
}

func TestFromServersMistakes(t *testing.T) {
	for _, test := range []struct{ raw, want string }{
		{`null`, ""},
		{``, ""},
		{`{"a": {"tools": [{"nam": 1}, 2]}}`, `tool 1 of server "a" has no "name", did you mean "name"?` + "\n" + `tool 2 of server "a" must be an object, found 2`},
		{`{"a": [], "a": {}}`, `server "a" must be an object, found a list` + "\n" + `the catalog has server "a" twice`},
		{`[]`, `the catalog must be an object, found a list`},
	} {
		got := ""
		if c, err := FromServers(jsontext.Value(test.raw)); err != nil {
			got = err.Error()
		} else if c != nil {
			t.Errorf("FromServers(%s) = %v, want nil", test.raw, c)
		}
		if got != test.want {
			t.Errorf("FromServers(%s): %q, want %q", test.raw, got, test.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"", "null", "{", `{"tools": {}}`, `[{"name": "a", "inputSchema": {"properties": {"p": {}}}}]`, `{"result": {"tools": [1]}}`,
		`{"servers": {"s": {"tools": [{"name": "é", "description": null}]}}}`, "\ufeff[]", "[{\"name\": \"\\ud800\"}]", `[{"name": "a", "x": 1e999}]`,
		`[{"name": "a"}] []`, `[{"name": "a", "name": "b"}]`, "[{\"name\": \"\xff\"}]", `{"tool": []}`, `[{"name":"a"},,]`, `[{"name":"a"}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, mistakes := Read("c.json", []byte(text))
		lines := strings.Count(text, "\n") + 1
		for _, m := range mistakes {
			if m.Pos.File != "c.json" || m.Pos.Line < 1 || m.Pos.Line > lines || m.Pos.Col < 1 {
				t.Errorf("mistake in %q is at %v, which is not in the file: %s", text, m.Pos, m.Msg)
			}
		}
		if (c == nil) != (len(mistakes) > 0) {
			t.Fatalf("Read(%q) = %v with mistakes %v", text, c, mistakes)
		}
		if c != nil {
			checkTools(t, text, c)
		}
	})
}

// checkTools checks what holds for the tools of every catalog read.
func checkTools(t *testing.T, text string, c *Catalog) {
	t.Helper()
	for _, tool := range c.Tools {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(tool.Raw, &fields); err != nil || !strings.HasPrefix(text[tool.start:], string(tool.Raw)) {
			t.Errorf("raw text %q of a tool of %q: %v", tool.Raw, text, err)
		}
		for _, at := range []int{tool.Pos.Line, tool.DescriptionPos.Line, tool.ArgumentPos("p").Line} {
			if at < 1 || at > strings.Count(text, "\n")+1 {
				t.Errorf("a part of tool %q of %q is in line %d", tool.Name, text, at)
			}
		}
	}
	again := read(t, string(Write(c.Tools)))
	if len(again.Tools) != len(c.Tools) {
		t.Errorf("%q: %d tools were written and %d read again", text, len(c.Tools), len(again.Tools))
	}
	for i, tool := range sorted(c.Tools) {
		back := again.Tools[i]
		back.Server = tool.Server
		if diff := Compare(&Catalog{Tools: []*Tool{tool}}, &Catalog{Tools: []*Tool{back}}); !diff.Empty() {
			t.Errorf("%q: tool %q changed when it was written and read again", text, tool.Name)
		}
	}
}
