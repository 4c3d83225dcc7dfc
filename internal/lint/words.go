package lint

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// unspaced are scripts that write words without spaces between them, or particles onto them. A Latin word next to one
// of their characters stands on its own.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// isWordRune reports whether r is a part of a word: a letter, a digit or an underscore.
func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unspaced...)
}

// span is a part of a text, in bytes.
type span struct{ start, end int }

func (s span) of(text string) string { return text[s.start:s.end] }

// nextWord returns the first word of text at or after from; ok is false when there is none.
func nextWord(text string, from int) (word span, ok bool) {
	start := strings.IndexFunc(text[from:], isWordRune)
	if start < 0 {
		return span{}, false
	}
	start += from
	length := strings.IndexFunc(text[start:], func(r rune) bool { return !isWordRune(r) })
	if length < 0 {
		return span{start, len(text)}, true
	}
	return span{start, start + length}, true
}

// wordsOf returns the words of text.
func wordsOf(text string) []span {
	var words []span
	for at := 0; ; {
		word, ok := nextWord(text, at)
		if !ok {
			return words
		}
		words = append(words, word)
		at = word.end
	}
}

// standsAlone reports whether text[at.start:at.end] has no part of a word right before or after it.
func standsAlone(text string, at span) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at.start])
	after, _ := utf8.DecodeRuneInString(text[at.end:])
	return !isWordRune(before) && !isWordRune(after)
}

// hasPrefixFold reports whether text begins with the ASCII prefix, ignoring case.
func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// nameWords splits a tool's or an argument's name at separators and camelCase boundaries, and lower-cases the words.
func nameWords(name string) []string {
	var words []string
	start := 0
	cut := func(end int) {
		if start < end {
			words = append(words, strings.ToLower(name[start:end]))
		}
	}
	previous := ' '
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
			start = i + utf8.RuneLen(r)
		case unicode.IsUpper(r) && (unicode.IsLower(previous) || unicode.IsDigit(previous)):
			cut(i)
			start = i
		}
		previous = r
	}
	cut(len(name))
	return words
}
