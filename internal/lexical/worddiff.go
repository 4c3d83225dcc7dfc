package lexical

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// Change is a kind of change to a part of a text.
type Change string

// A part can have these changes.
const (
	Same    Change = "same"
	Removed Change = "removed"
	Added   Change = "added"
	LeftOut Change = "left out" // words of both texts that are too far from a change to be shown
)

// DiffPart is a run of words with one change. The text of words that are left out is "".
type DiffPart struct {
	Change Change `json:"change"`
	Text   string `json:"text"`
}

// Limits on the words that a diff shows, and on the texts that are compared.
const (
	maxDiffWords      = 60
	maxDiffCharacters = 400
	maxComparedWords  = 2000
	diffContext       = 4 // unchanged words that are shown on each side of a change
)

// WordDiff compares two texts word by word. It returns the changed words and a few words around them, at most 60 words and 400
// characters. White space does not count. A character of a script without spaces counts as a word. The diff is nil for texts that
// have the same words. ok is false for texts of more than 2,000 words, which are not compared.
func WordDiff(before, after string) (parts []DiffPart, ok bool) {
	old, now := splitWords(before), splitWords(after)
	if len(old) > maxComparedWords || len(now) > maxComparedWords {
		return nil, false
	}
	if slices.Equal(old, now) {
		return nil, true
	}
	var w diffWriter
	edits := editsOf(old, now)
	for i, e := range edits {
		words := e.words
		if e.change == Same {
			w.same(words, i > 0, i < len(edits)-1)
			continue
		}
		w.add(e.change, words)
	}
	return w.parts, true
}

// splitWords splits a text at white space, and around each character of a script that has no spaces between words.
func splitWords(text string) []string {
	var words []string
	for _, field := range strings.Fields(text) {
		from := 0
		for i, r := range field {
			if !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
				continue
			}
			if i > from {
				words = append(words, field[from:i])
			}
			from = i + len(string(r))
			words = append(words, field[i:min(from, len(field))])
		}
		if from < len(field) {
			words = append(words, field[from:])
		}
	}
	return words
}

// edit is a run of words with one change.
type edit struct {
	change Change
	words  []string
}

// editsOf returns the shortest list of edits from one list of words to another. The library compares characters, so each
// different word becomes a character of the private planes, which have enough characters for both lists.
func editsOf(old, now []string) []edit {
	const first = 0xF0000
	var known []string
	runes := map[string]rune{}
	encode := func(words []string) []rune {
		text := make([]rune, len(words))
		for i, word := range words {
			if _, ok := runes[word]; !ok {
				runes[word] = first + rune(len(known))
				known = append(known, word)
			}
			text[i] = runes[word]
		}
		return text
	}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // without a time limit, the diff is the same on every machine
	var edits []edit
	for _, d := range dmp.DiffCleanupMerge(dmp.DiffMainRunes(encode(old), encode(now), false)) {
		e := edit{change: map[diffmatchpatch.Operation]Change{
			diffmatchpatch.DiffEqual: Same, diffmatchpatch.DiffDelete: Removed, diffmatchpatch.DiffInsert: Added,
		}[d.Type]}
		for _, r := range d.Text {
			e.words = append(e.words, known[r-first])
		}
		edits = append(edits, e)
	}
	return edits
}

// diffWriter collects parts until there is no room for more.
type diffWriter struct {
	parts             []DiffPart
	words, characters int
}

func (w *diffWriter) same(words []string, changedBefore, changedAfter bool) {
	head, tail := 0, len(words)
	if changedBefore {
		head = min(diffContext, len(words))
	}
	if changedAfter {
		tail = max(head, len(words)-diffContext)
	}
	w.add(Same, words[:head])
	if tail > head {
		w.leaveOut()
	}
	w.add(Same, words[tail:])
}

func (w *diffWriter) add(change Change, words []string) {
	fit := 0
	for fit < len(words) && w.words < maxDiffWords && w.characters < maxDiffCharacters {
		w.words++
		w.characters += len([]rune(words[fit])) + 1
		fit++
	}
	if fit > 0 {
		w.parts = append(w.parts, DiffPart{change, cutText(joined(words[:fit]))})
	}
	if fit < len(words) {
		w.leaveOut()
	}
}

func (w *diffWriter) leaveOut() {
	if n := len(w.parts); n == 0 || w.parts[n-1].Change != LeftOut {
		w.parts = append(w.parts, DiffPart{Change: LeftOut})
	}
}

// joined returns words as a text, with spaces between them, except between characters of a script without spaces.
func joined(words []string) string {
	var b strings.Builder
	for i, word := range words {
		if i > 0 && !(isIdeograph(words[i-1]) && isIdeograph(word)) {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
}

func isIdeograph(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
	})
}

func cutText(text string) string {
	if runes := []rune(text); len(runes) > maxDiffCharacters {
		return string(runes[:maxDiffCharacters]) + "…"
	}
	return text
}
