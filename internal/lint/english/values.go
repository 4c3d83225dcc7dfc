package english

import (
	"slices"
	"strings"
)

// maxProse bounds the part of a description that is searched for a set of values, in bytes: a longer text is a manual.
const maxProse = 4096

// Values returns the fixed set of values that a description spells out, and in which form, or nil.
func Values(text string) ([]string, Form) {
	text = text[:min(len(text), maxProse)]
	lower := asciiLower(text)
	if isFreeText(lower) {
		return nil, 0
	}
	p := prose{text, lower, Words(lower)}
	for _, form := range Forms {
		if values := form.find(p); len(values) > 1 {
			return values, form
		}
	}
	return nil, 0
}

// freeTexts are phrases of arguments that take several values in one string, a language of their own, or other values, too.
var freeTexts = []string{
	"separated", "delimited", "one or more", "combination", "json array", "json object", "expression", "json string", "list of values",
	"not limited to", "free-form", "freeform", "free text", "any string", "any other", "custom values",
}

func isFreeText(lower string) bool {
	return slices.ContainsFunc(freeTexts, func(phrase string) bool { return strings.Contains(lower, phrase) })
}

// asciiLower returns s with A-Z in lower case, every byte at its place.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}
