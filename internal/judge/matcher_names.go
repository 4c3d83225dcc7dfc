package judge

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/source"
)

func matcherList() string {
	return "one of " + strings.Join(append(slices.Clone(operatorNames), matcherNames()...), ", ")
}

// otherSpellings maps the operators of other languages to ours.
var otherSpellings = map[string]string{"=": "==", "===": "==", "=>": ">=", "=<": "<=", "<>": "!=", "=!": "!=", "!==": "!=", "≥": ">=", "≤": "<=", "≠": "!="}

func matcherHint(word string) string {
	if op := otherSpellings[word]; op != "" {
		return source.DidYouMean(op, []string{op})
	}
	if hint := source.DidYouMean(word, matcherNames()); hint != "" {
		return hint
	}
	return ", expected " + matcherList()
}

func matcherNames() []string {
	return Each(namedMatchers, func(k matcherKind) string { return k.name })
}
