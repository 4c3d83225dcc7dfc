package english

import (
	"slices"
	"strings"
)

// maxProse is the number of bytes of a description that are searched for a set of values: a longer text is a manual.
const maxProse = 4096

// Values returns the fixed set of values in a description, and its form, or nil.
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

// freeTexts are phrases of arguments that accept several values in one string, a language of their own, or further
// values.
var freeTexts = []string{
	"separated", "delimited", "one or more", "combination", "json array", "json object", "expression", "json string", "list of values",
	"not limited to", "free-form", "freeform", "free text", "any string", "any other", "custom values",
}

func isFreeText(lower string) bool {
	return slices.ContainsFunc(freeTexts, func(phrase string) bool { return strings.Contains(lower, phrase) })
}

// asciiLower returns s with A-Z in lower case, without changing offsets.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}
