package english

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// SaysRequired reports whether the description of an argument states that every call must give it: "required" or
// "mandatory" at its beginning, in brackets or as a statement. A condition after the word ("required if", "required
// for") does not count.
func SaysRequired(text string) bool {
	lower := strings.ToLower(text)
	before := ""
	for at := 0; ; {
		span, ok := NextWord(lower, at)
		if !ok {
			return false
		}
		word := span.Of(lower)
		if word == "optional" {
			return false
		}
		if (word == "required" || word == "mandatory") && introducesDemand(lower[:span.Start], before) && endsDemand(lower[span.End:]) {
			return true
		}
		before, at = word, span.End
	}
}

func introducesDemand(text, before string) bool {
	text = strings.TrimRight(text, " \t\n*_`")
	last, _ := utf8.DecodeLastRuneInString(text)
	if text == "" || strings.ContainsRune("([{.;:,-–—", last) {
		return true
	}
	return slices.Contains([]string{"is", "always"}, before)
}

// endsDemand reports whether the text after a demand does not restrict or revoke it.
func endsDemand(text string) bool {
	text = strings.TrimLeft(text, " \t\n*_`")
	first, _ := utf8.DecodeRuneInString(text)
	return text == "" || strings.ContainsRune(")]}.;:,-–—", first)
}
