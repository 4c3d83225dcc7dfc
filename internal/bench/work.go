package bench

import (
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/source"
)

// Limits on a benchmark: one that is written to keep a machine busy is refused before it starts.
const (
	// maxSteps bounds mutations x words of the queries x tools: how often at most a word of a query is looked up in a
	// tool. The most that are allowed take about a minute. 500 tools, 2,000 intents and mutations: auto have 15e9.
	maxSteps int64 = 50_000_000_000

	// maxMutated bounds the descriptions and schemas of the tools that mutations are about, in bytes, each as often as there
	// is a mutation of it.
	maxMutated = 128 << 20
)

// excess returns what about a benchmark is too much, or "".
func (s *Spec) excess() string {
	var queried int64
	for _, intent := range s.Intents {
		for range strings.FieldsFuncSeq(intent.Query, func(r rune) bool { return !isWordRune(r) }) {
			queried++
		}
	}
	mutations, mutated := int64(len(s.Mutations)), 0
	for _, m := range s.Mutations {
		if m.Tool != nil {
			mutated += len(m.Tool.Description) + len(m.Tool.InputSchema)
		}
	}
	if s.Auto { // a catalog as a whole has no more bytes than one may have
		mutations = autoKinds * int64(len(s.Catalog.Tools))
	}
	tools := int64(len(s.Catalog.Tools))
	switch {
	case tools > 0 && queried > 0 && mutations > maxSteps/tools/queried:
		return fmt.Sprintf("%d mutations of %d tools, each tried on %d words of queries, are too much work, expected a product of at most %d",
			mutations, tools, queried, maxSteps)
	case mutated > maxMutated:
		return fmt.Sprintf("the descriptions and schemas that mutations are about have %d bytes together, expected at most %d",
			mutated, maxMutated)
	}
	return ""
}

// refuseExcess reports a benchmark that is too much work where its mutations stand.
func (r *reader) refuseExcess(mutations source.Pos) {
	if r.spec.Catalog == nil {
		return
	}
	if what := r.spec.excess(); what != "" {
		r.m.Errorf(mutations, "%s", what)
	}
}
