package cost

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/org/mcp-gates/internal/tokens"
	"github.com/org/mcp-gates/internal/toolsearch"
	"github.com/org/mcp-gates/internal/trace"
)

// serverOf reads a catalog as that of a server.
func serverOf(t *testing.T, server, text string) []toolsearch.Server {
	t.Helper()
	cat, mistakes := catalog.Read("a.json", []byte(text))
	if err := mistakes.Err(); err != nil {
		t.Fatal(err)
	}
	return toolsearch.ServersOf(cat.Named(server))
}

func of(servers []toolsearch.Server) *Cost { return Of(servers, tokens.Counter{}.Tool) }

const bakery = `{"instructions": "Bread and cakes.\nMore.", "tools": [
	{"name": "bake", "description": "Bake a fresh loaf.", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}},
	{"name": "sell", "description": "Sell one stale cake.", "inputSchema": {"type": "object"}},
	{"name": "open", "description": "Open the shop early.", "inputSchema": {"type": "object"}, "_meta": {"anthropic/alwaysLoad": true}},
	{"name": "click", "description": "Click a big button.", "inputSchema": {"type": "object"}, "_meta": {"ui": {"visibility": ["app"]}}}]}`

func TestOf(t *testing.T) {
	servers := serverOf(t, "bakery", bakery)
	got := of(servers)
	count := func(text string) int64 { return int64(tokens.Counter{}.Text(text)) }
	tool := func(name, description string) int64 {
		return count(name) + count(description) + count(`{"type":"object"}`)
	}
	bake, sell, open := tool("bake", "Bake a fresh loaf."), tool("sell", "Sell one stale cake."), tool("open", "Open the shop early.")
	if got.Tools != 3 || got.Full != bake+sell+open {
		t.Errorf("%d tools of %d tokens, want 3 of %d", got.Tools, got.Full, bake+sell+open)
	}
	if want := trace.Known(count("Bread and cakes.\nMore.")); got.Instructions != want {
		t.Errorf("instructions %v, want %v", got.Instructions, want)
	}
	if got.WithOutput != 1 || got.OutputSchemas != count(`{"type":"object"}`) {
		t.Errorf("output schemas %d of %d tokens", got.WithOutput, got.OutputSchemas)
	}
	claude, codex := got.Clients[0], got.Clients[1]
	if claude.Name != "claude-code" || claude.Eager != open || claude.SearchTool != 329 || claude.AtLeast || claude.Searches != 2 {
		t.Errorf("%+v, want %d eager tokens and 2 searches", claude, open)
	}
	want := count("<tools>\nDeferred tool namespaces:\n- mcp__bakery: Bread and cakes.\n</tools>")
	if codex.Name != "codex" || codex.Eager != 0 || codex.SearchTool != 152 || codex.Listed != want || codex.AtLeast || codex.Searches != 3 {
		t.Errorf("%+v, want %d listed tokens and 3 searches", codex, want)
	}
	if codex.Upfront() != want+152 || !codex.Loaded.Known || !slices.Contains([]int64{bake, sell, open}, codex.Loaded.N) {
		t.Errorf("%d tokens before a search, %v loaded, want one tool", codex.Upfront(), codex.Loaded)
	}
}

// What is not known is not zero.
func TestUnknown(t *testing.T) {
	servers := slices.Concat(serverOf(t, "bakery", bakery), serverOf(t, "other", `[{"name": "a", "inputSchema": {"type": "object"}}]`))
	if got := of(servers); got.Instructions != (trace.Count{}) || !got.Clients[1].AtLeast || got.Clients[0].AtLeast {
		t.Errorf("instructions %v, at least: %v %v", got.Instructions, got.Clients[0].AtLeast, got.Clients[1].AtLeast)
	}
	if got := of(serverOf(t, "", `[{"name": "a"}]`)).Clients[1]; !got.AtLeast || got.Listed == 0 {
		t.Errorf("instructions of an unnamed server are not known: %d listed, at least: %v", got.Listed, got.AtLeast)
	}
	for _, one := range of(servers[1:]).Clients {
		if one.Loaded.Known || one.Searches != 0 {
			t.Errorf("%s: %d searches without sentences, %v loaded", one.Name, one.Searches, one.Loaded)
		}
	}
}

// A hostile catalog of 100,000 sentences, each with words of all others, costs maxSearches searches, and with them a second instead of minutes.
func TestManySentences(t *testing.T) {
	thorough.Unraced(t, "it takes ten seconds, on one goroutine")
	var tools []*catalog.Tool
	for i := range 2000 {
		var b strings.Builder
		for j := range 50 {
			fmt.Fprintf(&b, "Common words w%dx%d end. ", i, j)
		}
		tools = append(tools, &catalog.Tool{Server: "s", Name: fmt.Sprintf("t%d", i), Description: b.String()})
	}
	for _, one := range of(toolsearch.ServersOf(catalog.New("a.json", tools))).Clients {
		if one.Searches != maxSearches || !one.Loaded.Known {
			t.Errorf("%s: %d searches, %v loaded", one.Name, one.Searches, one.Loaded)
		}
	}
}

// TestMeasured holds the counts to those of the real programs, which had these tools.
func TestMeasured(t *testing.T) {
	dir := os.Getenv("MCP_GATES_DATA")
	if dir == "" {
		t.Skip("MCP_GATES_DATA does not name the folder of published catalogs: counts were not compared with those of real programs")
	}
	text, err := os.ReadFile(path.Join(dir, "catalogs/github-mcp-server.json"))
	if err != nil {
		t.Fatal(err)
	}
	got := of(serverOf(t, "github", string(text)))
	claude, codex := got.Clients[0], got.Clients[1]
	if claude.Listed != 1154 || claude.SearchTool != 329 || codex.Listed != 16 || codex.SearchTool != 152 {
		t.Errorf("Claude Code %d and %d, Codex %d and %d, want 1154 and 329, 16 and 152", claude.Listed, claude.SearchTool, codex.Listed, codex.SearchTool)
	}
}
