package bench

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is what a mutation does to a description.
type Kind string

// The kinds of mutations.
const (
	blank       Kind = "blank"        // removes the description
	genericize  Kind = "genericize"   // replaces it by a phrase without content
	truncate    Kind = "truncate"     // keeps its first characters
	dropKeyword Kind = "drop_keyword" // removes every occurrence of a word
)

// kinds lists the kinds of mutations, those of [Spec].Auto first.
var kinds = []Kind{blank, genericize, truncate, dropKeyword}

// autoKinds is how many of Kinds are tried on every tool: those without a parameter.
const autoKinds = 2

// generic is a description that fits any tool.
const generic = "Performs an operation."

// apply returns what the mutation leaves of a description.
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

// dropWord removes every occurrence of word from text, in any case, where it is not a part of a longer word. A word is
// made of letters, digits and underscores.
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
		if isWordRune(first) && isWordRune(before) || isWordRune(last) && isWordRune(after) {
			from = start + skip(folded[start:])
			continue
		}
		rest.WriteString(text[kept:at[start]])
		kept, from = at[end], end
	}
	return rest.String() + text[kept:]
}

// skip returns how many bytes at the beginning of text cannot hold the beginning of an occurrence: the rest of a word, or
// one character.
func skip(text string) int {
	for i, r := range text {
		if !isWordRune(r) {
			return max(i, utf8.RuneLen(r))
		}
	}
	return len(text)
}

// fold returns text with every character replaced by the first of those that differ from it in case only, and for each
// byte of the result, and for its end, where in text the character stands.
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
