package locate

import (
	"bytes"
	"unicode"

	"github.com/org/mcp-gates/internal/catalog"
)

const (
	// minText is the least number of characters of a description that the source must have. A whole first sentence may be
	// shorter.
	minText = 16

	// windowSize is the number of letters that a search in texts compares first. A description whose first sentence has
	// fewer letters is not searched for: it could be found anywhere.
	windowSize = 8

	// maxLetters is the greatest number of letters of a description that a search compares, and maxDescription the greatest
	// number of bytes that it reads for them. It ignores the rest. [Compare] leaves out a description of more bytes.
	maxLetters     = 1024
	maxDescription = 16 << 10
)

// pattern is a description in the form in which it is searched for.
type pattern struct {
	letters  []rune
	gaps     []bool // whether a gap precedes the letter with the same index; false for the first
	sentence int    // number of letters in the first sentence
	isCut    bool   // whether the description has more letters
	tools    []*target
}

// target is a tool with this description, and the best place found for it.
type target struct {
	tool      *catalog.Tool
	spellings []int // spellings of its name, as indexes
	best      found
}

// newPattern returns the pattern of a description, and false if the description is too short to be found.
func newPattern(description string) (*pattern, bool) {
	text := []byte(description[:min(len(description), maxDescription)])
	p, end := &pattern{isCut: len(text) < len(description)}, sentenceEnd(text)
	gap := false
	for at := 0; at < len(text); {
		if len(p.letters) == maxLetters {
			p.isCut = true
			break
		}
		letter, size := decode(text[at:])
		at += size
		if letter == 0 {
			gap = true
			continue
		}
		p.letters, p.gaps = append(p.letters, letter), append(p.gaps, gap && len(p.letters) > 0)
		gap = false
		if at <= end {
			p.sentence = len(p.letters)
		}
	}
	return p, p.sentence >= windowSize
}

// sentenceEnd returns the end of the first sentence that ends after minText characters or more; without such a
// sentence, the end of text.
func sentenceEnd(text []byte) int {
	count := 0
	var before rune
	for i, r := range string(text) {
		endsHere := unicode.IsSpace(r) && isTerminator(before) || bytes.HasPrefix(text[i:], []byte("\n\n"))
		if count >= minText && endsHere {
			return i
		}
		before = r
		count++
		if count >= minText && isWideTerminator(r) {
			return i + len(string(r))
		}
	}
	return len(text)
}

func isTerminator(r rune) bool {
	return r == '.' || r == '!' || r == '?' || r == ':' || isWideTerminator(r)
}

func isWideTerminator(r rune) bool { return r == '。' || r == '！' || r == '？' }

// window returns the first windowSize letters of the pattern as one number.
func (p *pattern) window() uint64 {
	var window uint64
	for _, letter := range p.letters[:windowSize] {
		window = push(window, letter)
	}
	return window
}

func push(window uint64, letter rune) uint64 { return window<<8 | uint64(byte(letter)) }
