package english

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// unspaced are scripts without spaces between words, or with particles attached to them. A Latin word next to such a
// character is a separate word.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unspaced...)
}

// Span is a part of a text, in bytes.
type Span struct{ Start, End int }

// Of returns the part of the text.
func (s Span) Of(text string) string { return text[s.Start:s.End] }

// NextWord returns the first word of text at or after from; ok is false if there is none.
func NextWord(text string, from int) (word Span, ok bool) {
	start := strings.IndexFunc(text[from:], isWordRune)
	if start < 0 {
		return Span{}, false
	}
	start += from
	length := strings.IndexFunc(text[start:], func(r rune) bool { return !isWordRune(r) })
	if length < 0 {
		return Span{start, len(text)}, true
	}
	return Span{start, start + length}, true
}

// Words returns the words of text.
func Words(text string) []Span {
	var words []Span
	for at := 0; ; {
		word, ok := NextWord(text, at)
		if !ok {
			return words
		}
		words = append(words, word)
		at = word.End
	}
}

// StandsAlone reports whether no part of a word is directly before or after the given part of a text.
func StandsAlone(text string, at Span) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at.Start])
	after, _ := utf8.DecodeRuneInString(text[at.End:])
	return !isWordRune(before) && !isWordRune(after)
}

// HasPrefixFold reports whether text begins with the ASCII prefix, ignoring case.
func HasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// NameWords splits a tool's or an argument's name at separators and camelCase boundaries, and lower-cases the words.
func NameWords(name string) []string {
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
