package bench

import (
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Limits on a benchmark. A benchmark that exceeds one would take too long, and is refused before it starts.
const (
	// maxSteps bounds mutations x words of the queries x tools: the maximum number of times that a word of a query is looked up in
	// a tool. This many lookups take 45 seconds. A benchmark with 500 tools, 2,000 intents and mutations: auto has 15e9.
	maxSteps int64 = 40_000_000_000

	// maxTries bounds mutations x intents, because every mutation lists the intents whose picks it changes.
	maxTries = 10_000_000

	// maxMutated bounds the bytes of the mutated tools' descriptions and schemas. Each mutation of a tool counts them again.
	maxMutated = 128 << 20
)

// stepFactors returns the numbers of mutations, of words in all queries, and of tools; see [maxSteps].
func (s *Spec) stepFactors() (mutations, words, tools int64) {
	for _, intent := range s.Intents {
		for range strings.FieldsFuncSeq(intent.Query, func(r rune) bool { return !isWordRune(r) }) {
			words++
		}
	}
	tools = int64(len(s.Catalog.Tools))
	if s.Auto {
		return autoKinds * tools, words, tools
	}
	return int64(len(s.Mutations)), words, tools
}

// problem returns the message for a benchmark that exceeds one of the limits; "" if it exceeds none.
func (s *Spec) problem() string {
	mutated := 0
	for _, m := range s.Mutations {
		if m.Tool != nil {
			mutated += len(m.Tool.Description) + len(m.Tool.InputSchema)
		}
	}
	mutations, words, tools := s.stepFactors()
	switch {
	case tools > 0 && words > 0 && mutations > maxSteps/tools/words:
		return fmt.Sprintf("%d mutations of %d tools, each tried on %d words of queries, are too much work, expected a product of at most %d",
			mutations, tools, words, maxSteps)
	case mutations*int64(len(s.Intents)) > maxTries:
		return fmt.Sprintf("%d mutations, each tried on %d intents, are too much work, expected a product of at most %d", mutations, len(s.Intents), maxTries)
	case mutated > maxMutated:
		return fmt.Sprintf("the descriptions and schemas that mutations are about have %d bytes together, expected at most %d",
			mutated, maxMutated)
	}
	return ""
}

// fileSteps counts the steps of all benchmarks of one file.
type fileSteps struct{ n int64 }

// refuseExcess reports the benchmark if it would take too long, alone or together with the earlier benchmarks of the file.
func (r *reader) refuseExcess(mutations source.Pos) {
	if r.spec.Catalog == nil {
		return
	}
	if problem := r.spec.problem(); problem != "" {
		r.m.Errorf(mutations, "%s", problem)
		return
	}
	mutationCount, words, tools := r.spec.stepFactors()
	own := (mutationCount + 1) * words * tools // one more, for the picks without a mutation
	all := yamlread.Shared[fileSteps](r.m)
	isFirstExcess := all.n <= maxSteps && all.n+own > maxSteps
	if isFirstExcess {
		r.m.Stopf(mutations, "the benchmarks up to here look up words of queries in tools more than %d times (mutations x words x tools), expected at most that many in one file", maxSteps)
	}
	all.n += own
}
