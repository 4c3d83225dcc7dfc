package jsonread

import (
	"bytes"
	"errors"
	"io"

	"github.com/org/mcp-gates/internal/source"
)

// input hands a file to the decoder and counts its lines.
type input struct {
	from   io.Reader
	page   []byte
	unread []byte // the part of page that was not handed on
	err    error  // what reading the file ended with
	lines  int    // line ends handed on

	whole   []byte // the whole file, where it was in memory; nothing is handed on then
	counted int    // how much of it lines tells of
}

// A page grows as the file turns out to be long: most are short, and there are many.
const (
	firstPage = 1 << 9
	lastPage  = 1 << 15
)

var (
	newline       = []byte("\n")
	byteOrderMark = []byte(source.ByteOrderMark)
	littleEndian  = []byte("\xff\xfe")
	bigEndian     = []byte("\xfe\xff")
)

var errUTF16 = errors.New("is UTF-16 text, expected UTF-8")

func (in *input) Read(p []byte) (int, error) {
	if len(in.unread) == 0 {
		in.fill()
	}
	n := copy(p, in.unread)
	in.unread = in.unread[n:]
	in.lines += bytes.Count(p[:n], newline)
	if n == 0 {
		return 0, in.err
	}
	return n, nil
}

// lineOf returns the line of an offset of whole, from 1; the offset is never less than the one asked for before.
func (in *input) lineOf(offset int) int {
	in.lines += bytes.Count(in.whole[in.counted:offset], newline)
	in.counted = offset
	return 1 + in.lines
}

// fill reads more of the file once all was handed on.
func (in *input) fill() {
	if in.err != nil {
		return
	}
	if in.page == nil {
		in.begin()
		return
	}
	if len(in.page) < lastPage {
		in.page = make([]byte, 4*len(in.page))
	}
	n, err := io.ReadAtLeast(in.from, in.page, 1)
	in.unread, in.err = in.page[:n], err
}

// begin reads the beginning of the file, where a byte order mark can stand.
func (in *input) begin() {
	in.page = make([]byte, firstPage)
	n, err := io.ReadAtLeast(in.from, in.page, len(byteOrderMark))
	in.unread, in.err = in.page[:n], err
	if err == io.ErrUnexpectedEOF {
		in.err = io.EOF
	}
	if bytes.HasPrefix(in.unread, littleEndian) || bytes.HasPrefix(in.unread, bigEndian) {
		in.unread, in.err = nil, errUTF16
	}
	// Blanked rather than dropped, so that offsets stay those of the file.
	if bytes.HasPrefix(in.unread, byteOrderMark) {
		copy(in.unread, "   ")
	}
}
