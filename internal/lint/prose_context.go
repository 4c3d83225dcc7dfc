package lint

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// sentenceBefore returns the part of the sentence that stands before an offset, in lower case.
func (p prose) sentenceBefore(at int) string {
	before := p.lower[:at]
	start := 0
	for _, end := range []string{". ", ".\n", "\n\n", "! ", "? "} {
		// "e.g. " and "i.e. " end no sentence.
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
	"e.g", "eg.", "eg:", "example", "such as", "like ", "instance", "includ", "similar to", "sample", "例如", "比如", "如：", "例：",
}

// isExample reports whether the sentence before an offset introduces examples.
func (p prose) isExample(at int) bool {
	before := p.sentenceBefore(at)
	return slices.ContainsFunc(exampleMarks, func(mark string) bool { return strings.Contains(before, mark) })
}

// openMarks follow a list that is not complete.
var openMarks = []string{
	"etc", "...", "…", "and more", "and other", "and so on", "or other", "or any", "or a ", "or an ", "or the ", "or custom",
	"or your", "or another", "or specif", "or some", "or leave", "or number", "or just", "among others", "等",
}

// isOpen reports whether the list that ends at an offset goes on with something that is no value of the set.
func (p prose) isOpen(end int) bool {
	rest := strings.TrimLeft(p.lower[end:], " ,;/)|\n")
	return slices.ContainsFunc(openMarks, func(mark string) bool { return strings.HasPrefix(rest, mark) })
}

// endsClause reports whether a clause ends at an offset, so that the last word read is the whole of the last value.
func (p prose) endsClause(end int) bool {
	rest := strings.TrimLeft(p.text[end:], " ")
	if rest == "" {
		return true
	}
	r, _ := utf8.DecodeRuneInString(rest)
	if strings.ContainsRune(".,;)(\n]—–。，；）", r) {
		return true
	}
	return strings.HasPrefix(rest, "- ")
}

// limits are words of a sentence about when an argument counts: a list in it is of another argument's values.
var limits = setOf("required optional only ignored applies unless")

// conditions are words that do the same to a list in their own clause.
var conditions = setOf("for when if used with where between supports in contains not")

// valueLeads are words right before a list that stands for the argument's own value.
var valueLeads = setOf("be is are either to as use values options choices of accepts being")

// standsForValue reports whether the quoted list between two offsets stands where the argument's value would: at the
// start, in parentheses, behind a colon or a word such as "be", and with its clause at an end.
func (p prose) standsForValue(at, end int) bool {
	before := strings.TrimRight(p.sentenceBefore(at), " \n")
	if !p.endsClause(end) || slices.ContainsFunc(plainWords(before), func(w string) bool { return limits[w] }) {
		return false
	}
	opening := strings.LastIndexAny(before, ":(—–")
	clause := plainWords(before[opening+1:])
	if slices.ContainsFunc(clause, func(w string) bool { return conditions[w] }) {
		return false
	}
	if len(clause) > 0 && strings.ContainsRune("-=", lastRune(before)) || len(clause) == 0 {
		return opening < 0 || !p.conditionBefore(before[:opening])
	}
	// "an id, 'a' or 'b'": the id is one of the alternatives.
	return valueLeads[clause[len(clause)-1]] && isWordRune(lastRune(before))
}

// conditionBefore reports whether what opens with a colon or parenthesis is a condition: "required for: 'a', 'b'".
func (p prose) conditionBefore(before string) bool {
	words := plainWords(before)
	return len(words) > 0 && conditions[words[len(words)-1]]
}

func plainWords(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !isWordRune(r) })
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
