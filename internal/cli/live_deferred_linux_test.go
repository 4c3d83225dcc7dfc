package cli

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Where a test defers its tools, a provider is sent the search tool alone until a search has returned a tool, in each wire format.
func TestLiveDeferred(t *testing.T) {
	t.Parallel()
	steps := []providerStep{{call: `tool_search {"query":"forecast"}`}, {call: "forecast {}"}, {text: "Sunny."}}
	for _, wire := range []string{"openai", "responses", "anthropic"} {
		t.Run(wire, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var offered []string
			p := &provider{Server: httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var asked struct {
					Tools []struct {
						Name     string
						Function struct{ Name string }
					}
				}
				if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
					t.Error(err)
				}
				var names []string
				for _, tool := range asked.Tools {
					names = append(names, tool.Name+tool.Function.Name)
				}
				mu.Lock()
				n := len(offered)
				offered = append(offered, strings.Join(names, " "))
				mu.Unlock()
				steps[min(n, len(steps)-1)].answer(w, r, nil)
			}))}
			t.Cleanup(p.Close)
			l := providerTest(t, wire, p)
			l.write(t, "mcp-gates.yml", strings.Replace(l.read("mcp-gates.yml"), "runs: 2",
				`runs: 1
    deferred: { search: codex }
    tool_search: { expected_tool: forecast, expect: [{ tool_search.rank: { "<=": 1 } }] }`, 1))
			l.env = []string{"OPENAI_API_KEY=" + providerKey, "ANTHROPIC_API_KEY=" + providerKey}
			l.run(t, "run", "--record", "--jobs=1").wants(t, 0, "selection 1/1")
			if want := []string{"tool_search", "tool_search forecast", "tool_search forecast"}; !slices.Equal(offered, want) {
				t.Errorf("offered: got %q, want %q", offered, want)
			}
			l.replay(t).wants(t, 0, "selection 1/1")
		})
	}
}
