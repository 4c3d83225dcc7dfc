// Package source has the types for positions in users' files, and for mistakes at such positions.
//
// Every reader of users' files (suites, cassettes, catalogs) reports each mistake as an [Error] with a [Pos], continues if it
// can, and returns all mistakes together as [Errors].
package source

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Pos is a position in a file. File is relative to the workspace, with slashes; Line and Col are 1-based, and Col counts
// characters, not bytes. A zero Line means the file as a whole, a zero Col the line as a whole.
type Pos struct {
	File string
	Line int
	Col  int
}

// String returns the position as file:line:col, without zero parts.
func (p Pos) String() string {
	s := p.File
	if p.Line > 0 {
		s += ":" + strconv.Itoa(p.Line)
		if p.Col > 0 {
			s += ":" + strconv.Itoa(p.Col)
		}
	}
	return s
}

// Start returns the position of the beginning of a file's text. A byte order mark takes no column.
func Start(file string, head []byte) Pos {
	if bytes.HasPrefix(head, []byte(ByteOrderMark)) {
		return Pos{file, 1, 0}
	}
	return Pos{file, 1, 1}
}

// ByteOrderMark may be at the beginning of a file. Readers skip it, as editors do.
const ByteOrderMark = "\ufeff"

// After returns the position after a text that begins at p.
func (p Pos) After(text []byte) Pos {
	if breaks := bytes.Count(text, []byte{'\n'}); breaks > 0 {
		p.Line, p.Col = p.Line+breaks, 1
		text = text[bytes.LastIndexByte(text, '\n')+1:]
	}
	for _, b := range text {
		if utf8.RuneStart(b) { // a character may be split
			p.Col++
		}
	}
	return p
}

// Compare orders positions by file, line and column.
func (p Pos) Compare(q Pos) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
}

// Error is one mistake in a user's file: its position, and a message with what was found and expected.
type Error struct {
	Pos Pos
	Msg string
}

// Error returns the mistake as "file:line:col: message".
func (e *Error) Error() string {
	return e.Pos.String() + ": " + e.Msg
}

// Errors collects mistakes. The zero value is ready to use.
type Errors []*Error

// maxErrors bounds the mistakes that are listed, because a file with more is not corrected by hand.
const maxErrors = 10_000

// Addf records a mistake at pos. After 10,000 mistakes it only records that there are more.
func (e *Errors) Addf(pos Pos, format string, args ...any) {
	if len(*e) > maxErrors {
		return
	}
	if len(*e) == maxErrors {
		pos, format, args = Pos{File: pos.File}, "holds more than %d mistakes, and the others are not listed", []any{maxErrors}
	}
	*e = append(*e, &Error{Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

// Cut reports whether there were more mistakes than listed.
func (e Errors) Cut() bool { return len(e) > maxErrors }

// Sorted returns the mistakes by position and then by message, without repeats.
func (e Errors) Sorted() Errors {
	sorted := slices.Clone(e)
	slices.SortStableFunc(sorted, func(a, b *Error) int {
		return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(a.Msg, b.Msg))
	})
	return slices.CompactFunc(sorted, func(a, b *Error) bool { return *a == *b })
}

// Err returns the mistakes, sorted, as one error, or nil if there are none.
func (e Errors) Err() error {
	if len(e) == 0 {
		return nil
	}
	return e.Sorted()
}

// Error returns one line for each mistake.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, err := range e {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}

// ErrorsOf returns the mistakes in err, including those of joined errors; none for nil. Any other error becomes a mistake
// without a position.
func ErrorsOf(err error) (all Errors) {
	if err == nil {
		return nil
	}
	var joined interface{ Unwrap() []error }
	var one *Error
	switch {
	case errors.As(err, &joined):
		for _, part := range joined.Unwrap() {
			all = append(all, ErrorsOf(part)...)
		}
		return all
	case errors.As(err, &all):
		return all
	case errors.As(err, &one):
		return Errors{one}
	}
	return Errors{{Msg: err.Error()}}
}

// Shorten returns at most the given number of characters of a text, followed by … if the text is longer. It is for messages
// that quote the text.
func Shorten(text string, most int) string {
	for i := range text {
		if most == 0 {
			return text[:i] + "…"
		}
		most--
	}
	return text
}
