package logs

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// MaxValue bounds one line of JSON Lines, and one run, in bytes. A longer line is skipped.
const MaxValue = 64 << 20

// Value is one JSON value of a log: a line of JSON Lines, an element of a list, or a whole document.
type Value struct {
	Raw jsontext.Value
	Pos source.Pos // where it begins

	// List is the number, from 1, of the top-level list of the file that contains the value, because such a list can be one
	// conversation. It is 0 for a value outside a list.
	List int

	sink *Sink
}

// Lenient reads what programs write: duplicate names and broken UTF-8 do not make a record unreadable.
var Lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// Decode reads the value into to and ignores keys that to does not have. If the value does not fit, Decode counts it as unread
// and returns false.
func (v Value) Decode(to any) bool { return v.DecodePart(v.Raw, to) }

// DecodePart is [Value.Decode] for a part of the value that was decoded before.
func (v Value) DecodePart(part jsontext.Value, to any) bool {
	err := json.Unmarshal(part, to, Lenient)
	if err == nil {
		return true
	}
	v.Skip(problemOf(err))
	return false
}

// Elements returns the elements of a list inside the value, each with its place; nothing if list is not a list.
func (v Value) Elements(list jsontext.Value) []Value {
	at, from := v.Pos, v.Raw
	if skip := bytes.Index(from, list); skip > 0 {
		at, from = at.After(from[:skip]), from[skip:]
	}
	return Value{Raw: from, Pos: at, sink: v.sink}.withPlaces(ElementsOf(list))
}

// withPlaces returns the elements of a list, which are parts of v, with their places.
func (v Value) withPlaces(elements []jsontext.Value) []Value {
	all := make([]Value, 0, len(elements))
	at, from := v.Pos, v.Raw
	for _, raw := range elements {
		if skip := bytes.Index(from, raw); skip >= 0 { // the elements are parts of one text, one after the other
			at, from = at.After(from[:skip]), from[skip:]
		}
		all = append(all, Value{Raw: raw, Pos: at, sink: v.sink})
	}
	return all
}

// Skip counts the value as unreadable.
func (v Value) Skip(reason string) { v.sink.in.account.skip(v.Pos, reason) }

// problemOf describes what is wrong with JSON, without names of Go types.
func problemOf(err error) string {
	var semantic *json.SemanticError
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.As(err, &syntactic):
		return fmt.Sprintf("is not JSON at byte %d: %s", syntactic.ByteOffset, syntactic.Err)
	case errors.As(err, &semantic):
		return fmt.Sprintf("has a value of an unexpected kind at %q", source.Shorten(string(semantic.JSONPointer), 80))
	}
	return "cannot be read"
}

// log is one file that is being read.
type log struct {
	name  string
	file  fs.File
	from  *bufio.Reader
	lines bool // the file holds JSON Lines
	line  int  // line of the next value, counted from 1
	lists int  // number of lists read so far

	long []byte // holds a line that does not fit in the buffer of from
}

// openLog opens a file and finds out whether it holds JSON Lines or documents. The buffer comes from [newBuffer] and is shared,
// because files are read one at a time.
func openLog(fsys fs.FS, name string, buffer *bufio.Reader) (*log, error) {
	const unlimited = 1 << 50 // lines are read one by one
	file, err := source.Open(fsys, name, unlimited)
	if err != nil {
		return nil, err
	}
	buffer.Reset(file)
	l := &log{name: name, file: file, from: buffer, line: 1}
	if head, _ := l.from.Peek(3); bytes.Equal(head, []byte(source.ByteOrderMark)) {
		_, _ = l.from.Discard(len(head))
	}
	head, _ := l.from.Peek(headSize)
	if trace.IsPartialLine(bytes.TrimLeft(head, " \t\r\n")) {
		file.Close()
		return nil, &source.Error{Pos: source.Pos{File: name, Line: 1, Col: 1}, Msg: trace.NotWhole}
	}
	l.lines = isLines(head)
	return l, nil
}

func newBuffer() *bufio.Reader { return bufio.NewReaderSize(nil, headSize) }

func (l *log) close() { _ = l.file.Close() }

// headSize is the number of bytes of a file that are examined before it is read.
const headSize = 256 << 10

// isLines reports whether a file that begins with head holds JSON Lines: one of its first two lines with text is complete JSON,
// or the first line is longer than head. In a document on several lines, neither of these lines is complete JSON, or the first
// line only opens a list, whose elements can have a line each.
func isLines(head []byte) bool {
	tried := 0
	for len(head) > 0 && tried < 2 {
		line, rest, ended := bytes.Cut(head, []byte{'\n'})
		head = rest
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		tried++
		if tried == 1 && string(line) == "[" {
			return false
		}
		if kind := jsontext.Value(line).Kind(); kind != '{' && kind != '[' {
			continue // a value on a line of its own in a document
		}
		isCutOff := !ended && len(line) > headSize/2
		if IsValid(line) || tried == 1 && isCutOff {
			return true
		}
	}
	return false
}

// IsValid reports whether a text is JSON, with the errors that [Lenient] accepts.
func IsValid(text []byte) bool {
	return jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

func (l *log) readValues(to *Sink, reader Reader) {
	if !l.lines {
		l.readDocument(to, reader)
		return
	}
	for to.in.err == nil {
		line, tooLong, err := l.readLine()
		pos := source.Pos{File: l.name, Line: l.line, Col: 1}
		l.line++
		if tooLong {
			to.in.account.skip(pos, fmt.Sprintf("is a line of more than %d bytes", MaxValue))
		} else if text := bytes.TrimSpace(line); len(text) > 0 {
			l.passValues(Value{Raw: text, Pos: pos, sink: to}, reader)
		}
		if err != nil {
			l.reportReadError(err, to)
			return
		}
	}
}

func (l *log) reportReadError(err error, to *Sink) {
	if err != io.EOF {
		to.in.account.mistake(&source.Error{Pos: source.Pos{File: l.name}, Msg: "cannot be read: " + err.Error()})
	}
}

// readLine returns the next line, which is valid until the next call. The line is nil if it is too long.
func (l *log) readLine() (line []byte, tooLong bool, err error) {
	line, err = l.from.ReadSlice('\n')
	if err != bufio.ErrBufferFull {
		return line, false, err
	}
	long := append(l.long[:0], line...)
	for err == bufio.ErrBufferFull {
		line, err = l.from.ReadSlice('\n')
		if len(long)+len(line) > MaxValue {
			tooLong, long = true, nil
		}
		if !tooLong {
			long = append(long, line...)
		}
	}
	if l.long = nil; cap(long) <= maxLongKept {
		l.long = long
	}
	return long, tooLong, err
}

// maxLongKept bounds the buffer for long lines that is kept for reuse, in bytes.
const maxLongKept = 16 << 20

// passValues passes a value to the reader; a list at the top is passed element by element.
func (l *log) passValues(v Value, reader Reader) {
	if v.Raw.Kind() != '[' {
		l.passValue(v, reader)
		return
	}
	var elements []jsontext.Value
	if !v.Decode(&elements) {
		return
	}
	l.lists++
	for _, one := range v.withPlaces(elements) {
		one.List = l.lists
		l.passValue(one, reader)
	}
}

// passValue passes a value to the reader, and skips a value that is not an object or a list.
func (l *log) passValue(v Value, reader Reader) {
	if kind := v.Raw.Kind(); kind != '{' && kind != '[' {
		v.Skip("is not a JSON object")
		return
	}
	if trace.IsPartialLine(v.Raw) {
		v.Skip(trace.NotWhole)
		return
	}
	reader.Value(v)
}

// readDocument reads a file that has one value, or several that are not on lines of their own.
func (l *log) readDocument(to *Sink, reader Reader) {
	data, err := io.ReadAll(io.LimitReader(l.from, source.MaxCassette+1))
	pos := source.Pos{File: l.name, Line: 1, Col: 1}
	switch {
	case err != nil:
		l.reportReadError(err, to)
		return
	case len(data) > source.MaxCassette:
		to.in.account.mistake(&source.Error{Pos: pos, Msg: fmt.Sprintf("is a document of more than %d bytes; write it as JSON Lines", source.MaxCassette)})
		return
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	offset := 0 // offset in data of the position pos
	for to.in.err == nil {
		raw, err := dec.ReadValue()
		if err == io.EOF {
			return
		}
		end := min(int(dec.InputOffset()), len(data))
		if err != nil {
			to.in.account.skip(pos.After(data[offset:end]), problemOf(err))
			return
		}
		start := end - len(raw)
		pos, offset = pos.After(data[offset:start]), start
		l.passValues(Value{Raw: raw, Pos: pos, sink: to}, reader)
	}
}

// ElementsOf returns the elements of a list; nil for other values.
func ElementsOf(raw jsontext.Value) []jsontext.Value {
	var list []jsontext.Value
	if raw.Kind() != '[' || json.Unmarshal(raw, &list, Lenient) != nil {
		return nil
	}
	return list
}

// Object returns an object with one member; nil if the value is empty.
func Object(key string, value jsontext.Value) jsontext.Value {
	if len(value) == 0 {
		return nil
	}
	out, _ := jsontext.AppendQuote([]byte{'{'}, key)
	return append(append(append(out, ':'), value...), '}')
}

// Members calls each for every member of an object, in order.
func Members(raw jsontext.Value, each func(key string, value jsontext.Value)) {
	if raw.Kind() != '{' {
		return
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	_, _ = dec.ReadToken()
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return
		}
		name := key.String()
		value, err := dec.ReadValue()
		if err != nil {
			return
		}
		each(name, value.Clone())
	}
}
