package english

import (
	"slices"
	"strings"
)

// exampleWords introduce an example. Each entry is a sequence of words.
var exampleWords = [][]string{{"example"}, {"examples"}, {"e", "g"}, {"eg"}, {"for", "instance"}, {"such", "as"}}

// unspacedExamples introduce an example in languages without spaces.
var unspacedExamples = []string{"例如", "比如", "示例", "例えば", "예를 들"}

// GivesExample reports whether a text introduces an example.
func GivesExample(text string) bool {
	if slices.ContainsFunc(unspacedExamples, func(s string) bool { return strings.Contains(text, s) }) {
		return true
	}
	before := ""
	for at := 0; ; {
		span, ok := NextWord(text, at)
		if !ok {
			return false
		}
		word := strings.ToLower(span.Of(text))
		for _, words := range exampleWords {
			if word == words[len(words)-1] && (len(words) == 1 || before == words[0]) {
				return true
			}
		}
		before, at = word, span.End
	}
}
