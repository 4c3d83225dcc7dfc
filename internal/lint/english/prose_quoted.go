package english

import (
	"slices"
	"strings"
	"unicode/utf8"
)

func (p prose) quotedList() []string {
	tries := 0
	for at := 0; at < len(p.text) && tries < maxTries; {
		_, size := quotedItem(p.text[at:])
		if size == 0 || p.insideWord(at) {
			_, size = utf8.DecodeRuneInString(p.text[at:])
			at += size
			continue
		}
		tries++
		list := p.list(at, false)
		end := max(list.end, at+size)
		if len(list.values) > 1 && list.canBeFixed() && !p.isExample(at) && !p.isOpen(end) && p.standsForValue(at, end) {
			return list.values
		}
		at = end
	}
	return nil
}

// insideWord reports whether the character before an offset is a part of a word, so that an apostrophe there is not a
// quote.
func (p prose) insideWord(at int) bool {
	before, _ := utf8.DecodeLastRuneInString(p.text[:at])
	return isWordRune(before)
}

// limits are words of a sentence about the use of an argument: a list in such a sentence has the values of another
// argument.
var limits = setOf("required optional only ignored applies unless")

// conditions are words of a clause: a list in that clause has the values of another argument.
var conditions = setOf("for used with between supports in contains default defaults")

// valueLeads are words directly before a list of the argument's own values.
var valueLeads = setOf("be is are either to as use values options choices of accepts being")

// standsForValue reports whether the quoted list between two offsets is in the place of the argument's value: at the
// start, in parentheses, after a colon or a word such as "be", and at the end of its clause.
func (p prose) standsForValue(at, end int) bool {
	before := strings.TrimRight(p.sentenceBefore(at), " \n")
	if !p.endsClause(end) || slices.ContainsFunc(plainWords(before), func(w string) bool { return limits[w] }) {
		return false
	}
	opening := strings.LastIndexAny(before, ":(—–")
	clause := plainWords(before[opening+1:])
	if slices.ContainsFunc(clause, func(w string) bool { return conditions[w] || whens[w] || refusals[w] }) {
		return false
	}
	if len(clause) == 0 || strings.ContainsRune("-=", lastRune(before)) {
		return opening < 0 || !isOther(before[opening], plainWords(before[:opening]))
	}
	// "an id, 'a' or 'b'": the id is one of the alternatives.
	return valueLeads[clause[len(clause)-1]] && isWordRune(lastRune(before))
}

// isOther reports whether the words before a mark show that the list after it is not a list of the argument's values:
// "required for: 'a', 'b'", "a tuple of ('a', 'b')", "the flags ('a', 'b')".
func isOther(mark byte, before []string) bool {
	if len(before) == 0 {
		return false
	}
	last := before[len(before)-1]
	isPlural := strings.HasSuffix(last, "s") && !strings.HasSuffix(last, "ss") && !valueNouns[last]
	isOfSeveral := last == "of" || isPlural
	return conditions[last] || whens[last] || mark == '(' && isOfSeveral
}

func plainWords(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !isWordRune(r) })
}
