package english

import (
	"slices"
	"strings"
)

// Vocabulary holds the words of a text, by their first letters.
type Vocabulary map[string][]string

// Lengths in letters: of the shortest word that counts, of the common beginning of two forms, and of an ending.
const (
	shortestWord = 3
	beginning    = 4
	longestEnd   = 4
)

// Bounds on the work: the bytes of a text that are read, and the number of its words with the same first letters,
// because a malicious catalog has millions of names to compare with them.
const (
	maxRead  = 1 << 13
	maxAlike = 32
)

// NewVocabulary returns the words of a text, or of the beginning of a long text.
func NewVocabulary(text string) Vocabulary {
	v := Vocabulary{}
	for _, word := range NameWords(strings.ToValidUTF8(text[:min(len(text), maxRead)], " ")) {
		if len(word) < shortestWord {
			continue
		}
		alike := v[word[:shortestWord]]
		if len(alike) < maxAlike && !slices.Contains(alike, word) {
			v[word[:shortestWord]] = append(alike, word)
		}
	}
	return v
}

// Covers reports whether each word of a name, except short ones, is in a vocabulary in any form.
func Covers(name string, among ...Vocabulary) bool {
	hasWord := false
	for _, word := range NameWords(name) {
		if len(word) < shortestWord {
			continue
		}
		hasWord = true
		if !slices.ContainsFunc(among, func(v Vocabulary) bool { return v.has(word) }) {
			return false
		}
	}
	return hasWord
}

func (v Vocabulary) has(word string) bool {
	return slices.ContainsFunc(v[word[:shortestWord]], func(known string) bool { return sameWord(word, known) })
}

// sameWord reports whether two words differ only in their ending (story, stories; run, running).
func sameWord(a, b string) bool {
	n, shorter := 0, min(len(a), len(b))
	for n < shorter && a[n] == b[n] {
		n++
	}
	return (n == shorter || n >= beginning) && max(len(a), len(b))-n <= longestEnd
}
