package yamlread

import (
	"bytes"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/source"
)

// place is a position in a file, 1-based, col in characters.
type place struct{ line, col int32 }

// lines finds places in a file. The YAML parser also ends lines at a lone carriage return and at the Unicode breaks U+0085,
// U+2028 and U+2029, unlike editors and Git.
type lines struct {
	src []byte
	at  []line // lines of the parser
}

// line is the beginning of a line of the parser.
type line struct {
	start int   // offset of its first byte
	place place // line and column of its first character, as editors count
}

// newLines returns the lines of a text. YAML has more line breaks than the line feed.
func newLines(src []byte) lines {
	src = bytes.TrimPrefix(src, []byte(source.ByteOrderMark))
	all := make([]line, 1, bytes.Count(src, []byte("\n"))+2)
	all[0] = line{0, place{1, 1}}
	now := place{1, 1}
	for i := 0; i < len(src); {
		r, size := rune(src[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(src[i:])
		}
		i += size
		now.col++
		switch {
		case r == '\r' && i < len(src) && src[i] == '\n':
			// The pair is one line break; the next iteration ends the line.
			continue
		case r == '\n':
			now = place{now.line + 1, 1}
		case r != '\r' && r != '\u0085' && r != '\u2028' && r != '\u2029':
			continue
		}
		all = append(all, line{i, now})
	}
	return lines{src, all}
}

// place converts a line and a column of the parser. A line after the end counts as the last one.
func (l lines) place(number, col int) place {
	start := l.at[min(max(number, 1), len(l.at))-1].place
	return place{start.line, start.col + int32(max(col, 1)) - 1}
}

// dashLine returns the line of the dash of a list's item. number is the parser's line of the item, which can be below the dash, and
// col is the column of the list's dashes. The search goes from number upwards, and ends at line first.
func (l lines) dashLine(number, col, first int) (line int, ok bool) {
	for n := min(number, len(l.at)); n >= max(first, 1); n-- {
		if l.isDash(l.at[n-1].start, col) {
			return n, true
		}
	}
	return 0, false
}

// isDash reports whether the line that begins at start has a list's dash in column col, preceded only by outer dashes and white
// space.
func (l lines) isDash(start, col int) bool {
	end := start + col
	if col < 1 || end > len(l.src) || l.src[end-1] != '-' {
		return false
	}
	isFirst := len(bytes.Trim(l.src[start:end-1], " -?:")) == 0
	isSeparate := end == len(l.src) || bytes.IndexByte([]byte(" \t\r\n"), l.src[end]) >= 0
	return isFirst && isSeparate
}
