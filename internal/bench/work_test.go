package bench

import (
	"fmt"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/thorough"
)

// TestExcess pins that a benchmark made to keep a machine busy is refused, where its mutations stand.
func TestExcess(t *testing.T) {
	tools := func(n, size int) *catalog.Catalog {
		cat := &catalog.Catalog{}
		for i := range n {
			cat.Tools = append(cat.Tools, &catalog.Tool{Name: fmt.Sprint("t", i), Description: strings.Repeat("a", size)})
		}
		return cat
	}
	ask := func(words, intents int) []Intent {
		list := make([]Intent, intents)
		for i := range list {
			list[i].Query = strings.Repeat("a ", words)
		}
		return list
	}
	one := tools(1, 1000)
	of := func(n int) []Mutation {
		list := make([]Mutation, n)
		for i := range list {
			list[i] = Mutation{Tool: one.Tools[0], Kind: blank}
		}
		return list
	}
	tests := []struct {
		name string
		spec Spec
		want string
	}{
		{"a large one", Spec{Catalog: tools(500, 10), Intents: ask(15, 2000), Auto: true}, ""},
		{"no intents", Spec{Catalog: tools(500, 10), Auto: true}, ""},
		{"words without spaces", Spec{Catalog: tools(5000, 10), Intents: []Intent{{Query: strings.Repeat("a.", 20000)}}, Auto: true},
			"10000 mutations of 5000 tools, each tried on 20000 words of queries, are too much work, expected a product of at most 40000000000"},
		{"no tools", Spec{Catalog: tools(0, 0), Intents: ask(10, 10), Auto: true}, ""},
		{"too many tools and words", Spec{Catalog: tools(5000, 10), Intents: ask(20, 1000), Auto: true},
			"10000 mutations of 5000 tools, each tried on 20000 words of queries, are too much work, expected a product of at most 40000000000"},
		{"too many mutations and intents", Spec{Catalog: one, Intents: ask(1, 3000), Mutations: of(4000)},
			"4000 mutations, each tried on 3000 intents, are too much work, expected a product of at most 10000000"},
		{"a long text mutated often enough", Spec{Catalog: one, Intents: ask(1, 1), Mutations: of(maxMutated / 1000)}, ""},
		{"a long text mutated too often", Spec{Catalog: one, Intents: ask(1, 1), Mutations: of(maxMutated/1000 + 1)},
			"the descriptions and schemas that mutations are about have 134218000 bytes together, expected at most 134217728"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.spec.problem(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestHintsEnd pins that a million names are compared for hints, and not more.
func TestHintsEnd(t *testing.T) {
	n := namesOf(&catalog.Catalog{Tools: []*catalog.Tool{{Name: "search"}}})
	if n.hints != 1_000_000 {
		t.Errorf("hints may cost %d comparisons, want 1000000", n.hints)
	}
	n.hints = thorough.Size(n.hints/10, n.hints)
	hints, want := 0, n.hints/2
	for n.hint("serch") != "" {
		hints++
	}
	if hints != want {
		t.Errorf("got %d hints, want %d", hints, want)
	}
}

// TestExcessIsAMistake pins the place of the mistake.
func TestExcessIsAMistake(t *testing.T) {
	const many = 140
	text := "catalog:\n- {name: a, description: " + strings.Repeat("a", 1_000_000) + "}\nintents: [{query: a, gold: a}]\nmutations:\n" +
		strings.Repeat("- {tool: a, kind: blank}\n", many)
	_, errs := Read("s.yml", []byte(text), Load{})
	const want = "s.yml:4:1: the descriptions and schemas that mutations are about have 140000000 bytes together, expected at most 134217728"
	if got := errs.Error(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
