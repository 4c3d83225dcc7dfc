package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lint/english"
)

var positional = &Rule{
	ID: "DESC-005", Severity: Warning, Smell: Brittle, Reads: Texts,
	Title: "the description refers to a tool or argument by position",
	Why: `Clients sort, filter and mix tools. The rule finds these phrases: see above (below); as mentioned (described, noted) above
(earlier); previous (next, following, above, preceding) tool; same as above; listed above (below).`,
	Bad:    `{"name": "close_issue", "description": "Closes an issue that the previous tool has found."}`,
	Good:   `{"name": "close_issue", "description": "Closes an issue that search_issues has found."}`,
	Source: "mcptest, description quality",
	Fix:    "write the name of the tool or argument that is meant",
	Check: func(v *View, report Report) {
		if phrase := positionalPhrase(v.Text); phrase != "" {
			report(Note{
				Message:    fmt.Sprintf("the description says %s, which means nothing in a list without order", quoted(phrase)),
				Suggestion: "name the tool or the argument that is meant, or repeat here what is said there",
			})
		}
	},
}

// phrases are the positional phrases: a word of each list, in order.
var phrases = [][][]string{
	{{"see"}, {"above", "below"}},
	{{"as"}, {"mentioned", "described", "noted"}, {"above", "earlier"}},
	{{"previous", "next", "following", "above", "preceding"}, {"tool"}},
	{{"same"}, {"as"}, {"above"}},
	{{"listed"}, {"above", "below"}},
}

// phraseEnds are the last words of positional phrases. A text without any of them is skipped.
var phraseEnds = []string{"above", "below", "earlier", "tool"}

// positionalPhrase returns the first positional phrase of a text, in lower case; "" if there is none. A phrase cannot continue in
// the next sentence.
func positionalPhrase(text string) string {
	lower := strings.ToLower(text)
	if !slices.ContainsFunc(phraseEnds, func(end string) bool { return strings.Contains(lower, end) }) {
		return ""
	}
	words := english.Words(lower)
	for i := range words {
		for _, phrase := range phrases {
			if matchesPhrase(lower, words[i:], phrase) {
				return lower[words[i].Start:words[i+len(phrase)-1].End]
			}
		}
	}
	return ""
}

func matchesPhrase(text string, words []english.Span, phrase [][]string) bool {
	if len(words) < len(phrase) {
		return false
	}
	for i, alternatives := range phrase {
		if !slices.Contains(alternatives, words[i].Of(text)) {
			return false
		}
		if i > 0 && strings.ContainsAny(text[words[i-1].End:words[i].Start], ".!?:;") {
			return false
		}
	}
	return true
}
