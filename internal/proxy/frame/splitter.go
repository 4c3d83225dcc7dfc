package frame

import (
	"bytes"
	"net/http"
)

// Emit gets each message of a [Splitter]; text is nil where it was longer than [MaxMessage], and size is its length in bytes.
// The text is not used again.
type Emit func(text []byte, size int)

// Splitter cuts what passes into messages. Its methods are for one goroutine.
type Splitter struct {
	emit  Emit
	write func(data []byte)
	buf   []byte // the message so far
	size  int    // its length, also of what is not kept

	inner *Splitter // of what is compressed in what passes; nil where it is not

	isSkipping bool // until the message ends, because a part of it is missing

	line   []byte // of an event stream, so far
	isData bool   // the event has data
	sawCR  bool   // the last byte was a carriage return
}

// NewLines returns a splitter for a message a line.
func NewLines(emit Emit) *Splitter {
	s := &Splitter{emit: emit}
	s.write = func(data []byte) {
		for len(data) > 0 {
			at := bytes.IndexByte(data, '\n')
			if at < 0 {
				s.add(data)
				return
			}
			s.add(data[:at])
			s.end()
			data = data[at+1:]
		}
	}
	return s
}

// NewWhole returns a splitter for one message in all.
func NewWhole(emit Emit) *Splitter {
	s := &Splitter{emit: emit}
	s.write = s.add
	return s
}

// NewEvents returns a splitter for server-sent events, each with one message. See
// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation.
func NewEvents(emit Emit) *Splitter {
	s := &Splitter{emit: emit}
	s.write = s.events
	return s
}

// NewBody returns a splitter for the body of a response with this header: a stream of events, or one message in all. One that
// is compressed by gzip is read when it has ended.
func NewBody(header http.Header, emit Emit) *Splitter {
	s := NewWhole(emit)
	if IsEvents(header) {
		s = NewEvents(emit)
	}
	if isGzip(header) {
		s = newGzip(s)
	}
	return s
}

// Write takes what passes, in pieces of any size. It keeps no hold of data.
func (s *Splitter) Write(data []byte) { s.write(data) }

func (s *Splitter) add(data []byte) {
	s.size += len(data)
	if s.size > MaxMessage || s.isSkipping {
		s.buf = nil
		return
	}
	s.buf = append(s.buf, data...)
}

// end ends the message, and drops an empty one.
func (s *Splitter) end() {
	text, size := s.buf, s.size
	s.buf, s.size = nil, 0
	if s.isSkipping {
		s.isSkipping = false
		return
	}
	if size > MaxMessage {
		s.emit(nil, size)
		return
	}
	if text = bytes.TrimSpace(text); len(text) > 0 {
		s.emit(text, size)
	}
}

// Skip leaves out the message that is being read, because a part of it is missing.
func (s *Splitter) Skip() {
	s.isSkipping, s.buf = true, nil
}

// events takes a part of an event stream. A line ends with CR, LF or both.
func (s *Splitter) events(data []byte) {
	for len(data) > 0 {
		if s.sawCR && data[0] == '\n' {
			data = data[1:]
			s.sawCR = false
			continue
		}
		s.sawCR = false
		at := bytes.IndexAny(data, "\r\n")
		if at < 0 {
			s.part(data)
			return
		}
		s.part(data[:at])
		s.endLine()
		s.sawCR = data[at] == '\r'
		data = data[at+1:]
	}
}

// maxField is how long the name of a field is, which decides whether the rest of its line is data.
const maxField = len("data: ")

// part takes a part of a line: its first bytes are kept until they say whether it holds data.
func (s *Splitter) part(data []byte) {
	if missing := maxField - len(s.line); missing > 0 {
		n := min(missing, len(data))
		s.line = append(s.line, data[:n]...)
		if data = data[n:]; len(s.line) == maxField {
			s.field()
		}
	}
	if len(s.line) == maxField && s.isField() {
		s.add(data)
	}
}

func (s *Splitter) isField() bool { return bytes.HasPrefix(s.line, []byte("data:")) }

func (s *Splitter) field() {
	if !s.isField() {
		return
	}
	if s.isData {
		s.add([]byte{'\n'})
	}
	s.isData = true
	s.add(bytes.TrimPrefix(s.line[len("data:"):], []byte(" ")))
}

// endLine ends a line. An empty line also ends the event.
func (s *Splitter) endLine() {
	if len(s.line) == 0 {
		s.isData = false
		s.end()
		return
	}
	if len(s.line) < maxField {
		s.field()
	}
	s.line = s.line[:0]
}

// Close ends the last message. Where what passed was cut, the message is dropped.
func (s *Splitter) Close(isCut bool) {
	switch {
	case s.inner != nil:
		s.unzip(isCut)
	case !isCut:
		s.end()
	}
}
