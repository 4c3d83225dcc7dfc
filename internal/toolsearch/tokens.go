package toolsearch

import (
	"strings"

	"github.com/clipperhouse/uax29/v2/words"
	"github.com/org/mcp-gates/internal/lexical"
)

// tokens makes the same tokens of texts as Codex, and remembers the stems of words.
type tokens struct {
	stems lexical.Stems
}

func newTokens() *tokens { return &tokens{} }

// token is a word of a text, in lower case, with the stem that is searched for.
type token struct {
	word, stem string
}

// tokensOf returns the tokens of a text in order, including repeated ones.
func (t *tokens) tokensOf(text string) (all []token) {
	if !isASCII(text) {
		text = toASCII(text)
	}
	for segments := words.FromString(strings.ToLower(text)); segments.Next(); {
		word := segments.Value()
		if isAlphanumeric(word) && !nltkStopWords[word] {
			all = append(all, token{word, t.stems.Stem(word)})
		}
	}
	return all
}

// stemsOf returns the stems of a text's tokens, with a separator, which no stem contains, before each and after the
// last.
func (t *tokens) stemsOf(text string) string {
	var b strings.Builder
	for _, token := range t.tokensOf(text) {
		b.WriteString("\x00" + token.stem)
	}
	return b.String() + "\x00"
}

func isAlphanumeric(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return r != '_' && isASCIIWordRune(r) })
}

// nltkStopWords are the 179 English stop words of NLTK before 2024.
var nltkStopWords = setOf(`
	i me my myself we our ours ourselves you you're you've you'll you'd your yours yourself yourselves he him his himself she she's
	her hers herself it it's its itself they them their theirs themselves what which who whom this that that'll these those
	am is are was were be been being have has had having do does did doing a an the and but if or because as until while
	of at by for with about against between into through during before after above below to from up down in out on off over under
	again further then once here there when where why how all any both each few more most other some such no nor not only own same
	so than too very s t can will just don don't should should've now d ll m o re ve y
	ain aren aren't couldn couldn't didn didn't doesn doesn't hadn hadn't hasn hasn't haven haven't isn isn't ma mightn mightn't
	mustn mustn't needn needn't shan shan't shouldn shouldn't wasn wasn't weren weren't won won't wouldn wouldn't
`)

func setOf(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}
