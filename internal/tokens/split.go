package tokens

import (
	"unicode"
	"unicode/utf8"
)

// class is a group of characters in the pattern of cl100k_base.
type class uint8

const (
	other   class = iota
	letter        // \p{L}
	number        // \p{N}
	space         // \s other than newline
	newline       // [\r\n]
)

func classOf(r rune) class {
	switch {
	case r == '\n' || r == '\r':
		return newline
	case unicode.IsLetter(r):
		return letter
	case unicode.IsNumber(r):
		return number
	case unicode.IsSpace(r):
		return space
	}
	return other
}

var asciiClasses = func() (classes [utf8.RuneSelf]class) {
	for r := range classes {
		classes[r] = classOf(rune(r))
	}
	return classes
}()

// first returns the class of the first character of s and its length in bytes; the length is 0 at the end.
func first(s string) (class, int) {
	if len(s) == 0 {
		return other, 0
	}
	if s[0] < utf8.RuneSelf {
		return asciiClasses[s[0]], 1
	}
	r, size := utf8.DecodeRuneInString(s)
	return classOf(r), size
}

// span returns the length in bytes of the characters of class c at the start of s.
func span(s string, c class) int {
	n := 0
	for {
		got, size := first(s[n:])
		if size == 0 || got != c {
			return n
		}
		n += size
	}
}

// firstPiece returns the length of the first match in s, which is not empty, of the pattern of cl100k_base:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
//
// The pattern matches at every character, so there is nothing between pieces.
func firstPiece(s string) int {
	if n := contraction(s); n > 0 {
		return n
	}
	c, size := first(s)
	switch c {
	case letter:
		return size + span(s[size:], letter)
	case number:
		return numbers(s)
	case newline:
		return whiteSpace(s)
	}
	if n := span(s[size:], letter); n > 0 {
		return size + n
	}
	if c == other {
		return symbols(s, 0)
	}
	next, nextSize := first(s[size:])
	isSymbolNext := nextSize > 0 && next == other
	if s[0] == ' ' && isSymbolNext {
		return symbols(s, size)
	}
	return whiteSpace(s)
}

// contraction returns the length of an English contraction's ending at the start of s, including the apostrophe, otherwise 0.
func contraction(s string) int {
	if len(s) < 2 || s[0] != '\'' {
		return 0
	}
	const lower = 'a' - 'A'
	switch s[1] | lower {
	case 's', 't', 'm', 'd':
		return 2
	}
	if len(s) < 3 {
		return 0
	}
	switch [2]byte{s[1] | lower, s[2] | lower} {
	case [2]byte{'r', 'e'}, [2]byte{'v', 'e'}, [2]byte{'l', 'l'}:
		return 3
	}
	return 0
}

// numbers returns the length of the digits at the start of s, at most three.
func numbers(s string) int {
	n := 0
	for range 3 {
		c, size := first(s[n:])
		if c != number {
			break
		}
		n += size
	}
	return n
}

// symbols returns n plus the length of the symbols after the first n bytes, and of the newlines after these.
func symbols(s string, n int) int {
	n += span(s[n:], other)
	return n + span(s[n:], newline)
}

// whiteSpace returns the length of the white space at the start of s up to its last newline. Without a newline, the length
// excludes the last character, which belongs to the following piece.
func whiteSpace(s string) int {
	end, last, afterNewline := 0, 0, 0
	for {
		c, size := first(s[end:])
		if size == 0 {
			last = end // there is no following piece
			break
		}
		if c != space && c != newline {
			break
		}
		last, end = end, end+size
		if c == newline {
			afterNewline = end
		}
	}
	switch {
	case afterNewline > 0:
		return afterNewline
	case last > 0:
		return last
	}
	return end
}
