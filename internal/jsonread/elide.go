package jsonread

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// The decoder holds every token in memory as a whole, even one that is only skipped, and a recorded result can be one
// string of hundreds of megabytes. So the middle of a long skipped string is checked here and kept from the decoder:
// what it sees is a shorter string. Anything that is not plainly right is left for the decoder to judge.

// longestUnit is the length of the longest spelling of one character: two escapes of a surrogate pair.
const longestUnit = len(`\ud83d\ude00`)

// elide prepares for reading past the next token, a string, of which the decoder may have only the beginning.
func (r *Reader) elide() {
	if r.in.whole != nil {
		return // it is in memory as it is
	}
	unread := r.dec.UnreadBuffer()
	text := unread[between(unread)+1:]
	end := bytes.IndexByte(text, '"')
	if end == 0 || end > 0 && text[end-1] != '\\' {
		return // the usual case: a short string
	}
	text = text[plain(text):]
	if !stuck(text) {
		r.in.eliding, r.in.part = true, append(r.in.part[:0], text...)
	}
}

// elide keeps back the file up to the end of the string, or to what only the decoder can judge.
func (in *input) elide() {
	in.eliding = false
	if len(in.part) > 0 && !in.complete() {
		return
	}
	for {
		n := plain(in.unread)
		in.unread = in.unread[n:]
		in.lost += int64(n)
		if in.err != nil || stuck(in.unread) {
			return
		}
		in.fill()
	}
}

// complete hands on the rest of the character that the decoder has seen the beginning of.
func (in *input) complete() bool {
	for len(in.unread) < longestUnit && in.err == nil {
		in.fill()
	}
	seen := len(in.part)
	text := append(in.part, in.unread[:min(len(in.unread), longestUnit)]...)
	size := unit(text)
	if size == 0 {
		return false
	}
	in.rest, in.unread = text[seen:size], in.unread[size-seen:]
	return true
}

// stuck reports whether text begins with something other than the beginning of a character of a string.
func stuck(text []byte) bool {
	return len(text) >= longestUnit || len(text) > 0 && text[0] == '"'
}

// plain returns how many bytes at the beginning of text spell whole characters of a JSON string.
func plain(text []byte) int {
	at := 0
	for at < len(text) {
		if c := text[at]; c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' {
			at++
			continue
		}
		size := unit(text[at:])
		if size == 0 {
			break
		}
		at += size
	}
	return at
}

// unit returns the length of the first character of text, the inside of a JSON string, or 0 when it is incomplete, is
// none, or is the closing quote.
func unit(text []byte) int {
	if len(text) == 0 || text[0] < ' ' || text[0] == '"' {
		return 0
	}
	if text[0] == '\\' {
		return escape(text)
	}
	r, size := utf8.DecodeRune(text)
	if r == utf8.RuneError && size == 1 {
		return 0
	}
	return size
}

// escape is unit for a text that begins with a backslash.
func escape(text []byte) int {
	const short, long = 2, 6
	if len(text) < short {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return short
	}
	first, ok := codeUnit(text)
	if !ok {
		return 0
	}
	if !utf16.IsSurrogate(first) {
		return long
	}
	second, ok := codeUnit(text[long:])
	if !ok || utf16.DecodeRune(first, second) == utf8.RuneError {
		return 0
	}
	return longestUnit
}

// codeUnit reads an escape such as \u00e9.
func codeUnit(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n), err == nil
}
