package english

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/lists"
)

// maxVerb is the length of the longest word that can be a verb.
const maxVerb = 20

// HasVerb reports whether a word of text is a form of a common verb.
func HasVerb(text string) bool {
	var lower [maxVerb]byte
	lead := true // the next word is in the place of a verb
	for i := 0; i < len(text); {
		start := i
		for i < len(text) && isASCIILetter(text[i]) {
			i++
		}
		if i == start {
			_, size := utf8.DecodeRuneInString(text[i:])
			lead = lead || endsSentence(text[i])
			i += size
			continue
		}
		if i-start > maxVerb || besideLetter(text, start, i) {
			lead = false
			continue
		}
		word := lower[:i-start]
		for k := range word {
			word[k] = text[start+k] | 0x20
		}
		if isVerb(word) || lead && commonVerbs()[string(word)] == leading {
			return true
		}
		lead = verbLeads[string(word)] || lead && bytes.HasSuffix(word, []byte("ly"))
	}
	return false
}

// prefixes turn a verb into another verb: reprioritize, unsnooze.
var prefixes = []string{"re", "un", "de", "dis", "pre", "auto"}

// isVerb reports whether a lower-case word is a form of a verb, with or without a prefix.
func isVerb(word []byte) bool {
	if isForm(word) {
		return true
	}
	// A shorter rest would be a coincidence: prefix, unrun.
	const least = 5
	for _, prefix := range prefixes {
		if rest, ok := bytes.CutPrefix(word, []byte(prefix)); ok && len(rest) >= least && isForm(rest) {
			return true
		}
	}
	return false
}

// isForm reports whether a lower-case word is a form of a verb at any place in a text.
func isForm(word []byte) bool { return commonVerbs()[string(word)] == anywhere }

func isASCIILetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

func endsSentence(b byte) bool {
	switch b {
	case '.', '!', '?', ':', ';', '\n':
		return true
	}
	return false
}

// besideLetter reports whether a run of ASCII letters is a part of a longer word, such as "créer".
func besideLetter(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return isForeignLetter(before) || isForeignLetter(after)
}

func isForeignLetter(r rune) bool { return r >= utf8.RuneSelf && r != utf8.RuneError && isWordRune(r) }

// functionWords are frequent words of other languages in Latin script that are rare in English.
var functionWords = setOf(`el los las una para por con del que les des une dans pour avec sur est le la et du
der und das eine einen mit für von oder dem den nicht ist il gli della che nella sono não uma com dos ou em ao het een van`)

// IsForeign reports whether text is in a language whose verbs are not known: most of its letters are of another script than
// Latin, or two of its words are function words of another language.
func IsForeign(text string) bool {
	latin, other := 0, 0
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf && isASCIILetter(byte(r)), unicode.Is(unicode.Latin, r):
			latin++
		case unicode.IsLetter(r):
			other++
		}
	}
	if other > latin {
		return true
	}
	const enough = 2
	return lists.Count(Words(text), func(word Span) bool { return functionWords[strings.ToLower(word.Of(text))] }) >= enough
}
