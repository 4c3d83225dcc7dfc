package english

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// sentenceBefore returns the part of the sentence before an offset, in lower case.
func (p prose) sentenceBefore(at int) string {
	before := p.lower[:at]
	start := 0
	for _, end := range []string{". ", ".\n", "\n\n", "! ", "? "} {
		// "e.g. " and "i.e. " do not end a sentence.
		for i := strings.LastIndex(before, end); i >= 0; i = strings.LastIndex(before[:i], end) {
			if !strings.HasSuffix(before[:i+1], "e.g.") && !strings.HasSuffix(before[:i+1], "i.e.") && !strings.HasSuffix(before[:i+1], "eg.") {
				start = max(start, i+len(end))
				break
			}
		}
	}
	return before[start:]
}

// exampleMarks introduce examples.
var exampleMarks = []string{
	"e.g", "eg.", "eg:", "example", "such as", "like ", "instance", "includ", "similar to", "sample", "例如", "比如", "如：", "如[", "例：",
}

func (p prose) isExample(at int) bool {
	before := p.sentenceBefore(at)
	return slices.ContainsFunc(exampleMarks, func(mark string) bool { return strings.Contains(before, mark) })
}

// openMarks follow an incomplete list.
var openMarks = []string{
	"etc", "...", "…", "and more", "and other", "and so on", "or other", "or any", "or a ", "or an ", "or the ", "or custom",
	"or your", "or another", "or specif", "or some", "or leave", "or number", "or just", "among others", "等",
}

// isOpen reports whether the list that ends at an offset continues with words that are not values of the set.
func (p prose) isOpen(end int) bool {
	rest := strings.TrimLeft(p.lower[end:], " ,;/)|\n")
	return slices.ContainsFunc(openMarks, func(mark string) bool { return strings.HasPrefix(rest, mark) })
}

// endsClause reports whether a clause ends at an offset, so that the last word is the whole last value.
func (p prose) endsClause(end int) bool {
	rest := strings.TrimLeft(p.text[end:], " ")
	if rest == "" {
		return true
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return strings.ContainsRune(".,;)(\n]—–。，；）", r) || strings.HasPrefix(rest, "- ")
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
