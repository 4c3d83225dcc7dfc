package imports

import (
	"fmt"
	"io"
	"os"

	"github.com/go-json-experiment/json"
)

// maxHeld bounds the events of open sessions in memory, in bytes; more of them go to a temporary file.
const maxHeld = 24 << 20

// spill holds events of open sessions that do not fit in memory. The file has no name: it is gone with the program.
type spill struct {
	file *os.File
	end  int64
	held int // bytes in memory, about, of all open sessions
}

// chunk is a part of the spill's file.
type chunk struct{ at, size int64 }

// hold counts what a session holds in memory, and spills all open sessions of its format past the bound.
func (s *spill) hold(of *Session, size int) {
	s.held += size
	in := of.sink.in
	if s.held <= maxHeld || in.err != nil || !of.sink.format.Interleaved {
		return
	}
	for _, one := range of.sink.order {
		if err := s.write(one); err != nil {
			in.err = fmt.Errorf("spill open sessions to a temporary file: %w", err)
			return
		}
	}
}

// release counts a session that is no longer held.
func (s *spill) release(of *Session) { s.held -= of.bytes }

// write moves the events of a session to the file.
func (s *spill) write(one *Session) error {
	if len(one.events) == 0 {
		s.held -= one.bytes // what cannot be spilled; without this, all sessions would be gone through again for each event
		one.bytes = 0
		return nil
	}
	if err := s.create(); err != nil {
		return err
	}
	text, err := json.Marshal(one.events, lenient)
	if err != nil {
		return err
	}
	if _, err := s.file.WriteAt(text, s.end); err != nil {
		return err
	}
	one.stored = append(one.stored, chunk{s.end, int64(len(text))})
	s.end += int64(len(text))
	s.held -= one.bytes
	one.events, one.bytes = nil, 0
	return nil
}

// create makes the file, which no other program can open.
func (s *spill) create() error {
	if s.file != nil {
		return nil
	}
	file, err := os.CreateTemp("", "mcp-gates-import-*")
	if err != nil {
		return err
	}
	s.file = file
	_ = os.Remove(file.Name()) // not everywhere while it is open: close tries again
	return nil
}

// events returns all events of a session in their order.
func (s *spill) events(one *Session) ([]event, error) {
	var all []event
	for _, c := range one.stored {
		text := make([]byte, c.size)
		if _, err := s.file.ReadAt(text, c.at); err != nil && err != io.EOF {
			return nil, fmt.Errorf("read spilled sessions: %w", err)
		}
		var part []event
		if err := json.Unmarshal(text, &part, lenient); err != nil {
			return nil, fmt.Errorf("read spilled sessions: %w", err)
		}
		all = append(all, part...)
	}
	return append(all, one.events...), nil
}

func (s *spill) close() {
	if s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name())
	}
}
