package redact

import "strings"

// charset is a set of bytes.
type charset [256]bool

func bytesOf(chars string) *charset {
	var set charset
	for _, c := range []byte(chars) {
		set[c] = true
	}
	return &set
}

const (
	lowers   = "abcdefghijklmnopqrstuvwxyz"
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	numerals = "0123456789"
)

var (
	capitalBytes = bytesOf(capitals + numerals)
	alnumBytes   = bytesOf(lowers + capitals + numerals)
	wordBytes    = bytesOf(lowers + capitals + numerals + "_")
	nameBytes    = bytesOf(lowers + capitals + numerals + "_-")
	dottedBytes  = bytesOf(lowers + capitals + numerals + "_-.")
	base64Bytes  = bytesOf(lowers + capitals + numerals + "+/=_-")
	bearerBytes  = bytesOf(lowers + capitals + numerals + "-._~+/=") // token68 of RFC 7235
	hexBytes     = bytesOf("abcdefABCDEF" + numerals)
	numeralBytes = bytesOf(numerals)
	blankBytes   = bytesOf(" \t\r\n\v\f")
)

func endOfRun(text string, at int, set *charset) int {
	for at < len(text) && set[text[at]] {
		at++
	}
	return at
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func upperByte(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

func hasDigit(text string) bool { return strings.ContainsAny(text, numerals) }

func longestWord(text string) int {
	longest := 0
	for i := 0; i < len(text); i++ {
		end := endOfRun(text, i, alnumBytes)
		longest = max(longest, end-i)
		i = end
	}
	return longest
}

// startsWord reports whether a word can start at a place, because no letter or digit precedes it. The last letter of an escape,
// such as \n, \u0026, %20 or a terminal's \x1b[31m, does not count as a letter.
func startsWord(text string, at int) bool {
	if at == 0 || !alnumBytes[text[at-1]] {
		return true
	}
	before := text[max(0, at-12):at]
	if endsEscape(before) {
		return true
	}
	// The sequence that sets colours, ESC [ 3 1 m; ESC itself has many spellings.
	if color, ok := strings.CutSuffix(before, "m"); ok {
		return strings.HasSuffix(strings.TrimRight(color, numerals+";"), "[")
	}
	return false
}

func endsEscape(before string) bool {
	n := len(before)
	switch {
	case n >= 2 && before[n-2] == '\\' && strings.IndexByte("nrtbf", before[n-1]) >= 0:
		return true
	case n >= 3 && before[n-3] == '%' && endOfRun(before, n-2, hexBytes) == n:
		return true
	}
	return n >= 6 && before[n-6] == '\\' && before[n-5] == 'u' && endOfRun(before, n-4, hexBytes) == n
}
