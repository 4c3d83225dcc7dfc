package builtin

import (
	"cmp"
	"regexp"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxClauses bounds the clauses of one prompt. A run has far fewer turns, so further clauses are ignored.
const maxClauses = 200

var (
	listMark = regexp.MustCompile(`^[ \t]*(?:[-*+•]|[0-9]{1,3}[.)]|[A-Za-z][.)])[ \t]+`)

	sentenceEnd = regexp.MustCompile(`[.!?…]+(?:[ \t]+|$)|;`)
	abbreviated = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:e\.g|i\.e|etc|vs|approx|no|mr|mrs|dr)$`)
	connective  = regexp.MustCompile(`(?i)(?:^|[ \t,]+)(?:(?:and[ \t]+)?(?:then|after that|afterwards|finally)(?:[ \t,]+|$))+`)

	// nextVerb matches the boundary between two orders: a comma, "and" or both before a verb that is common in names of
	// tools.
	nextVerb = regexp.MustCompile(`(?i)(?:,[ \t]*(?:and[ \t]+)?|[ \t]+and[ \t]+)(` +
		`add|append|archive|assign|book|calculate|call|cancel|check|close|compute|convert|copy|count|create|delete|deploy|` +
		`describe|download|edit|email|execute|export|fetch|find|generate|get|give|insert|install|list|look|make|merge|move|` +
		`notify|open|post|print|publish|query|read|remove|rename|reply|restart|retrieve|run|save|schedule|search|send|set|` +
		`share|show|start|stop|store|summarize|tell|translate|update|upload|write)(?:[ \t]|$)`)
)

// lexicalClauses splits a prompt into its requests: at line breaks (list marks are left out), ends of sentences,
// semicolons, "then", "and then", "after that", "afterwards", "finally", and a comma or "and" before a verb of
// nextVerb, unless only a single word precedes it ("search and replace"). Quotes are not split.
func lexicalClauses(prompt string) []string {
	var clauses []string
	for line := range strings.FieldsFuncSeq(prompt, func(r rune) bool { return r == '\n' || r == '\r' }) {
		for _, clause := range splitLine(listMark.ReplaceAllString(line, "")) {
			if len(clauses) == maxClauses {
				return clauses
			}
			clauses = append(clauses, clause)
		}
	}
	return clauses
}

// clauseCut is a part of a line between two clauses.
type clauseCut struct {
	from, to     int
	isBeforeVerb bool // found by nextVerb
}

func splitLine(line string) []string {
	masked := maskQuotes(line)
	var clauses []string
	start := 0
	addClause := func(end int) {
		if clause := strings.TrimSpace(line[start:end]); clause != "" {
			clauses = append(clauses, clause)
		}
	}
	for _, c := range clauseCuts(masked) {
		if c.from < start {
			continue // overlaps the cut before
		}
		isSingleWord := len(strings.Fields(line[start:c.from])) < 2
		if c.isBeforeVerb && isSingleWord {
			continue
		}
		addClause(c.from)
		start = c.to
	}
	addClause(len(line))
	return clauses
}

// clauseCuts returns the cuts of a line whose quotes are masked, in order.
func clauseCuts(masked string) []clauseCut {
	var cuts []clauseCut
	for _, at := range sentenceEnd.FindAllStringIndex(masked, -1) {
		before := masked[max(0, at[0]-8):at[0]]
		isAbbreviation := masked[at[0]] == '.' && at[1] < len(masked) && abbreviated.MatchString(before)
		if !isAbbreviation {
			cuts = append(cuts, clauseCut{at[0], at[1], false})
		}
	}
	for _, at := range connective.FindAllStringIndex(masked, -1) {
		cuts = append(cuts, clauseCut{at[0], at[1], false})
	}
	for _, at := range nextVerb.FindAllStringSubmatchIndex(masked, -1) {
		cuts = append(cuts, clauseCut{at[0], at[2], true})
	}
	sort.SliceStable(cuts, func(i, j int) bool {
		a, b := &cuts[i], &cuts[j]
		return cmp.Compare(a.from, b.from) < 0
	})
	return cuts
}

// maskQuotes returns text with every byte inside quotes replaced by an underscore, so that offsets do not change.
func maskQuotes(text string) string {
	masked := []byte(text)
	for _, q := range quotedParts(text) {
		for i := q.from; i < q.to; i++ {
			masked[i] = '_'
		}
	}
	return string(masked)
}

// textPart is a range of offsets in a text.
type textPart struct {
	from, to int
}

// closing maps each opening quotation mark to its closing mark.
var closing = map[rune]rune{'"': '"', '`': '`', '“': '”', '«': '»', '\'': '\'', '‘': '’'}

// quotedParts returns the parts of a text inside quotes, without the quotes, in order. An apostrophe opens a quotation
// only at the beginning of a word and closes it only at the end of a word.
func quotedParts(text string) []textPart {
	var parts []textPart
	unclosed := map[rune]bool{} // closing marks that do not occur again
	for i := 0; i < len(text); {
		openingMark, size := utf8.DecodeRuneInString(text[i:])
		closingMark := closing[openingMark]
		isApostrophe := openingMark == '\'' && !isEdge(lastRune(text[:i]))
		i += size
		if closingMark == 0 || unclosed[closingMark] || isApostrophe {
			continue
		}
		length := quoteEnd(text[i:], closingMark)
		if length < 0 {
			unclosed[closingMark] = true
			continue
		}
		parts = append(parts, textPart{i, i + length})
		i += length + utf8.RuneLen(closingMark)
	}
	return parts
}

// quoteEnd returns the offset of the end of a quotation in rest, or -1.
func quoteEnd(rest string, closingMark rune) int {
	for i, r := range rest {
		if r != closingMark {
			continue
		}
		next, _ := utf8.DecodeRuneInString(rest[i+utf8.RuneLen(r):])
		if closingMark != '\'' && closingMark != '’' || isEdge(next) {
			return i
		}
	}
	return -1
}

func lastRune(text string) rune {
	r, _ := utf8.DecodeLastRuneInString(text)
	return r
}

// isEdge reports whether r, which is next to a word or a number, does not belong to it. RuneError means the end of the
// text.
func isEdge(r rune) bool {
	return r == utf8.RuneError || strings.ContainsRune(" \t\n\r()[]{}<>,.;:!?=%$€£\"“”«»`", r)
}

// maxDigits is the number of digits up to which a float64 holds every number exactly.
const maxDigits = 15

var digits = regexp.MustCompile(`-?[0-9]+(?:\.[0-9]+)?`)

// lexicalLiterals returns the literal values in a clause, in order: the texts inside quotes, and the separate numbers
// outside quotes (5 and -2.5, but not v1.2, 2026-01-31 or file2).
func lexicalLiterals(clause string) (quoted, numbers []string) {
	for _, q := range quotedParts(clause) {
		quoted = append(quoted, clause[q.from:q.to])
	}
	masked := maskQuotes(clause)
	for _, at := range digits.FindAllStringIndex(masked, -1) {
		number := masked[at[0]:at[1]]
		if len(number) <= maxDigits && standsAlone(masked[:at[0]], masked[at[1]:]) {
			numbers = append(numbers, number)
		}
	}
	return quoted, numbers
}

// standsAlone reports whether a number between the given texts is separate: not a part of a word, a time, a version or
// a longer number.
func standsAlone(before, after string) bool {
	last := lastRune(before)
	next, size := utf8.DecodeRuneInString(after)
	if !isEdge(last) || !isEdge(next) {
		return false
	}
	const joiningMarks = ".,:"
	afterNext, _ := utf8.DecodeRuneInString(after[size:])
	if strings.ContainsRune(joiningMarks, next) && !isEdge(afterNext) {
		return false
	}
	followsNumber := strings.ContainsRune(joiningMarks, last) && unicode.IsDigit(lastRune(before[:len(before)-1]))
	return !followsNumber
}
