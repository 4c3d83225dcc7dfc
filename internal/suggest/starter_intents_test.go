package suggest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/bench"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// described returns tools of the names given, in pairs with their descriptions.
func described(t *testing.T, pairs ...string) []*catalog.Tool {
	t.Helper()
	var list []string
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, fmt.Sprintf(`{"name": %q, "description": %q, "inputSchema": {"type": "object", "properties": {"file_path": {"type": "string"}, "limit": {"type": "integer"}}}}`,
			pairs[i], pairs[i+1]))
	}
	return tools(t, "["+strings.Join(list, ",")+"]")
}

func TestIntents(t *testing.T) {
	for _, test := range []struct {
		name  string
		tools []string
		want  []string
	}{
		{"sentences of each tool, by the names of the tools",
			[]string{"b_mail", "Posts a letter to a person. Needs a stamp.", "a_weather", "Reads the barometer."},
			[]string{"a_weather: Reads the barometer.", "b_mail: Posts a letter to a person.", "b_mail: Needs a stamp."}},
		{"what is about parameters alone is left out",
			[]string{"save", "Stores bytes on disk. The file path and the limit. file_path: where. - limit: most bytes\n- file_path (string): another place", "other", "Sings."},
			[]string{"other: Sings.", "save: Stores bytes on disk."}},
		{"what several tools say is left out",
			[]string{"a", "Opens doors. Needs a token.", "b", "Shuts windows. Needs a TOKEN!"},
			[]string{"a: Opens doors.", "b: Shuts windows."}},
		{"what leads to another tool is left out",
			[]string{"list_notes", "Notes. Titles of all notes there are.", "notes", "Notes notes notes of everybody."},
			[]string{"list_notes: Titles of all notes there are.", "notes: Notes notes notes of everybody."}},
		{"those that only the description leads by come first",
			[]string{"get_weather", "Get weather. The weather gets got. Weather, weather. Reads a barometer. Asks a station.", "x", "Sings."},
			[]string{"get_weather: Get weather.", "get_weather: Reads a barometer.", "get_weather: Asks a station.", "x: Sings."}},
		{"lines that were wrapped are joined, and e.g. ends nothing",
			[]string{"a", "Cuts long planks\ninto boards, e.g. for a floor.\n\n- Burns the rest\n* Sweeps the hall", "b", "Sings."},
			[]string{"a: Cuts long planks into boards, e.g. for a floor.", "a: Burns the rest", "a: Sweeps the hall", "b: Sings."}},
		{"a tool without words has none", []string{"a", "", "b", "the of", "c", "Sings."}, []string{"c: Sings."}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, i := range intentsOf(described(t, test.tools...)) {
				got = append(got, i.gold.Name+": "+i.query)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%q:\ngot  %q\nwant %q", test.tools, got, test.want)
			}
		})
	}
}

// TestIntentsAreBounded holds that a server with many tools and long descriptions has a suite that can be read.
func TestIntentsAreBounded(t *testing.T) {
	var pairs []string
	for i := range 600 {
		pairs = append(pairs, fmt.Sprintf("tool%03d", i), strings.Repeat(fmt.Sprintf("Word%d and more%d of it%d. ", i, i, i), 30)+strings.Repeat(fmt.Sprintf("long%d ", i), 200))
	}
	for _, n := range []int{1, 40, 600} {
		all := intentsOf(described(t, pairs[:2*n]...))
		if len(all) > max(maxIntents, min(n, maxTools)) || len(all) < min(n, maxTools) {
			t.Errorf("%d tools: got %d intents", n, len(all))
		}
		for _, i := range all {
			if len(i.query) > maxQuery {
				t.Errorf("got a query of %d bytes: %q", len(i.query), i.query)
			}
		}
	}
}

// TestStarterNotices holds that a drafted suite fails where all descriptions are one vague sentence.
func TestStarterNotices(t *testing.T) {
	starter, err := NewStarter(t.Context(), fstest.MapFS{}, "mcp-gates.yml", started(t, `{"mcpServers": {"a": {"command": "a"}}}`, twoTools), nil)
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for file, text := range starter.Files {
		files[file] = &fstest.MapFile{Data: text}
	}
	c, errs := catalog.Read("catalogs/a.json", files["catalogs/a.json"].Data)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	var vague []*catalog.Tool
	for _, one := range c.Tools {
		text := strings.Replace(string(one.Raw), one.Description, bench.Vague, 1)
		vague = append(vague, tools(t, "["+text+"]")...)
	}
	files["catalogs/a.json"] = &fstest.MapFile{Data: catalog.Write(vague)}
	r := check.Run(t.Context(), files, check.Options{})
	if !slices.ContainsFunc(r.Cases, func(c report.Case) bool { return c.Kind == "tool_bench" && c.Verdict == judge.Fail }) {
		t.Errorf("the bench does not fail\n%s\n%s", starter.Files["mcp-gates.yml"], files["catalogs/a.json"].Data)
	}
}
