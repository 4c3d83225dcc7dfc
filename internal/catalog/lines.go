package catalog

import (
	"bytes"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/source"
)

// lineIndex turns offsets into positions. A catalog can be one line of megabytes with thousands of tools, so that
// neither looking for the start of the line nor counting characters from there will do.
type lineIndex struct {
	file  string
	data  []byte
	marks []mark // at every blockSize bytes
}

// mark is the place of the first byte of a block.
type mark struct {
	lines int32 // line breaks before it
	chars int32 // characters before it in its line
}

const blockSize = 512

// byteOrderMark takes no column at the start of a file.
var byteOrderMark = []byte("\ufeff")

func newLineIndex(file string, data []byte) *lineIndex {
	x := &lineIndex{file: file, data: data, marks: make([]mark, 0, len(data)/blockSize+1)}
	var at mark
	if bytes.HasPrefix(data, byteOrderMark) {
		at.chars = -1
	}
	for start := 0; start <= len(data); start += blockSize {
		x.marks = append(x.marks, at)
		at = at.after(data[start:min(start+blockSize, len(data))])
	}
	return x
}

// after returns the place behind text, which begins at m.
func (m mark) after(text []byte) mark {
	if breaks := bytes.Count(text, []byte{'\n'}); breaks > 0 {
		m.lines += int32(breaks)
		m.chars = 0
		text = text[bytes.LastIndexByte(text, '\n')+1:]
	}
	for _, b := range text {
		if utf8.RuneStart(b) {
			m.chars++
		}
	}
	return m
}

// pos returns the position of an offset of 0 to len(data).
func (x *lineIndex) pos(offset int) source.Pos {
	block := offset / blockSize
	at := x.marks[block].after(x.data[block*blockSize : offset])
	return source.Pos{File: x.file, Line: int(at.lines) + 1, Col: max(1, int(at.chars)+1)}
}
