package frame

import (
	"bytes"
	"net/http"
)

// Emit receives each message of a [Splitter]; text is nil if the message was longer than [MaxMessage], and size is its
// length in bytes. The splitter does not use text again.
type Emit func(text []byte, size int)

// Splitter splits traffic into messages. Only one goroutine may call its methods.
type Splitter struct {
	emit  Emit
	write func(data []byte)
	buf   []byte // the message so far
	size  int    // length of the message so far, including bytes that are not kept

	inner *Splitter // splits the decompressed body; nil if the body is not compressed

	isSkipping bool // the rest of the message is skipped, because a part of it is missing

	line    []byte // the first bytes of the current line of an event stream, at most maxField
	hasData bool   // the event has data
	sawCR   bool   // the last byte was a carriage return
}

// NewLines returns a splitter for text with one message on each line.
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
			s.endMessage()
			data = data[at+1:]
		}
	}
	return s
}

// NewWhole returns a splitter for text that is a single message.
func NewWhole(emit Emit) *Splitter {
	s := &Splitter{emit: emit}
	s.write = s.add
	return s
}

// NewEvents returns a splitter for server-sent events, each with one message. See
// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation.
func NewEvents(emit Emit) *Splitter {
	s := &Splitter{emit: emit}
	s.write = s.splitEvents
	return s
}

// NewBody returns a splitter for the body of a response with this header: a stream of events, or a single message. A
// body that is compressed by gzip is read after its end.
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

// Write splits data, which may come in pieces of any size. It does not keep data.
func (s *Splitter) Write(data []byte) { s.write(data) }

func (s *Splitter) add(data []byte) {
	s.size += len(data)
	if s.size > MaxMessage || s.isSkipping {
		s.buf = nil
		return
	}
	s.buf = append(s.buf, data...)
}

// endMessage ends the message, and drops an empty one.
func (s *Splitter) endMessage() {
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

// Skip drops the current message, because a part of it is missing.
func (s *Splitter) Skip() {
	s.isSkipping, s.buf = true, nil
}

// splitEvents reads a piece of an event stream. A line ends with CR, LF or both.
func (s *Splitter) splitEvents(data []byte) {
	for len(data) > 0 {
		if s.sawCR && data[0] == '\n' {
			data = data[1:]
			s.sawCR = false
			continue
		}
		s.sawCR = false
		at := bytes.IndexAny(data, "\r\n")
		if at < 0 {
			s.addLinePart(data)
			return
		}
		s.addLinePart(data[:at])
		s.endLine()
		s.sawCR = data[at] == '\r'
		data = data[at+1:]
	}
}

// maxField is the number of bytes at the beginning of a line that show whether the rest of the line is data.
const maxField = len("data: ")

// addLinePart reads a part of a line: the first bytes are kept until they show whether the line holds data.
func (s *Splitter) addLinePart(data []byte) {
	if missing := maxField - len(s.line); missing > 0 {
		n := min(missing, len(data))
		s.line = append(s.line, data[:n]...)
		data = data[n:]
		if len(s.line) == maxField {
			s.beginData()
		}
	}
	if len(s.line) == maxField && s.isDataLine() {
		s.add(data)
	}
}

func (s *Splitter) isDataLine() bool { return bytes.HasPrefix(s.line, []byte("data:")) }

func (s *Splitter) beginData() {
	if !s.isDataLine() {
		return
	}
	if s.hasData {
		s.add([]byte{'\n'})
	}
	s.hasData = true
	s.add(bytes.TrimPrefix(s.line[len("data:"):], []byte(" ")))
}

// endLine ends a line. An empty line also ends the event.
func (s *Splitter) endLine() {
	if len(s.line) == 0 {
		s.hasData = false
		s.endMessage()
		return
	}
	if len(s.line) < maxField {
		s.beginData()
	}
	s.line = s.line[:0]
}

// Close ends the last message. If the traffic was cut, the message is dropped.
func (s *Splitter) Close(isCut bool) {
	switch {
	case s.inner != nil:
		s.unzip(isCut)
	case !isCut:
		s.endMessage()
	}
}
