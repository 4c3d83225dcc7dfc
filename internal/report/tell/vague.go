package tell

import "github.com/org/mcp-gates/internal/bench"

// NothingDepends says that all that judges descriptions passes with vague ones, which is cases of a suite.
func NothingDepends(cases int) string {
	return "nothing here depends on what the descriptions say: " + Count(cases, "case") + " on them" + verb(cases, " passes", " pass") +
		" with each replaced by \"" + bench.Vague + "\"; give a tool_bench intents in your users' words, which lead to their tools by the descriptions alone"
}
