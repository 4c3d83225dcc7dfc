package lexical

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// stopped marks a stop word, which is not a term.
const stopped = -1

// vocabulary numbers terms in the order in which they are first seen, and remembers the term of each word.
type vocabulary struct {
	words  map[string]int32 // maps a lower-cased word to its term, or to stopped
	stems  map[string]int32
	shared *Stems
}

func newVocabulary(shared *Stems) *vocabulary {
	return &vocabulary{words: map[string]int32{}, stems: map[string]int32{}, shared: shared}
}

// Stems remembers the stems of words for the next catalog, because catalogs have most of their words in common. It changes no
// result. The zero value is ready to use, and nil remembers nothing. Stems is not safe for concurrent use.
type Stems struct {
	of map[string]string
}

// These limits keep hostile texts from filling the memory.
const (
	mostStems   = 1 << 16
	longestStem = 40 // in bytes; longer words are not remembered
)

// Stem returns the stem of a word in lower case.
func (s *Stems) Stem(word string) string { return s.stem(word) }

func (s *Stems) stem(word string) string {
	if s == nil || len(word) > longestStem {
		return english.Stem(word, true)
	}
	if stem, ok := s.of[word]; ok {
		return stem
	}
	stem := english.Stem(word, true)
	if s.of == nil {
		s.of = map[string]string{}
	}
	if len(s.of) < mostStems {
		// Copies, so that the cache does not hold on to the whole text.
		s.of[strings.Clone(word)] = strings.Clone(stem)
	}
	return stem
}

// term returns the number of a word's stem, or stopped.
func (v *vocabulary) term(word string) int32 {
	word = strings.ToLower(word)
	if id, ok := v.words[word]; ok {
		return id
	}
	id := int32(stopped)
	if !stopWords[word] {
		id = v.number(v.shared.stem(word))
	}
	// A copy, so that the cache does not hold on to the whole text.
	v.words[strings.Clone(word)] = id
	return id
}

func (v *vocabulary) number(stem string) int32 {
	id, ok := v.stems[stem]
	if !ok {
		id = int32(len(v.stems))
		v.stems[strings.Clone(stem)] = id
	}
	return id
}

// text appends the terms of a text in order, including repeated terms.
func (v *vocabulary) text(to []int32, text string) []int32 {
	return v.terms(to, strings.FieldsFuncSeq(text, isSeparator))
}

func (v *vocabulary) name(to []int32, name string) []int32 { return v.terms(to, nameWords(name)) }

func (v *vocabulary) terms(to []int32, words iter.Seq[string]) []int32 {
	for word := range words {
		if id := v.term(word); id != stopped {
			to = append(to, id)
		}
	}
	return to
}

func nameWords(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for run := range strings.FieldsFuncSeq(name, isSeparator) {
			for run != "" {
				n := firstWord(run)
				if !yield(run[:n]) {
					return
				}
				run = run[n:]
			}
		}
	}
}

func isSeparator(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// firstWord returns the length in bytes of the first camelCase word of a run of letters and digits. A word begins at an
// upper-case letter after any other character (listFiles, page2Title), and at the last of several upper-case letters before a
// lower-case letter (HTTPServer).
func firstWord(run string) int {
	before, n := utf8.DecodeRuneInString(run)
	for i := n; i < len(run); i += n {
		var now rune
		now, n = utf8.DecodeRuneInString(run[i:])
		next, _ := utf8.DecodeRuneInString(run[i+n:])
		if unicode.IsUpper(now) && (!unicode.IsUpper(before) || unicode.IsLower(next)) {
			return i
		}
		before = now
	}
	return len(run)
}

// count is the number of times that a term occurs in a document.
type count struct {
	term int32
	n    int32
}

// tally counts the terms whose numbers are in ids. It sorts ids in place.
func tally(ids []int32) []count {
	slices.Sort(ids)
	var counts []count
	for _, id := range ids {
		if last := len(counts) - 1; last >= 0 && counts[last].term == id {
			counts[last].n++
			continue
		}
		counts = append(counts, count{id, 1})
	}
	return counts
}
