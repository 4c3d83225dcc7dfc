package jsonread

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/org/mcp-gates/internal/source"
)

// input passes a file to the decoder and counts its lines.
type input struct {
	from  *bufio.Reader
	begun bool
	lines int // line ends passed on so far

	whole   []byte // the whole file, if it is in memory; the decoder then has the bytes itself and does not call Read
	counted int    // length of the part of whole that was searched for line ends
}

func newInput(from io.Reader) *input { return &input{from: bufio.NewReaderSize(from, 1<<15)} }

var (
	newline       = []byte("\n")
	byteOrderMark = []byte(source.ByteOrderMark)
	littleEndian  = []byte("\xff\xfe")
	bigEndian     = []byte("\xfe\xff")
)

var errUTF16 = errors.New("is UTF-16 text, expected UTF-8")

// Read passes on the next bytes. It replaces a byte order mark by blanks instead of removing it, so that offsets stay those of
// the file.
func (in *input) Read(p []byte) (int, error) {
	var head []byte
	if !in.begun {
		in.begun = true
		head, _ = in.from.Peek(len(byteOrderMark))
	}
	if bytes.HasPrefix(head, littleEndian) || bytes.HasPrefix(head, bigEndian) {
		return 0, errUTF16
	}
	isMarked := bytes.Equal(head, byteOrderMark)
	n, err := in.from.Read(p)
	if isMarked {
		copy(p[:n], "   ")
	}
	in.lines += bytes.Count(p[:n], newline)
	return n, err
}

// lineOf returns the line of an offset of whole, from 1. Offsets must not decrease from call to call.
func (in *input) lineOf(offset int) int {
	in.lines += bytes.Count(in.whole[in.counted:offset], newline)
	in.counted = offset
	return 1 + in.lines
}
