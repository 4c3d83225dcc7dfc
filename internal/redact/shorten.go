package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shorten returns a text of at most so many characters, with a sign that there are more. It cuts no secret in two: secrets
// are taken out of a run when it is put together, and a part of one would not be known for one. Nil rules know secrets by
// their shapes alone.
func (r *Rules) Shorten(text string, most int) string {
	if start, isCut := r.Words(text, most); isCut {
		return start + "…"
	}
	return text
}

// Words returns the first words of a text, of at most so many characters in all, and whether there are more. A part of a
// word is kept only where it is the first: it may be that of a secret that nobody knows.
func (r *Rules) Words(text string, most int) (start string, isCut bool) {
	runes := []rune(text[:min(len(text), utf8.UTFMax*(most+1))])
	if len(runes) <= most {
		return text, false
	}
	start = string(runes[:most])
	if !unicode.IsSpace(runes[most]) {
		if at := strings.LastIndexFunc(start, unicode.IsSpace); at > 0 {
			start = start[:at]
		}
	}
	return r.Head(text, strings.TrimRightFunc(start, unicode.IsSpace)), true
}

// Head returns the beginning of a text, which was cut somewhere, as far as it can be kept.
func (r *Rules) Head(text, start string) string {
	if len(start) == len(text) {
		return text
	}
	return strings.TrimRightFunc(start[:r.Before(text, len(start))], unicode.IsSpace)
}
