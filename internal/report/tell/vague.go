package tell

import "github.com/org/mcp-gates/internal/bench"

// NothingDepends returns the warning that all cases on descriptions in a suite also pass with vague descriptions. cases is the
// number of these cases.
func NothingDepends(cases int) string {
	return "nothing here depends on what the descriptions say: " + Count(cases, "case") + " on them" + verb(cases, " passes", " pass") +
		" with each replaced by \"" + bench.Vague + "\"; give a tool_bench intents in your users' words, which lead to their tools by the descriptions alone"
}
