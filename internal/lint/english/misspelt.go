package english

import (
	"bytes"
	"slices"
	"strings"
)

// Lengths in letters of the words that may be misspelt verbs. Shorter words are too similar to others.
const (
	minMisspelt = 7
	maxMisspelt = maxVerb
)

// BeginsMisspelt reports whether a text begins with a misspelt verb, so that the verb is not reported as missing: two
// neighbouring letters are in the wrong order, a form in -s has one letter too few or too many, or a form in -s runs
// into an "up" ("Looksup"). The last letter must be right. Other forms with a letter too few or too many are too
// similar to nouns: managers, summaries, pending.
func BeginsMisspelt(text string) bool {
	at, ok := NextWord(text, 0)
	if !ok || at.Start > 0 {
		return false
	}
	word := []byte(strings.ToLower(at.Of(text)))
	hasOtherRune := slices.ContainsFunc(word, func(b byte) bool { return !isASCIILetter(b) })
	if hasOtherRune || len(word) < minMisspelt || len(word) > maxMisspelt {
		return false
	}
	isThirdPerson := word[len(word)-1] == 's' && !bytes.HasSuffix(word, []byte("rs")) && !bytes.HasSuffix(word, []byte("ies"))
	if isThirdPerson && (hasExtraLetter(word) || lacksLetter(word)) {
		return true
	}
	return hasSwappedLetters(word) || runsTogether(word)
}

// runsTogether reports whether a verb such as "looks up" lacks its space.
func runsTogether(word []byte) bool {
	verb, up := bytes.CutSuffix(word, []byte("up"))
	return up && bytes.HasSuffix(verb, []byte("s")) && commonVerbs()[string(verb)] != nowhere
}

// hasSwappedLetters reports whether a word becomes a verb if two neighbouring letters are swapped. The last letter is
// not swapped.
func hasSwappedLetters(word []byte) bool {
	for i := range len(word) - 2 {
		if isForm(slices.Concat(word[:i], []byte{word[i+1], word[i]}, word[i+2:])) {
			return true
		}
	}
	return false
}

func hasExtraLetter(word []byte) bool {
	for i := range len(word) - 1 {
		if isForm(slices.Concat(word[:i], word[i+1:])) {
			return true
		}
	}
	return false
}

func lacksLetter(word []byte) bool {
	for i := range word {
		for letter := byte('a'); letter <= 'z'; letter++ {
			if isForm(slices.Concat(word[:i], []byte{letter}, word[i:])) {
				return true
			}
		}
	}
	return false
}
