package lint

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lint/english"
)

var noReturn = &Rule{
	ID: "DESC-010", Severity: Warning, Smell: MissingReturnFormat, Reads: Schemas,
	Title: "nothing says what the tool returns",
	Why: `An agent plans its next calls by the result. The rule looks for an object outputSchema, or for a word of the description that begins
with return, output or result. It cannot judge whether the text is right. DESC-001 reports a missing description.`,
	Bad:    `{"name": "list_orders", "description": "Lists the orders of a customer."}`,
	Good:   `{"name": "list_orders", "description": "Lists the orders of a customer. Returns an array of {id, total, status}."}`,
	Source: "mcptest, description quality",
	Fix:    `end every description with a sentence that begins with "Returns", or declare outputSchema`,
	Scored: true,
	Trial:  Trial{Found: 1621, Judged: 100, Right: 91},
	Check: func(v *View, report Report) {
		if v.Text != "" && !v.hasOutput && !v.saysReturns {
			report(Note{
				Message:    "neither the description " + quoted(v.Text) + " nor an outputSchema says what is returned",
				Suggestion: "add a sentence or an outputSchema: " + JSONText(returnSentence(v)),
			})
		}
	},
}

var returnStems = []string{"return", "output", "result"}

func saysWhatReturns(text string) bool {
	for at := 0; ; {
		word, ok := english.NextWord(text, at)
		if !ok {
			return false
		}
		if slices.ContainsFunc(returnStems, func(stem string) bool { return english.HasPrefixFold(word.Of(text), stem) }) {
			return true
		}
		at = word.End
	}
}

func returnSentence(v *View) string {
	words := english.NameWords(v.Tool.Name)
	if len(words) > 0 && slices.Contains([]string{"list", "search", "find", "query"}, words[0]) {
		return "Returns a list of objects, each with …, … and …."
	}
	if len(words) > 0 && isMutating(words[0]) {
		return "Returns the " + Shortened(strings.Join(words[1:], " ")) + " as it is afterwards, with …."
	}
	return "Returns … as JSON, with …, … and …."
}
