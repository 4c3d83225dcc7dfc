package redact

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// resolveEscapes returns the outer text after resolving its escapes once: those of JSON, JavaScript and Go strings, of URLs
// and of HTML. It returns nil if there are no escapes.
func (l *layer) resolveEscapes() []byte {
	var out []byte
	text, copied := l.outer.text, 0
	for i := nextEscape(text, 0); i < len(text); {
		var room [16]byte
		plain, size := appendUnescaped(room[:0], text[i:min(len(text), i+maxEscape)])
		if size > 0 {
			if out == nil {
				out = make([]byte, 0, len(text))
			}
			out = l.appendCopied(out, copied, i)
			l.addPart(part{at: len(out), from: i, unit: uint8(len(plain)), size: uint8(size)})
			out = append(out, plain...)
			copied = i + size
		}
		i = nextEscape(text, i+max(size, 1))
	}
	if out == nil {
		return nil
	}
	return l.appendCopied(out, copied, len(text))
}

// escapeBytes are the bytes that begin an escape.
var escapeBytes = bytesOf(`\%&`)

// nextEscape returns the first place from at on at which an escape may begin, or the end of the text.
func nextEscape(text string, at int) int {
	for at < len(text) && !escapeBytes[text[at]] {
		at++
	}
	return at
}

func (l *layer) appendCopied(out []byte, from, to int) []byte {
	if from == to {
		return out
	}
	l.addPart(part{at: len(out), from: from, unit: 1, size: 1})
	return append(out, l.outer.text[from:to]...)
}

func fullyUnescaped(text string) string {
	l := &layer{text: text}
	for range maxUnescaped {
		inner := l.innerLayer((*layer).resolveEscapes)
		if inner == nil {
			break
		}
		l = inner
	}
	return l.text
}

// maxEscape bounds the length of an escape, such as a number with leading zeros. A longer one is left as it is.
const maxEscape = 40

// appendUnescaped appends the character of the escape at the beginning of a text, and returns the length of the escape;
// 0 if there is none.
func appendUnescaped(out []byte, text string) (plain []byte, size int) {
	if len(text) < 2 {
		return out, 0
	}
	switch text[0] {
	case '%':
		if n, ok := hexNumber(text, 1, 2); ok {
			return append(out, byte(n)), 3
		}
	case '&':
		return appendEntity(out, text)
	case '\\':
		return appendSlashed(out, text)
	}
	return out, 0
}

func hexNumber(text string, at, digits int) (n rune, ok bool) {
	if at+digits > len(text) || endOfRun(text[:at+digits], at, hexBytes) < at+digits {
		return 0, false
	}
	value, err := strconv.ParseUint(text[at:at+digits], 16, 32)
	return rune(value), err == nil
}

// appendEntity resolves &amp; and all other names of HTML, &#38; and &#x26;. It resolves no entity without the semicolon,
// although browsers do, because the rest of a number may be escaped itself.
func appendEntity(out []byte, text string) (plain []byte, size int) {
	if text[1] == '#' {
		return appendNumbered(out, text)
	}
	end := endOfRun(text, 1, alnumBytes)
	if end == 1 || end == len(text) || text[end] != ';' {
		return out, 0
	}
	name := text[:end+1]
	char := html.UnescapeString(name)
	if char == name {
		return out, 0
	}
	return append(out, char...), len(name)
}

func appendNumbered(out []byte, text string) (plain []byte, size int) {
	at, base, digits := 2, 10, numeralBytes
	if at < len(text) && text[at]|0x20 == 'x' {
		at, base, digits = 3, 16, hexBytes
	}
	end := endOfRun(text, min(at, len(text)), digits)
	n, err := strconv.ParseUint(text[min(at, len(text)):end], base, 32)
	if err != nil || n > utf8.MaxRune || end == len(text) || text[end] != ';' {
		return out, 0
	}
	return utf8.AppendRune(out, rune(n)), end + 1
}

// appendSlashed appends the character of an escape that begins with a backslash, and returns the size of the escape; 0 if there
// is none.
func appendSlashed(out []byte, text string) (plain []byte, size int) {
	switch c := text[1]; {
	case c == 'u' && len(text) > 2 && text[2] == '{':
		end := endOfRun(text, 3, hexBytes)
		if n, ok := hexNumber(text, 3, end-3); ok && end < len(text) && text[end] == '}' {
			return utf8.AppendRune(out, n), end + 1
		}
	case c == 'u':
		return appendUnits(out, text)
	case c == 'U':
		if n, ok := hexNumber(text, 2, 8); ok {
			return utf8.AppendRune(out, n), 10
		}
	case c == 'x':
		if n, ok := hexNumber(text, 2, 2); ok {
			return append(out, byte(n)), 4
		}
	case strings.IndexByte("nrtbf", c) >= 0:
		return append(out, "\n\r\t\b\f"[strings.IndexByte("nrtbf", c)]), 2
	case c == '%' || c == '&': // % and & begin an escape of their own
	case c > ' ' && c < utf8.RuneSelf && !alnumBytes[c]:
		return append(out, c), 2
	}
	return out, 0
}

// appendUnits resolves \u00e9, and both escapes of a surrogate pair.
func appendUnits(out []byte, text string) (plain []byte, size int) {
	const unit = len(`\u0000`)
	n, ok := hexNumber(text, 2, 4)
	if !ok {
		return out, 0
	}
	if !utf16.IsSurrogate(n) {
		return utf8.AppendRune(out, n), unit
	}
	low, ok := hexNumber(text, unit+2, 4)
	if !ok || text[unit:unit+2] != `\u` {
		return out, 0
	}
	return utf8.AppendRune(out, utf16.DecodeRune(n, low)), 2 * unit
}
