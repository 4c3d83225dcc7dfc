package gates

import (
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/finding"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/toolsearch"
	"github.com/org/mcp-gates/internal/trace"
)

// TestFindabilityExcess refuses a base with too many sentences, instead of searching for all of them.
func TestFindabilityExcess(t *testing.T) {
	tools := catalog.New("a.json", []*catalog.Tool{{Server: "desk", Name: "close", Description: "Close the ticket. Send a mail."}})
	f := (&findability{question: finding.Question{Client: toolsearch.BM25}}).Under(toolsearch.Codex)
	for most, want := range map[int]string{0: "", 100: "", 5: "with the tools of the base this searches 8 tools, each intent counted, expected at most 5, the share of one case"} {
		got := f.Measure(&trace.Trace{Catalog: tools, Competing: &trace.Competing{Base: tools, MostWork: most}}).Err
		if got != want && (want != "" || strings.Contains(got, "searches")) {
			t.Errorf("with at most %d: %q, want %q", most, got, want)
		}
	}
}

// TestGoldIsGone pins the problem with an intent whose right tool the catalog does not have, which suites with a catalog refuse.
func TestGoldIsGone(t *testing.T) {
	tools := catalog.New("a.json", []*catalog.Tool{{Server: "desk", Name: "close", Description: "Close the ticket."}})
	plan := planOf(t, Findability, "{search: codex, intents: [{query: open it, gold: open}]}", judge.Context{})
	if got, want := plan.Measure(&trace.Trace{Catalog: tools}).Err, `gold tool "open" is not in the catalog`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
