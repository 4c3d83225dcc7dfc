package english

import (
	"strings"
	"unicode/utf8"
)

// valueList is a list of values in a text: 'a', 'b' or 'c'.
type valueList struct {
	values []string
	bare   bool // at least one value is a word without quotes
	// shortForms is the number of bare values that a short form in brackets follows: Celsius (C).
	shortForms int
	end        int // offset after the list
}

// maxValues bounds the number of values that are read of a list.
const maxValues = 200

// list reads the values that begin at an offset: quoted values and, if bare is set, single words.
func (p prose) list(at int, bare bool) valueList {
	list := valueList{end: at}
	for len(list.values) < maxValues {
		at += spaces(p.text[at:])
		value, size := quotedItem(p.text[at:])
		// A list of quoted values cannot continue with a bare word: 'a', 'b', etc.
		if size == 0 && bare && (list.bare || len(list.values) == 0) {
			size = bareSize(p.text[at:])
			value = p.text[at : at+size]
			list.bare = size > 0
		}
		if size == 0 {
			break
		}
		list.values = appendNew(list.values, value)
		at += size
		explanation := parenthesis(p.text[at:])
		isOneWord := explanation > 0 && !strings.Contains(strings.TrimSpace(p.text[at:at+explanation]), " ")
		if list.bare && isOneWord {
			list.shortForms++
		}
		at += explanation
		list.end = at
		separator := separatorSize(p.text[at:])
		if separator == 0 {
			break
		}
		at += separator
	}
	return list
}

func spaces(s string) int { return len(s) - len(strings.TrimLeft(s, " \n\t")) }

// quotes are the characters around quoted values.
var quotes = []struct{ open, shut string }{
	{"``\"", "\"``"}, {"``", "``"}, {"`\"", "\"`"}, {"`'", "'`"}, {"`", "`"}, {`"`, `"`}, {"'", "'"}, {"“", "”"}, {"‘", "’"}, {`\"`, `\"`},
}

// maxValue is the length of the longest value in bytes.
const maxValue = 40

// quotedItem returns the quoted value at the start of s and its length with the quotes, or 0.
func quotedItem(s string) (value string, size int) {
	for _, q := range quotes {
		rest, ok := strings.CutPrefix(s, q.open)
		if !ok {
			continue
		}
		end := strings.Index(rest[:min(len(rest), maxValue+len(q.shut))], q.shut)
		if end <= 0 || strings.ContainsAny(rest[:end], "\n") {
			return "", 0
		}
		size = len(q.open) + end + len(q.shut)
		if after, _ := utf8.DecodeRuneInString(s[size:]); isWordRune(after) {
			return "", 0
		}
		return rest[:end], size
	}
	return "", 0
}

func isBareByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_' || b == '-' || b == '.' || b == '+'
}

// bareSize returns the length of the single word at the start of s: letters, digits, and _ - . + inside it.
func bareSize(s string) int {
	size := 0
	for size < min(len(s), maxValue) && isBareByte(s[size]) {
		size++
	}
	size = len(strings.TrimRight(s[:size], ".-+"))
	if strings.HasPrefix(s, "-") {
		return 0
	}
	return size
}

// parenthesis returns the length of an explanation in parentheses at the start of s, or 0.
func parenthesis(s string) int {
	const longest = 80
	n := spaces(s)
	if !strings.HasPrefix(s[n:], "(") {
		return 0
	}
	end := strings.IndexByte(s[:min(len(s), n+longest)], ')')
	return end + 1
}

// separatorSize returns the length of the separator at the start of s: a comma, bar, slash, "or" or "and".
func separatorSize(s string) int {
	n := spaces(s)
	mark := false
	if n < len(s) && strings.IndexByte(",|/", s[n]) >= 0 {
		n++
		mark = true
		n += spaces(s[n:])
	}
	for _, word := range []string{"or ", "and "} {
		if HasPrefixFold(s[n:], word) {
			return n + len(word)
		}
	}
	if !mark {
		return 0
	}
	return n
}

// fillers are words that are not values.
var fillers = setOf(`a an the your this that these those each any all its it them other another both none of for in on to by
with from as at if when where which who not no be is are was were more less than then only also using use used based whether
following valid`)

// isValue reports whether a quoted text can be a value of a fixed set: it is not a pattern, a path or a sentence.
func isValue(value string) bool {
	isPattern := strings.ContainsAny(value, "<>{}[]()*%$:=;,@#\\") || strings.Contains(value, "..")
	isPath := strings.HasPrefix(value, "/")
	isSentence := strings.Count(value, " ") > 3
	return !isPattern && !isPath && !isSentence && strings.TrimSpace(value) != ""
}

// canBeFixed reports whether the values can be a fixed set: each looks like a value, not all are formats, and not all have a short
// form in brackets, as in "Celsius (C) or Fahrenheit (F)", where either the word or the short form can be meant.
func (l valueList) canBeFixed() bool {
	formats := 0
	for _, value := range l.values {
		if !isValue(value) || l.bare && fillers[strings.ToLower(value)] {
			return false
		}
		if isFormat(value) {
			formats++
		}
	}
	return formats < len(l.values) && l.shortForms < len(l.values)
}

// isFormat reports whether a value describes many values: YYYY-MM-DD, HH:MM.
func isFormat(value string) bool {
	return strings.Contains(value, "YY") || strings.Contains(value, "yyyy") || strings.Contains(value, "HH") || strings.Contains(value, "/")
}
