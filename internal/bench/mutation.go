package bench

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is the way in which a mutation changes a description.
type Kind string

// The kinds of mutations.
const (
	blank       Kind = "blank"        // removes the description
	genericize  Kind = "genericize"   // replaces the description by a phrase without content
	truncate    Kind = "truncate"     // keeps the first characters of the description
	dropKeyword Kind = "drop_keyword" // removes every occurrence of a word
)

// kinds lists the kinds of mutations, those of [Spec].Auto first.
var kinds = []Kind{blank, genericize, truncate, dropKeyword}

// autoKinds is the number of kinds that [Spec].Auto tries on every tool. These kinds have no parameter.
const autoKinds = 2

// generic is a description that fits any tool.
const generic = "Performs an operation."

// apply returns a description after the mutation.
func (m Mutation) apply(description string) string {
	switch m.Kind {
	case blank:
		return ""
	case genericize:
		return generic
	case truncate:
		return firstChars(description, m.Chars)
	case dropKeyword:
		return dropWord(description, m.Word)
	}
	return description
}

func firstChars(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// dropWord removes every occurrence of word from text, in upper or lower case, unless it is a part of a longer word. A word
// consists of letters, digits and underscores.
func dropWord(text, word string) string {
	folded, at := fold(text)
	wanted, _ := fold(word)
	if wanted == "" {
		return text
	}
	first, _ := utf8.DecodeRuneInString(wanted)
	last, _ := utf8.DecodeLastRuneInString(wanted)
	var rest strings.Builder
	kept, from := 0, 0
	for {
		i := strings.Index(folded[from:], wanted)
		if i < 0 {
			break
		}
		start, end := from+i, from+i+len(wanted)
		before, _ := utf8.DecodeLastRuneInString(folded[:start])
		after, _ := utf8.DecodeRuneInString(folded[end:])
		continuesBefore := isWordRune(first) && isWordRune(before)
		continuesAfter := isWordRune(last) && isWordRune(after)
		if continuesBefore || continuesAfter {
			from = start + skip(folded[start:])
			continue
		}
		rest.WriteString(text[kept:at[start]])
		kept, from = at[end], end
	}
	return rest.String() + text[kept:]
}

// skip returns the number of bytes at the beginning of text in which no occurrence can begin: the rest of a word, or one
// character.
func skip(text string) int {
	for i, r := range text {
		if !isWordRune(r) {
			return max(i, utf8.RuneLen(r))
		}
	}
	return len(text)
}

// fold returns text without differences of case: characters that differ only in case become the same character. For each byte of
// folded, at has the offset in text of the character that the byte comes from. The last element of at is the length of text.
func fold(text string) (folded string, at []int) {
	var b strings.Builder
	for i, r := range text {
		b.WriteRune(foldRune(r))
		for len(at) < b.Len() {
			at = append(at, i)
		}
	}
	return b.String(), append(at, len(text))
}

func foldRune(r rune) rune {
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	return least
}

func isWordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
