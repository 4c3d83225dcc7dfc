package suggest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lint/english"
	"github.com/org/mcp-gates/internal/redact"
)

// privateWords are words in names of tools that return secrets, or data of the machine or the person. They must not be recorded,
// because a recording is committed. The words are in the singular.
var privateWords = strings.Fields("environ environment variable key pwd pat auth oauth jwt bearer cert certificate session")

// environment matches a word with env at its beginning or end, such as dotenv and envvars, but not envelope.
var environment = regexp.MustCompile(`env$|^env(var|variable|file)?$`)

// countingWords are words that show that a tool returns a number or cost of tokens, not a token.
var countingWords = strings.Fields("count number usage limit budget cost price")

// privateTexts matches words in the descriptions of tools that may return secrets or the environment.
var privateTexts = regexp.MustCompile(`(?i)\b(?:(?:environment|env) (?:variables?|vars?)|secrets?|credentials?|passwords?|api[ _-]?keys?)\b`)

// privateWord returns a word in a tool's name or description that shows that the tool may return a secret or the server's
// environment, and the place of the word. word is "" if there is none.
func privateWord(t *catalog.Tool) (word, where string) {
	words := english.NameWords(t.Name)
	countsTokens := slices.ContainsFunc(words, func(word string) bool { return slices.Contains(countingWords, singular(word)) })
	for _, word := range words {
		isCountedToken := countsTokens && singular(word) == "token"
		if isPrivate(singular(word)) && !isCountedToken {
			return word, "name"
		}
	}
	return privateTexts.FindString(t.Description), "description"
}

func isPrivate(word string) bool {
	return slices.Contains(privateWords, word) || environment.MatchString(word) || redact.IsSecretName(word)
}

func singular(word string) string { return strings.TrimSuffix(word, "s") }

// noRecordingReason returns the reason why there is no recorded case, if no tool can be tried.
func (s *starting) noRecordingReason() string {
	const rest = "only reads, needs at most one text and is found by its name"
	if len(s.privateTools) == 0 {
		return "no tool " + rest
	}
	word, where := privateWord(s.privateTools[0])
	reason := fmt.Sprintf("tool %q may return a secret, because of %q in its %s", s.privateTools[0].Name, word, where)
	if others := len(s.privateTools) - 1; others > 0 {
		reason += ", and so may " + judge.CountOf(others, "more tool")
	}
	return reason + ", and no other tool " + rest
}
