// Package source says where in a user's file something stands, and collects the mistakes found there.
//
// Every reader of users' files (suites, cassettes, catalogs) reports what it finds wrong as an [Error] with a [Pos],
// goes on as far as it can, and returns all mistakes together as [Errors].
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

// Pos is a place in a file. File is relative to the workspace, with slashes; Line and Col are 1-based, and Col counts
// characters, not bytes. A zero Line means the file as a whole, a zero Col the line as a whole.
type Pos struct {
	File string
	Line int
	Col  int
}

// String returns the position as file:line:col, leaving out what is zero.
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

// Start returns where the text of a file begins. A byte order mark takes no column.
func Start(file string, head []byte) Pos {
	if bytes.HasPrefix(head, []byte(ByteOrderMark)) {
		return Pos{file, 1, 0}
	}
	return Pos{file, 1, 1}
}

// ByteOrderMark may stand at the beginning of a file. Readers skip it, as editors do.
const ByteOrderMark = "\ufeff"

// After returns the position after a text that begins at p.
func (p Pos) After(text []byte) Pos {
	if breaks := bytes.Count(text, []byte{'\n'}); breaks > 0 {
		p.Line, p.Col = p.Line+breaks, 1
		text = text[bytes.LastIndexByte(text, '\n')+1:]
	}
	for _, b := range text {
		if utf8.RuneStart(b) { // a character may be cut in two
			p.Col++
		}
	}
	return p
}

// Compare orders positions by file, line and column.
func (p Pos) Compare(q Pos) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
}

// Error is one mistake in a user's file: where it stands, what was found and what was expected.
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

// maxErrors bounds the mistakes that are listed: a file with more is not mended by hand.
const maxErrors = 10_000

// Addf records a mistake at pos. Past 10,000 mistakes it only says that there are more.
func (e *Errors) Addf(pos Pos, format string, args ...any) {
	if len(*e) > maxErrors {
		return
	}
	if len(*e) == maxErrors {
		pos, format, args = Pos{File: pos.File}, "holds more than %d mistakes, and the others are not listed", []any{maxErrors}
	}
	*e = append(*e, &Error{Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

// Cut reports whether there were more mistakes than are listed.
func (e Errors) Cut() bool { return len(e) > maxErrors }

// Sorted returns the mistakes by position and then by message, each once.
func (e Errors) Sorted() Errors {
	sorted := slices.Clone(e)
	slices.SortStableFunc(sorted, func(a, b *Error) int {
		return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(a.Msg, b.Msg))
	})
	return slices.CompactFunc(sorted, func(a, b *Error) bool { return *a == *b })
}

// Err returns the mistakes, sorted, as one error, or nil when there are none.
func (e Errors) Err() error {
	if len(e) == 0 {
		return nil
	}
	return e.Sorted()
}

// Error returns one line a mistake.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, err := range e {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}

// ErrorsOf returns the mistakes that err holds, joined ones in turn; none for nil. Any other error is one without a place.
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

// Shorten returns at most so many characters of a text, and … behind them when there are more: for messages that quote it.
func Shorten(text string, most int) string {
	for i := range text {
		if most == 0 {
			return text[:i] + "…"
		}
		most--
	}
	return text
}
