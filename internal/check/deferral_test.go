package check

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
)

// surfaceOf returns the figure of a case and why it is absent.
func surfaceOf(t *testing.T, files ...string) (figure, why string) {
	t.Helper()
	r := run(t, workspace(files...), Options{})
	if len(r.Problems) > 0 || len(r.Cases) == 0 {
		t.Fatalf("%v", r.Problems)
	}
	for _, g := range r.Cases[0].Gates {
		if v, ok := g.Metrics["token_efficiency.tool_surface_tokens"]; ok {
			figure = v.Rat.RatString()
		}
		for _, a := range g.Assertions {
			why += a.Message
		}
	}
	return figure, why
}

const deferringSuite = `
servers: {s: {catalog: s.json}}
agents:
  - name: x
    servers: [s]
    cassette: c.json
    token_efficiency:
      classes: [{name: a, members: [s.a]}]
      expect: [{token_efficiency.tool_surface_tokens: {">=": 0}}]
`

// TestSurfaceOfDeferredTools pins what runs had in front of the model where tools were deferred: a, b and the
// eager e have 1 token each, l has 4, Claude Code's search tool 329, its list of a and b 73 and that of a, b and l 80; the search tool of
// the built-in loop has 64.
func TestSurfaceOfDeferredTools(t *testing.T) {
	const claude, codex, live = `"recorder": "mcp-gates 1 import claude-code"`, `"recorder": "mcp-gates 1 import codex"`, `"agent": "claude-code"`
	const a, b, e, l = `{"name": "a"}`, `{"name": "b"}`, `{"name": "e", "_meta": {"anthropic/alwaysLoad": true}}`, `{"name": "l", "description": "one two three"}`
	refs := func(names string) string {
		var list []string
		for name := range strings.FieldsSeq(names) {
			list = append(list, `{"server": "s", "name": "`+name+`"}`)
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	offered := func(tools ...string) string {
		return `"catalog": {"s": {"tools": [` + strings.Join(tools, ", ") + `]}}`
	}
	call := func(key, names string) string {
		return fmt.Sprintf(`{"server": "builtin", "name": "ToolSearch", "query": "q", %q: %s}`, key, refs(names))
	}
	runs := func(calls ...string) string {
		for i, one := range calls {
			calls[i] = `{"tool_calls": [` + one + `]}`
		}
		return `"runs": [` + strings.Join(calls, ", ") + `]`
	}
	for _, test := range []struct {
		name  string
		parts []string
		want  string // the figure, or why it is absent
	}{
		{"names and what was found", []string{claude, offered(a), `"deferred": ` + refs("a b"), runs(call("found", "a"))}, "403"},
		{"each once", []string{claude, offered(a), `"deferred": ` + refs("a b"), runs(call("found", "a") + "," + call("loaded", "a"))}, "403"},
		{"the largest run", []string{claude, offered(a, b), `"deferred": ` + refs("a b"), runs(call("found", "a"), call("loaded", "a b"), "")}, "404"},
		{"an eager tool counts from the start", []string{claude, offered(a, e), `"deferred": ` + refs("a b"), runs(call("loaded", "e a"))}, "404"},
		{"a run that broke does not count", []string{claude, offered(a, b), `"deferred": ` + refs("a b"), `"runs": [{"tool_calls": [` + call("found", "a") + `]}, {"tool_calls": [` + call("found", "a b") + `], "error": "x"}]`}, "403"},
		{"a client's own tools do not count", []string{claude, offered(a), `"deferred": ` + refs("a b"), runs(`{"server": "builtin", "name": "ToolSearch", "found": [{"server": "builtin", "name": "CronCreate"}]}`)}, "402"},
		{"a live recording defers all but what says otherwise", []string{live, offered(a, b, e), `"deferred": ` + refs("a"), runs(call("found", "a"))}, "404"},
		{"the built-in loop searches as codex", []string{"deferred: {search: codex, limit: 5}", offered(a, b, e), `"deferred": ` + refs("a b"), runs(call("found", "a"))}, "65"},
		{"the built-in loop searches as claude-code", []string{"deferred: {search: claude-code, limit: 5}", offered(a, b, e), `"deferred": ` + refs("a b"), runs(call("found", "a"))}, "66"},
		{"nobody says which client", []string{offered(a), `"deferred": ` + refs("a b"), runs(call("found", "a"))}, "does not say which client deferred the tools"},
		{"several clients", []string{`"recorder": "mcp-gates 1 import claude-code, codex"`, offered(a), `"deferred": ` + refs("a b"), runs("")}, "does not say which client deferred the tools"},
		{"a client that nobody measured", []string{`"recorder": "mcp-gates 1 import anthropic"`, offered(a), `"deferred": ` + refs("a b"), runs("")}, `does not show what "anthropic" puts in front of the model instead of deferred tools`},
		{"an agent of another name", []string{`"agent": "\u001b[31m::error::x"`, offered(a), `"deferred": ` + refs("a b"), runs("")}, `does not show what "\x1b[31m::error::x" puts`},
		{"what was found has no definition", []string{claude, offered(a), `"deferred": ` + refs("a b"), runs(call("found", "a b"))}, `the definition of "s.b", which was loaded, is not recorded`},
		{"what was found is not kept", []string{claude, offered(a), `"deferred": ` + refs("a b"), runs(`{"server": "builtin", "name": "ToolSearch", "query": "q"}`)}, "does not keep what a search returned"},
		{"only what was found is listed", []string{claude, `"deferred": ` + refs("a"), runs(call("found", "a"))}, "the recording does not list the deferred tools"},
		{"nothing is listed", []string{claude, `"deferred": []`, runs("")}, "the recording does not list the deferred tools"},
		{"all tools of the snapshot are deferred", []string{claude, `"deferred": ` + refs("a b l"), runs(call("found", "l"))}, "413"},
		{"a tool of the snapshot may be eager", []string{claude, `"deferred": ` + refs("a b"), runs(call("found", "a"))}, "does not list the tools that were in front of the model from the start"},
		{"a client that lists servers", []string{codex, `"deferred": ` + refs("a"), runs(call("found", "a")), "instructions"}, "171"},
		{"no instructions of a server", []string{codex, `"deferred": ` + refs("a"), runs(call("found", "a"))}, `codex lists the instructions of server "s", which are not recorded`},
		{"no instructions of a server without a name", []string{codex, `"catalog": {"": {"tools": [` + a + `]}}`, `"deferred": ` + `[{"server": "", "name": "a"}]`, runs("")}, `codex lists the instructions of server "", which are not recorded`},
	} {
		t.Run(test.name, func(t *testing.T) {
			suite := deferringSuite
			if key := test.parts[0]; strings.HasPrefix(key, "deferred: ") {
				suite += "    " + key + "\n"
				test.parts[0] = `"deferred_by": "` + strings.NewReplacer("deferred: {search: ", "", ": ", " ", "}", "").Replace(key) + `"`
			}
			snapshot := `{"tools": [` + a + "," + b + "," + l + `]}`
			if last := len(test.parts) - 1; test.parts[last] == "instructions" {
				test.parts = test.parts[:last]
				snapshot = `{"instructions": " Answer.\nAll of it.", ` + snapshot[1:]
			}
			got, why := surfaceOf(t, "mcp-gates.yml", suite, "s.json", snapshot,
				"c.json", `{"cassette": 1, `+strings.Join(test.parts, ", ")+`}`)
			if got != test.want && (got != "" || !strings.Contains(why, "tools were deferred, and ") || !strings.Contains(why, test.want)) {
				t.Errorf("tool_surface_tokens is %q, %s; want %s", got, why, test.want)
			}
		})
	}
}

// TestSurfaceAsMeasured holds the tokens before any search to those of the real programs, with the 116 tools of github-mcp-server
// that models are offered.
func TestSurfaceAsMeasured(t *testing.T) {
	data := os.Getenv("MCP_GATES_DATA")
	if data == "" {
		t.Skip("MCP_GATES_DATA is not set")
	}
	text, err := os.ReadFile(filepath.Join(data, "catalogs", "github-mcp-server.json"))
	if err != nil {
		t.Fatal(err)
	}
	cat, errs := catalog.Read("github.json", text)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	var names []string
	for _, tool := range cat.Tools {
		names = append(names, fmt.Sprintf(`{"server": "github", "name": %q}`, tool.Name))
	}
	suite := strings.NewReplacer("{s: {", "{github: {", "[s]", "[github]", "s.a", "github.get_me").Replace(deferringSuite)
	tools := strings.TrimSuffix(strings.TrimSpace(string(catalog.Write(cat.All()))), "}")
	for client, want := range map[string]int{"claude-code": 1154 + 329, "codex": 16 + 152} {
		got, why := surfaceOf(t, "mcp-gates.yml", suite, "s.json", tools+`, "instructions": ""}`,
			"c.json", `{"cassette": 1, "recorder": "mcp-gates 1 import `+client+`", "deferred": [`+strings.Join(names, ", ")+`], "runs": [{"tool_calls": []}]}`)
		if got != fmt.Sprint(want) {
			t.Errorf("%s: tool_surface_tokens is %q, %s; want %d", client, got, why, want)
		}
	}
}

// TestToolsFromTheStart pins that the tools of a recording that are not deferred need no search, unless an agent with other rules made
// the recording.
func TestToolsFromTheStart(t *testing.T) {
	const suite = `agents: [{name: x, servers: [s], cassette: c.json, tool_search: {expected_tool: s.a, expect: [{tool_search.found: {">=": 0}}]}}]`
	for agent, want := range map[string]string{``: "100", `"agent": "other",`: "0"} {
		r := run(t, workspace("mcp-gates.yml", "servers: {s: {}}\n"+suite, "c.json", `{"cassette": 1, `+agent+`
			"catalog": {"s": {"tools": [{"name": "a"}, {"name": "b"}]}}, "deferred": [{"server": "s", "name": "b"}],
			"runs": [{"tool_calls": [{"server": "builtin", "name": "ToolSearch", "query": "q", "found": [{"server": "s", "name": "b"}]}]}]}`), Options{})
		if g := gateOf(t, r.Cases[0], "tool_search"); g.Metrics["tool_search.found"].Digits() != want {
			t.Errorf("%q: found is %s, want %s: %s", agent, g.Metrics["tool_search.found"].Digits(), want, asJSON(t, r))
		}
	}
}
