package jsonread

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"github.com/org/mcp-gates/internal/source"
)

// maxMistakes bounds the mistakes of one file that are kept. Further mistakes are only counted.
const maxMistakes = 100

type mistake struct {
	offset int64
	msg    string
}

// notes are the mistakes found so far, in the order in which they were found.
type notes struct {
	kept []mistake
	more int   // number of mistakes that were not kept
	next int64 // byte offset of the first mistake that was not kept
}

func (n *notes) isFull() bool { return len(n.kept) == maxMistakes }

func (n *notes) add(m mistake) {
	if n.isFull() {
		n.countMore(m.offset, 1)
		return
	}
	n.kept = append(n.kept, m)
}

// countMore counts mistakes that are not kept. The first of them is at offset.
func (n *notes) countMore(offset int64, count int) {
	if n.more == 0 {
		n.next = offset
	}
	n.more += count
}

// Mistakef notes a mistake at a byte offset.
func (r *Reader) Mistakef(offset int64, format string, args ...any) {
	// A hostile file can have millions of mistakes.
	if r.notes.isFull() {
		r.notes.countMore(offset, 1)
		return
	}
	r.notes.add(mistake{offset, fmt.Sprintf(format, args...)})
}

// Fatalf notes a mistake after which nothing more is read.
func (r *Reader) Fatalf(offset int64, format string, args ...any) {
	r.ended, r.failed = true, true
	r.Mistakef(offset, format, args...)
}

// Clean reports whether no mistake was found.
func (r *Reader) Clean() bool { return len(r.notes.kept) == 0 }

// Held are mistakes that were set aside.
type Held struct{ notes notes }

// Hold calls read and sets aside the mistakes that it finds, for a caller that decides later whether they count. The zero Held
// has none.
func (r *Reader) Hold(held *Held, read func()) {
	r.notes, held.notes = held.notes, r.notes
	read()
	r.notes, held.notes = held.notes, r.notes
}

// Note notes mistakes that were set aside.
func (r *Reader) Note(held Held) {
	for _, m := range held.notes.kept {
		r.notes.add(m)
	}
	if held.notes.more > 0 {
		r.notes.countMore(held.notes.next, held.notes.more)
	}
}

// Errors returns the mistakes with their positions in file. To find the lines, it reads the content again from the beginning up
// to the last mistake. It returns at most a hundred mistakes, followed by the number of the others.
func (r *Reader) Errors(file string, content io.Reader) source.Errors {
	listed := slices.Clone(r.notes.kept)
	if r.notes.more > 0 {
		listed = append(listed, mistake{r.notes.next, fmt.Sprintf("has %d more mistakes", r.notes.more)})
	}
	offsets := make([]int64, len(listed))
	for i, m := range listed {
		offsets[i] = m.offset
	}
	places := positions(file, content, offsets)
	var errs source.Errors
	for _, m := range listed {
		errs.Addf(places[m.offset], "%s", m.msg)
	}
	return errs
}

// positions returns the line and column of each byte offset of content, the text of file. An offset past the end gets the
// position of the end. A leading byte order mark takes no column.
func positions(file string, content io.Reader, offsets []int64) map[int64]source.Pos {
	places := make(map[int64]source.Pos, len(offsets))
	in := bufio.NewReaderSize(content, 1<<16)
	head, _ := in.Peek(len(source.ByteOrderMark))
	pos := source.Start(file, head)
	var at int64
	for _, offset := range slices.Sorted(slices.Values(offsets)) {
		for more := true; more && at < offset; {
			text, err := in.Peek(int(min(offset-at, int64(in.Size()))))
			more = err == nil
			pos = pos.After(text)
			n, _ := in.Discard(len(text))
			at += int64(n)
		}
		places[offset] = source.Pos{File: file, Line: pos.Line, Col: max(1, pos.Col)}
	}
	return places
}
