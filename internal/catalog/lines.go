package catalog

import "github.com/org/mcp-gates/internal/source"

// lineIndex turns offsets into positions. A catalog can be one line of megabytes with thousands of tools; counting from
// the start of the line for each of them would take too long.
type lineIndex struct {
	data  []byte
	marks []source.Pos // position at every multiple of blockSize bytes
}

const blockSize = 512

func newLineIndex(file string, data []byte) *lineIndex {
	x := &lineIndex{data: data, marks: make([]source.Pos, 0, len(data)/blockSize+1)}
	at := source.Start(file, data)
	for start := 0; start <= len(data); start += blockSize {
		x.marks = append(x.marks, at)
		at = at.After(data[start:min(start+blockSize, len(data))])
	}
	return x
}

// pos returns the position of an offset from 0 to len(data).
func (x *lineIndex) pos(offset int) source.Pos {
	block := offset / blockSize
	at := x.marks[block].After(x.data[block*blockSize : offset])
	at.Col = max(1, at.Col)
	return at
}
