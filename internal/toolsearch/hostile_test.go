package toolsearch

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/thorough"
)

// TestHostile searches for what nobody would, among tools that nobody would write: every client answers, and says what the words
// earned.
func TestHostile(t *testing.T) {
	thorough.Unraced(t, "it takes seconds, on one goroutine")
	tools := []*catalog.Tool{
		{}, {Name: "\x00"}, {Name: "a\x00b", Description: "\xff\xfe"}, {Name: strings.Repeat("a_", 50_000), Description: strings.Repeat("a+b ", 50_000)},
		{Name: "select:", Description: "mcp__"}, {Name: "x", Title: strings.Repeat("é", 100_000), Meta: []byte(`{"anthropic/searchHint": 1, "anthropic/alwaysLoad": "\u0074rue"}`)},
		{Name: "y", Meta: []byte(`not JSON with searchHint`), InputSchema: []byte(`{"properties": ["a"]}`)},
		{Name: "y", InputSchema: []byte(`{"properties": {"\u001b[2J": 1}}`)},
	}
	var many strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&many, "+w%d+é ", i)
	}
	queries := []string{
		"", " ", "+", "++", "a", "\x00", "a\x00b", "\xff", "é", "select:", "SELECT:,,", "select:" + strings.Repeat("y,", 20_000), "mcp__", "mcp____",
		many.String(), strings.Repeat("a", 1<<20), strings.Repeat("a ", 1<<17), strings.Repeat("+", 1<<20), strings.Repeat("\u200b", 1<<18), "\u202e::error::",
	}
	for _, client := range Clients {
		ix := client.Index([]Server{{Tools: tools}, {Name: "\x1b[2J", Instructions: "\xff", Tools: tools[:2]}, {Name: "none"}})
		for _, query := range queries {
			for _, limit := range []int{0, math.MaxInt} {
				for i, r := range ix.Explain(query, limit) {
					if r.Rank != i+1 || r.Tool == nil || math.IsNaN(r.Score) || r.Score > 0 && len(r.Words) == 0 {
						t.Errorf("%s: %.40q: got %+v", client.Name, query, r.Result)
					}
				}
			}
			for _, rank := range ix.Ranks(query, tools...) {
				if rank < 1 || rank > ix.Unfound() {
					t.Errorf("%s: %.40q: got rank %d, want 1 to %d", client.Name, query, rank, ix.Unfound())
				}
			}
		}
	}
}

// TestNoTools searches among none.
func TestNoTools(t *testing.T) {
	for _, client := range Clients {
		if got := client.Index(nil).Search("a query", 0); len(got) != 0 {
			t.Errorf("%s: got %v, want nothing", client.Name, got)
		}
	}
}

// FuzzTokens holds the tokens of Codex to ASCII without blanks, whatever the text.
func FuzzTokens(f *testing.F) {
	f.Add("Créer l’issue n°5 — 北京 🦄 don't a_b-c 1.5")
	f.Fuzz(func(t *testing.T, text string) {
		words := newTokens()
		for _, token := range words.tokensOf(text) {
			if stem := token.stem; stem == "" || !isASCII(stem) || strings.ContainsAny(stem, " \n\t\x00") || stem != strings.ToLower(stem) {
				t.Errorf("%q: got token %q", text, token)
			}
		}
	})
}
