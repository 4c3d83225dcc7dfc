package english

import (
	"slices"
	"strings"
)

// maxProse bounds the part of a description that is searched for a set of values, in bytes: a longer text is a manual.
const maxProse = 4096

// Values returns the fixed set of values that a description spells out, or nil.
func Values(text string) []string {
	text = text[:min(len(text), maxProse)]
	lower := asciiLower(text)
	if severalAllowed(lower) {
		return nil
	}
	p := prose{text, lower, Words(lower)}
	for _, find := range []func() []string{p.labelled, p.barred} {
		if values := find(); len(values) > 1 {
			return values
		}
	}
	return nil
}

// severals are phrases of arguments that take several values in one string, or a language of their own.
var severals = []string{
	"separated", "delimited", "one or more", "combination", "json array", "json object", "expression", "json string", "list of values",
}

func severalAllowed(lower string) bool {
	return slices.ContainsFunc(severals, func(phrase string) bool { return strings.Contains(lower, phrase) })
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
