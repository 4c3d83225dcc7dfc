package suite

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// minTellingName is the least number of characters of a name that counts when it occurs in a prompt. A shorter name can occur
// by chance.
const minTellingName = 4

// namesIn returns those names of tools and servers that the prompt contains as whole words, ignoring case, in the given order
// and without repeats. Short names and plain words do not count, because a prompt can contain them by chance. A plain word is a
// name of letters alone without a capital after the first letter, in any language.
func namesIn(prompt string, names []string) []string {
	text := fold(prompt)
	var found []string
	seen := map[string]bool{}
	for _, name := range names {
		if !seen[name] && isTelling(name) && hasWord(text, fold(name)) {
			found = append(found, name)
		}
		seen[name] = true
	}
	return found
}

// fold returns the same text for texts that differ only in case or in the composition of their characters. Of the letters whose
// other case has several characters, such as ǰ and some of Greek, it handles only those of longFolds. Package cases of x/text
// knows all of them, but takes 1 % of the program.
func fold(s string) string {
	return strings.Map(foldRune, longFolds.Replace(norm.NFC.String(s)))
}

// longFolds replaces the more common letters whose other case has several characters.
var longFolds = strings.NewReplacer("ß", "ss", "ẞ", "ss", "İ", "i\u0307", "և", "եւ",
	"ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")

// foldRune returns the smallest of the characters that differ from r only in case.
func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		return unicode.ToUpper(r)
	}
	first := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		first = min(first, other)
	}
	return first
}

func isTelling(name string) bool {
	return utf8.RuneCountInString(name) >= minTellingName && !isPlainWord(name)
}

// isPlainWord reports whether a name is spelled like a plain word: search, Search and SEARCH, but not webSearch, web_search or
// search2.
func isPlainWord(name string) bool {
	notLetter := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }
	if strings.ContainsFunc(name, notLetter) {
		return false
	}
	_, first := utf8.DecodeRuneInString(name)
	rest := name[first:]
	return !strings.ContainsFunc(rest, unicode.IsUpper) || !strings.ContainsFunc(name, unicode.IsLower)
}

// hasWord reports whether text contains word without a letter, digit or underscore directly before or after it.
func hasWord(text, word string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return false
		}
		start := from + at
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[start+len(word):])
		if !isWordRune(before) && !isWordRune(after) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[start:])
		from = start + size
	}
}

func isWordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}
