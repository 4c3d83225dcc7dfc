package english

import (
	"slices"
	"strings"
)

// Documents reports whether a text documents the argument with a name: the name occurs as a word, and a colon or a dash follows
// it, perhaps after a type in parentheses ("name (str): …", "- name - …").
func Documents(text, name string) bool {
	if name == "" {
		return false
	}
	text = text[:min(len(text), maxRead)]
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		found := Span{Start: at + i, End: at + i + len(name)}
		if StandsAlone(text, found) && introduces(text[found.End:]) {
			return true
		}
		at = found.End
	}
}

func introduces(rest string) bool {
	const spaces = " \t`*'\""
	rest = strings.TrimLeft(rest, spaces)
	if inner, ok := strings.CutPrefix(rest, "("); ok {
		_, behind, closed := strings.Cut(inner, ")")
		if !closed {
			return false
		}
		rest = strings.TrimLeft(behind, spaces)
	}
	marks := []string{":", "：", "- ", "– ", "— "}
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.HasPrefix(rest, mark) })
}
