package agents

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// searches are runs of agents that search for their tools, and what is said of each.
var searches = []struct {
	name, script string
	status       int
	want         string // in the report
}{
	{"picked", `[[{"search": "close ticket"}], [{"tool": "close_ticket", "args": {"number": 7}}]]`, 0, "found 100%, picked 100%"},
	{"found and not picked", `[[{"search": "close ticket"}], [{"tool": "list_tickets"}]]`, 1, `found (rank 1), not picked: called list_tickets`},
	{"not found", `[[{"search": "fridge"}], [{"tool": "find_recipes"}]]`, 1, `not found: 5 runs searched "fridge" and got find_recipes`},
}

// TestSearches records five runs of each agent that searches, and replays them to the same report, which says which step failed.
func TestSearches(t *testing.T) {
	for _, agent := range []string{"claude-code", "codex"} {
		for _, test := range searches {
			t.Run(agent+"/"+test.name, func(t *testing.T) {
				w := newWorld(t, "testdata/search", test.script)
				recorded := w.exits(test.status, "run", "--record", "--verbose", "--jobs", "2", "--filter", "::"+agent+"::")
				replayed := w.exits(test.status, "run", "--verbose", "--filter", "::"+agent+"::")
				if want := strings.Replace(recorded, " · live runs", "", 1); replayed != want {
					t.Errorf("a replay says\n%s\nwant\n%s", replayed, want)
				}
				if !strings.Contains(replayed, test.want) {
					t.Errorf("the report says\n%s\nwant %q in it", replayed, test.want)
				}
				for _, other := range searches {
					if other.want != test.want && strings.Contains(replayed, other.want) {
						t.Errorf("the report says %q, too:\n%s", other.want, replayed)
					}
				}
			})
		}
	}
}

// upfront is what an agent shows a model of 117 tools before any search, in tokens: the text that stands for them, and the search tool.
var upfront = []struct {
	agent, begins, search string
	text, tool            int
}{
	{"claude-code", "<system-reminder>\nThe following deferred tools are now available", `"name":"ToolSearch"`, 1154, 329},
	{"codex", "<tools>\nDeferred tool namespaces:", `"type":"tool_search"`, 16, 152},
}

// TestUpfront holds what the first request of each agent has, and what the report says of it, to what was measured of github-mcp-server.
func TestUpfront(t *testing.T) {
	name := filepath.Join(os.Getenv("MCP_GATES_DATA"), "catalogs", "github-mcp-server.json")
	text, err := os.ReadFile(name)
	if os.Getenv("MCP_GATES_DATA") == "" || err != nil {
		t.Skip("the folder that MCP_GATES_DATA names has no catalogs/github-mcp-server.json: nothing was counted of its 117 tools")
	}
	for _, test := range upfront {
		t.Run(test.agent, func(t *testing.T) {
			w := newWorld(t, "testdata/search", `[[{"search": "list issues of a repository"}], [{"tool": "list_issues"}]]`)
			w.write("tickets.json", strings.Replace(string(text), "{", `{"instructions": "",`, 1))
			w.replace("mcp-gates.yml", "tickets.close_ticket", "github.list_issues", "  tickets: {", "  github: {", "[tickets]", "[github]")
			got := w.upfrontOf(w.run("run", "--record", "--jobs", "2", "--format", "json", "--filter", "::"+test.agent+"::"))
			within(t, "the report has", got, test.text+test.tool)

			tools, body := w.first()
			at := slices.IndexFunc(tools, func(tool json.RawMessage) bool { return strings.Contains(string(tool), test.search) })
			if at < 0 {
				t.Fatalf("no tool of the first request searches: %s", tools)
			}
			within(t, "the search tool takes", w.tokens(string(tools[at])), test.tool)
			within(t, "the names or servers take", w.tokens(textThatBegins(body, test.begins)), test.text)
		})
	}
}

// within requires that a count is at most 2 % off.
func within(t *testing.T, what string, got, want int) {
	t.Helper()
	if off := max(got-want, want-got); 100*off > 2*want {
		t.Errorf("%s %d tokens, want %d", what, got, want)
	}
}

// upfrontOf returns the figure of a JSON report.
func (w *world) upfrontOf(text string) int {
	w.Helper()
	var report struct {
		Cases []struct {
			Gates []struct {
				Gate    string
				Metrics map[string]int
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		w.Fatal(err)
	}
	for _, c := range report.Cases {
		for _, g := range c.Gates {
			if v, ok := g.Metrics["tool_search.upfront_tokens"]; ok {
				return v
			}
		}
	}
	w.Fatalf("the report has no tool_search.upfront_tokens:\n%s", text)
	return 0
}

// first returns the first request that the stand-in was sent, and its tools as they were written.
func (w *world) first() (tools []json.RawMessage, body any) {
	w.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, firstRequest))
	if err != nil {
		w.Fatal(err)
	}
	var offers struct{ Tools []json.RawMessage }
	if err := errors.Join(json.Unmarshal(text, &offers), json.Unmarshal(text, &body)); err != nil {
		w.Fatal(err)
	}
	return offers.Tools, body
}

// textThatBegins returns the text in a request that begins so; "" without one.
func textThatBegins(value any, begins string) string {
	switch v := value.(type) {
	case string:
		if at := strings.Index(v, begins); at >= 0 {
			closing := "</" + begins[1:strings.IndexByte(begins, '>')+1]
			if end := strings.Index(v[at:], closing); end >= 0 {
				return v[at : at+end+len(closing)]
			}
		}
	case []any:
		for _, one := range v {
			if text := textThatBegins(one, begins); text != "" {
				return text
			}
		}
	case map[string]any:
		for _, one := range v {
			if text := textThatBegins(one, begins); text != "" {
				return text
			}
		}
	}
	return ""
}

// tokens counts a text, which it gives the program as the instructions of a server.
func (w *world) tokens(text string) int {
	w.Helper()
	said, err := json.Marshal(map[string]any{"instructions": text, "tools": []any{map[string]any{"name": "a"}}})
	if err != nil {
		w.Fatal(err)
	}
	w.write("counted.json", string(said))
	var counted struct {
		Total struct {
			Instructions int `json:"instructions_tokens"`
		}
	}
	if err := json.Unmarshal([]byte(w.run("cost", "--json", "counted=counted.json")), &counted); err != nil {
		w.Fatal(err)
	}
	return counted.Total.Instructions
}

func (w *world) write(file, text string) {
	w.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, file), []byte(text), 0o666); err != nil {
		w.Fatal(err)
	}
}

// replace replaces texts of a file, each of which must be there.
func (w *world) replace(file string, pairs ...string) {
	w.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, file))
	if err != nil {
		w.Fatal(err)
	}
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(string(text), pairs[i]) {
			w.Fatalf("%s has no %q", file, pairs[i])
		}
		text = []byte(strings.ReplaceAll(string(text), pairs[i], pairs[i+1]))
	}
	w.write(file, string(text))
}
