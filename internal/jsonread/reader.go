// Package jsonread reads JSON strictly as a stream, with the positions of values.
//
// A [Reader] walks a value with callbacks ([Reader.Object], [Reader.Fields], [Reader.Array]) and builds only values that are
// asked for. A value of the wrong type is noted as a mistake and skipped, and reading continues. A syntax error ends reading,
// and every later call returns at once. Mistakes are kept by byte offset; [Reader.Errors] adds their lines.
//
// Strict means: RFC 8259, UTF-8 throughout (a leading byte order mark is skipped), no half of a surrogate pair, and values
// nested at most [source.MaxDepth] deep. Callers decide about duplicate names in an object, because only they know which keys
// matter: Fields refuses them, Object does not.
package jsonread

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/source"
)

// Reader reads one or more JSON values from a stream.
type Reader struct {
	dec       *jsontext.Decoder
	in        *input
	ended     bool // nothing more is read
	failed    bool // an error ended reading
	keyOffset int64
	notes     notes
	interned  map[string]string
	scratch   []byte // memory for a value without its white space
}

// New returns a reader of in, and skips a leading byte order mark.
func New(in io.Reader) *Reader {
	from := newInput(in)
	return &Reader{dec: jsontext.NewDecoder(from, jsontext.AllowDuplicateNames(true)), in: from}
}

// NewBytes returns a reader of data, which must not be changed during reading. It reads like New, but in a fraction of the
// time, because the decoder works on data itself.
func NewBytes(data []byte) *Reader {
	r := &Reader{}
	r.Reset(data)
	return r
}

// Reset makes r read data like NewBytes(data), and reuses the memory of r, including the texts in interned. A zero Reader can be
// reset.
func (r *Reader) Reset(data []byte) {
	if len(data) > 0 && data[0] >= utf8.RuneSelf {
		*r = *New(bytes.NewReader(data)) // data begins with a byte order mark, or is not JSON
		return
	}
	dec, in := r.dec, r.in
	if dec == nil {
		dec, in = &jsontext.Decoder{}, &input{}
	}
	*in = input{whole: data}
	dec.Reset(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))
	*r = Reader{dec: dec, in: in, interned: r.interned, scratch: r.scratch}
}

// Failed reports whether an error of the syntax or of the stream has ended reading.
func (r *Reader) Failed() bool { return r.failed }

// More reports whether there is another value before the end of the enclosing array or object, or of the stream.
func (r *Reader) More() bool {
	kind := r.Kind()
	return kind != 0 && !isClosing(kind)
}

func isClosing(kind jsontext.Kind) bool { return kind == ']' || kind == '}' }

// Kind returns the kind of the next token as jsontext spells it ('{', '[', '"', '0', 't', 'f', 'n', '}', ']'), or 0 at
// the end of the stream and after a syntax error.
func (r *Reader) Kind() jsontext.Kind {
	if r.ended {
		return 0
	}
	kind := r.dec.PeekKind()
	if kind == jsontext.KindInvalid || isClosing(kind) && r.dec.StackDepth() == 0 {
		r.readToken() // finds out whether the stream ends or has a syntax error
		return 0
	}
	return kind
}

func (r *Reader) readToken() {
	if r.ended {
		return
	}
	if _, err := r.dec.ReadToken(); err != nil {
		r.endWith(err)
	}
}

// endWith ends reading, and notes a syntax error. The end of the stream between values is not a mistake.
func (r *Reader) endWith(err error) {
	r.ended = true
	if err == io.EOF {
		return
	}
	r.failed = true
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, errUTF16):
		r.Mistakef(0, "%s", errUTF16.Error())
	case !errors.As(err, &syntax):
		r.Mistakef(r.here(), "cannot be read: %s", strings.TrimPrefix(err.Error(), "jsontext: read error: "))
	case errors.Is(syntax.Err, io.ErrUnexpectedEOF):
		r.reportSyntax(syntax.ByteOffset, "the file ends in the middle of a value")
	default:
		r.reportSyntax(syntax.ByteOffset, syntax.Err.Error())
	}
}

func (r *Reader) reportSyntax(offset int64, problem string) {
	r.Mistakef(offset, "is not valid JSON: %s (byte %d)", strings.TrimPrefix(problem, "jsontext: "), offset)
}

func (r *Reader) reportTooDeep(offset int64) {
	r.Fatalf(offset, "nests values more than %d deep", source.MaxDepth)
}

// Offset returns the byte offset at which the next value begins.
func (r *Reader) Offset() int64 {
	r.Kind()
	return r.here() + int64(separatorLength(r.dec.UnreadBuffer()))
}

func (r *Reader) here() int64 { return r.dec.InputOffset() }

// Line returns the line on which the next value begins, from 1.
func (r *Reader) Line() int {
	r.Kind()
	unread := r.dec.UnreadBuffer()
	next := unread[separatorLength(unread):]
	if r.in.whole != nil {
		return r.in.lineOf(len(r.in.whole) - len(next))
	}
	return 1 + r.in.lines - bytes.Count(next, newline)
}

// separatorLength returns the number of bytes at the beginning of b that separate two values.
func separatorLength(b []byte) int {
	for i, c := range b {
		switch c {
		case ' ', '\t', '\r', '\n', ',', ':':
		default:
			return i
		}
	}
	return len(b)
}

// End notes a mistake if the stream has more values.
func (r *Reader) End() {
	offset := r.Offset()
	if !r.More() {
		return
	}
	if r.Skip(); !r.failed {
		r.ended = true
		r.Mistakef(offset, "has more than one JSON value, expected one")
	}
}
