package locate

import (
	"strconv"
	"unicode"
	"unicode/utf8"
)

// Descriptions and files are compared by letters: letters and digits of any script. Everything between two letters is a
// gap.

// The classes of bytes that are not ASCII letters or digits. The class of an ASCII letter or digit is the byte itself.
const (
	inGap     = 0
	inEscape  = 1 // a backslash
	inUnicode = 2 // a part of a character beyond ASCII
)

var classes = func() (table [256]byte) {
	for c := range table {
		switch {
		case isLetter(byte(c)):
			table[c] = byte(c)
		case c == '\\':
			table[c] = inEscape
		case c >= utf8.RuneSelf:
			table[c] = inUnicode
		}
	}
	return table
}()

func isLetter(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// decode returns the letter at the beginning of text, or 0 if there is none, and the number of its bytes. A backslash
// begins an escape; a run of backslashes counts as one, because source code doubles them.
func decode(text []byte) (letter rune, size int) {
	switch c := classes[text[0]]; c {
	case inGap:
		return 0, 1
	case inEscape:
		return decodeEscape(text)
	case inUnicode:
		r, size := utf8.DecodeRune(text)
		return onlyLetter(r), size
	default:
		return rune(c), 1
	}
}

func onlyLetter(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		return r
	}
	return 0
}

func decodeEscape(text []byte) (letter rune, size int) {
	for size < len(text) && text[size] == '\\' {
		size++
	}
	if size == len(text) {
		return 0, size
	}
	switch text[size] {
	case 'n', 'r', 't':
		return 0, size + 1
	case 'x':
		return decodeHex(text, size, 2)
	case 'u':
		return decodeHex(text, size, 4)
	case 'U':
		return decodeHex(text, size, 8)
	}
	return 0, size
}

// decodeHex decodes the digits after the letter at text[at]: count digits, or any number in braces. If there are none,
// the escape ends before the letter.
func decodeHex(text []byte, at, count int) (letter rune, size int) {
	start, end := at+1, at+1+count
	braces := start < len(text) && text[start] == '{'
	if braces {
		for start, end = start+1, start+1; end < len(text) && end < start+8 && text[end] != '}'; end++ {
		}
	}
	if end > len(text) || start == end || braces && end == len(text) {
		return 0, at
	}
	value, err := strconv.ParseUint(string(text[start:end]), 16, 32)
	if err != nil {
		return 0, at
	}
	if braces {
		end++
	}
	if value > unicode.MaxRune {
		return 0, end
	}
	return onlyLetter(rune(value)), end
}
