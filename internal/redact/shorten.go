package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shorten returns the beginning of a text, of at most the given number of characters, followed by … if there are more. It does not
// split a secret, because secrets are replaced later, and no rule recognizes a part of one. Nil rules know only the shapes of
// secrets.
func (r *Rules) Shorten(text string, most int) string {
	if start, isCut := r.Words(text, most); isCut {
		return start + "…"
	}
	return text
}

// Words returns the first words of a text, up to most characters, and whether there are more. Only the first word may be cut; any
// other word is whole or left out, because it may be a secret that no rule knows.
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

// Head returns start, the beginning of a text, without the part of a secret at its end.
func (r *Rules) Head(text, start string) string {
	if len(start) == len(text) {
		return text
	}
	return strings.TrimRightFunc(start[:r.Before(text, len(start))], unicode.IsSpace)
}
