package suite

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// minTellingName is the fewest characters of a name whose presence in a prompt says anything.
const minTellingName = 4

// namesIn returns those of the names of tools and servers that the prompt contains as a whole word, ignoring case, in
// the order given and each once. Short names and plain words are not counted, for a prompt can hold them by chance: a
// name of letters alone, without a capital past the first, counts as a word of the language, whichever it is.
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

// fold makes texts equal that differ only in case or in the composition of their characters. It misses letters whose other case has
// several characters, such as ǰ and some of Greek, but for those of longFolds. Package cases of x/text knows all of them, and is 1 %
// of the program.
func fold(s string) string {
	return strings.Map(foldRune, longFolds.Replace(norm.NFC.String(s)))
}

// longFolds replaces the more usual letters whose other case has several characters.
var longFolds = strings.NewReplacer("ß", "ss", "ẞ", "ss", "İ", "i\u0307", "և", "եւ",
	"ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")

// foldRune returns the first of the characters that differ from r in case alone.
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

// isPlainWord reports whether a name is spelled like a word: search, Search and SEARCH, but not webSearch, web_search
// or search2.
func isPlainWord(name string) bool {
	notLetter := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }
	if strings.ContainsFunc(name, notLetter) {
		return false
	}
	_, first := utf8.DecodeRuneInString(name)
	rest := name[first:]
	return !strings.ContainsFunc(rest, unicode.IsUpper) || !strings.ContainsFunc(name, unicode.IsLower)
}

// hasWord reports whether text contains word, and no letter, digit or underscore touches it.
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
