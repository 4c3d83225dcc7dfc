package english

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// prose is the description of an argument in which a set of values is searched for.
type prose struct {
	text  string
	lower string // text with A-Z in lower case, so that offsets are the same in both
	words []Span // words of lower
}

// Bounds on the number of lists that are tried in one text, and on the number of words of a label.
const (
	maxTries = 50
	maxLabel = 4
)

// allowing are words that turn the list after "values" or a similar noun into a fixed set.
var allowing = setOf("allowed valid possible supported available accepted acceptable permitted legal")

// valueNouns are words that introduce a set even without a word of allowing: "Options are: …".
var valueNouns = setOf("values options choices")

// introduction reports whether word i begins an introduction of a list, and returns the start of the list after it.
type introduction func(p prose, i int) (at int, ok bool)

func (p prose) introduced(begins introduction) []string {
	tries := 0
	for i, word := range p.words {
		at, ok := begins(p, i)
		if !ok {
			continue
		}
		if tries++; tries > maxTries {
			break
		}
		if p.isExample(word.Start) {
			continue
		}
		if values := p.listAfter(at); len(values) > 1 {
			return values
		}
	}
	return nil
}

// label reports whether word i begins a label such as "allowed values:" or "supported formats are", and returns the
// start of the list after it.
func (p prose) label(i int) (at int, ok bool) {
	if w := p.word(i); !allowing[w] && !valueNouns[w] {
		return 0, false
	}
	if refusals[p.word(i-1)] {
		return 0, false
	}
	for j := i; j < min(i+maxLabel, len(p.words)) && !refusals[p.word(j)]; j++ {
		end := p.words[j].End
		behind := p.behindColon(end)
		if w := p.word(j); behind != end || j > i && (w == "are" || w == "is") {
			return behind, true
		}
		if strings.HasPrefix(p.word(j+1), "includ") || j+1 < len(p.words) && strings.Trim(p.text[end:p.words[j+1].Start], " ") != "" {
			break
		}
	}
	return 0, false
}

func (p prose) word(i int) string {
	if i < 0 || i >= len(p.words) {
		return ""
	}
	return p.words[i].Of(p.lower)
}

// behindColon returns the offset after the colon that follows the offset at; at itself if no colon follows.
func (p prose) behindColon(at int) int {
	rest := strings.TrimLeft(p.text[at:], " ")
	if strings.HasPrefix(rest, ":") {
		return len(p.text) - len(rest) + 1
	}
	return at
}

func (p prose) listAfter(at int) []string {
	if values := p.bullets(at); len(values) > 1 {
		return values
	}
	list := p.list(at, true)
	mayGoOn := p.isOpen(list.end) || list.bare && !p.endsClause(list.end)
	if len(list.values) < 2 || mayGoOn || !list.canBeFixed() {
		return nil
	}
	return list.values
}

func (p prose) bullets(at int) []string {
	var values []string
	rest := p.text[at:]
	for len(values) < maxValues {
		i := bulletAt(rest)
		if i < 0 {
			break
		}
		value, size := quotedItem(rest[i:])
		// If the first bullet has no value, the bullets are not a list of values.
		if size == 0 || !isValue(value) {
			if len(values) == 0 {
				return nil
			}
		} else {
			values = appendNew(values, value)
		}
		rest = rest[min(len(rest), i+max(size, 1)):]
	}
	return values
}

// bulletAt returns the offset after the next "- ", "* " or "• " that follows white space, or -1.
func bulletAt(s string) int {
	for _, bullet := range []string{"- ", "* ", "• "} {
		for from := 0; ; {
			i := strings.Index(s[from:], bullet)
			if i < 0 {
				break
			}
			i += from
			before, _ := utf8.DecodeLastRuneInString(s[:i])
			if i == 0 || unicode.IsSpace(before) {
				return i + len(bullet)
			}
			from = i + len(bullet)
		}
	}
	return -1
}

func appendNew(values []string, value string) []string {
	if slices.Contains(values, value) {
		return values
	}
	return append(values, value)
}

// barSeparated returns the values of a|b|c, or of a | b | c.
func (p prose) barSeparated() []string {
	from := 0
	for range maxTries {
		i := strings.IndexByte(p.text[from:], '|')
		if i < 0 {
			break
		}
		bar := from + i
		start := bareStart(p.text, bar)
		values, end, spaced := barSeparatedAt(p.text, start)
		isWholeClause := p.startsClause(start) && p.endsClause(end)
		isSet := len(values) > 1 && !p.isExample(start) && !p.isOpen(end) && p.delimited(start, end)
		if isSet && (!spaced || isWholeClause) {
			return values
		}
		from = max(end, bar+1)
	}
	return nil
}

// bareStart returns the start of the single word before a bar; a space may be between them.
func bareStart(text string, bar int) int {
	start := bar
	if start > 0 && text[start-1] == ' ' {
		start--
	}
	for start > 0 && isBareByte(text[start-1]) {
		start--
	}
	return start
}

// barSeparatedAt reads a|b|c; spaced is set if spaces surround a bar.
func barSeparatedAt(text string, at int) (values []string, end int, spaced bool) {
	for {
		size := bareSize(text[at:])
		if size == 0 {
			return nil, at, spaced
		}
		values = appendNew(values, text[at:at+size])
		at += size
		rest := strings.TrimLeft(text[at:], " ")
		if !strings.HasPrefix(rest, "|") || len(values) == maxValues {
			return values, at, spaced
		}
		after := strings.TrimLeft(rest[1:], " ")
		spaced = spaced || len(text)-len(after) != at+1
		at = len(text) - len(after)
	}
}

func (p prose) startsClause(at int) bool {
	before := strings.TrimRight(p.text[:at], " ")
	return before == "" || strings.ContainsRune(".:;(-—–\n", lastRune(before))
}

// delimited reports whether the characters beside a|b|c show that it is not a part of a pattern or a path.
func (p prose) delimited(start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(p.text[:start])
	after, _ := utf8.DecodeRuneInString(p.text[end:])
	return !strings.ContainsRune(`|:/\^$[]{}=&?+*@#`, before) && !strings.ContainsRune(`|/\^$[]{}=&+*@#`, after) && !isWordRune(after)
}
