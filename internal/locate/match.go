package locate

import (
	"bytes"
	"unicode/utf8"
)

// kind is the quality of a match between a text and a description. The zero kind is no match.
type kind int

const (
	inserted kind = iota + 1 // the beginning of the description, up to a value that the code inserts
	sentence                 // the first sentence of the description
	whole                    // the whole description
)

// maxGap bounds the bytes between two letters of a description in a source: quotes, operators, line breaks, indentation. With a
// longer gap there is no match.
const maxGap = 512

// match compares a text, from the letter at start on, with the pattern. It returns the kind of match, the number of
// equal letters, and the end of the match.
func (p *pattern) match(text []byte, start int) (k kind, count, end int) {
	at, sentenceEnd := start, 0
	for ; count < len(p.letters); count++ {
		letter, first, next := nextLetter(text, at)
		if letter != p.letters[count] || count > 0 && !p.gapFits(text[at:first], count) {
			break
		}
		at = next
		if count+1 == p.sentence {
			sentenceEnd = at
		}
	}
	switch {
	case count == len(p.letters) && (p.isCut || ends(text[at:])):
		k = whole
	case sentenceEnd > 0 && ends(text[sentenceEnd:]):
		k = sentence
	case p.characters(count) >= minText && insertsValue(text[at:]):
		k = inserted
	}
	return k, count, at
}

// nextLetter returns the first letter of text from at on, with its start and its end. It gives up after maxGap.
func nextLetter(text []byte, at int) (letter rune, start, end int) {
	if at < len(text) && classes[text[at]] > inUnicode {
		return rune(text[at]), at, at + 1
	}
	begin := at
	for limit := min(len(text), at+maxGap); at < limit; {
		letter, size := decode(text[at:])
		if letter != 0 && !isPrefix(text[begin:at], text[at:]) {
			return letter, at, at + size
		}
		at += size
	}
	return 0, at, at
}

// isPrefix reports whether text begins with the prefix of a quoted text, such as Python's f"". The gap before it must end another
// quoted text.
func isPrefix(gap, text []byte) bool {
	beginsQuoted := len(text) > 1 && bytes.IndexByte([]byte("fFrRbBuU"), text[0]) >= 0 && (text[1] == '"' || text[1] == '\'')
	endsQuoted := bytes.ContainsAny(gap, "\"'") && bytes.IndexByte([]byte(" \t\r\n"), gap[len(gap)-1]) >= 0
	return beginsQuoted && endsQuoted
}

// gapFits reports whether the gap before a letter in a text fits the pattern: the description has a gap there, too, or the gap
// contains the end of a quoted text and the beginning of the next.
func (p *pattern) gapFits(gap []byte, letter int) bool {
	if p.gaps[letter] {
		return len(gap) > 0
	}
	return len(gap) == 0 || bytes.ContainsAny(gap, "\"'`")
}

// characters returns the number of characters in the part of the description that has the given number of letters. Each gap
// counts as one character.
func (p *pattern) characters(letters int) int {
	n := letters
	for _, gap := range p.gaps[:letters] {
		if gap {
			n++
		}
	}
	return n
}

// begins reports whether a description may begin at start: its line has no prose before start.
func begins(text []byte, start int) bool {
	for start > 0 {
		before, size := utf8.DecodeLastRune(text[:start])
		start -= size
		switch before {
		case ' ', '\t':
			continue
		case ',', ';', '.', ')', '!', '?':
			return false
		}
		return onlyLetter(before) == 0 || isEscaped(text[:start], before)
	}
	return true
}

// isEscaped reports whether a letter after text completes an escape for white space: \n, \r or \t.
func isEscaped(text []byte, letter rune) bool {
	return (letter == 'n' || letter == 'r' || letter == 't') && bytes.HasSuffix(text, []byte(`\`))
}

// ends reports whether prose may end before text: with a sentence, a line or a quoted text.
func ends(text []byte) bool {
	text = bytes.TrimLeft(text, ")]}*_")
	switch r, size := utf8.DecodeRune(text); r {
	case '.', '!', '?', '。', '！', '？', '"', '`', '\\':
		return true
	case '\'', ':':
		letter, _ := decodeAny(text[size:])
		return letter == 0
	}
	text = bytes.TrimLeft(text, " \t")
	return len(text) == 0 || bytes.IndexByte([]byte("\r\n\"'`\\<|*"), text[0]) >= 0
}

func decodeAny(text []byte) (letter rune, size int) {
	if len(text) == 0 {
		return 0, 0
	}
	return decode(text)
}

// maxInsertion is the number of bytes that are read to find out whether code inserts a value.
const maxInsertion = 80

// insertsValue reports whether the code inserts a value at the beginning of text, with a template or an operator.
func insertsValue(text []byte) bool {
	text = text[:min(len(text), maxInsertion)]
	_, start, _ := nextLetter(text, 0)
	gap := text[:start]
	quote := bytes.IndexAny(gap, "\"'`")
	if quote < 0 {
		quote = len(gap)
	}
	if bytes.ContainsAny(gap[:quote], "${%") || bytes.Contains(gap[:quote], []byte(`\(`)) {
		return true
	}
	rest := bytes.TrimLeft(gap[quote:], "\"'` \t\r\n")
	return bytes.HasPrefix(rest, []byte("+")) || bytes.HasPrefix(rest, []byte("&")) || bytes.HasPrefix(rest, []byte(". "))
}
