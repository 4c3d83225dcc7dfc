package logs

import (
	"cmp"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/org/mcp-gates/internal/tempfile"
)

// maxHeld bounds the events of open sessions in memory, in bytes; further events go to a temporary file.
const maxHeld = 24 << 20

// spill is a temporary file with events of open sessions that do not fit in memory.
type spill struct {
	file tempfile.File
	held int // bytes in memory of all open sessions, estimated
}

// held is the content of a chunk of a session.
type held struct {
	Events []event   `json:"e"`
	Tools  []Offered `json:"o,omitzero"`
	System string    `json:"s,omitzero"`
}

// countMemory counts the bytes that a session has added. Once they exceed maxHeld, it writes all open sessions of the format to
// the file.
func (s *spill) countMemory(of *Session, size int) {
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

func (s *spill) release(of *Session) {
	s.held -= of.bytes
	if of.output != nil {
		s.held -= of.output.bytes
	}
}

func (s *spill) write(one *Session) error {
	if len(one.events)+len(one.tools)+len(one.System) == 0 {
		s.held -= one.bytes // memory that cannot be spilled; without this, each event would go through all sessions again
		one.bytes = 0
		return nil
	}
	text, err := json.Marshal(held{one.events, one.tools, one.System}, Lenient)
	if err != nil {
		return err
	}
	end := s.file.Position()
	if _, err := s.file.Write(text); err != nil {
		return err
	}
	one.stored = append(one.stored, s.file.Since(end))
	s.held -= one.bytes
	one.events, one.tools, one.System, one.bytes = nil, nil, "", 0
	return nil
}

// events returns all events of a session in the order in which they were added, and restores its other spilled data.
func (s *spill) events(one *Session) ([]event, error) {
	if len(one.stored) == 0 {
		return one.events, nil
	}
	var all []event
	tools := one.tools
	one.tools = nil
	for _, c := range one.stored {
		text, err := s.file.Read(c)
		if err != nil {
			return nil, fmt.Errorf("read spilled sessions: %w", err)
		}
		var part held
		if err := json.Unmarshal(text, &part, Lenient); err != nil {
			return nil, fmt.Errorf("read spilled sessions: %w", err)
		}
		all = append(all, part.Events...)
		one.tools = append(one.tools, part.Tools...)
		one.System = cmp.Or(part.System, one.System)
	}
	one.tools = append(one.tools, tools...)
	return append(all, one.events...), nil
}

func (s *spill) close() { s.file.Close() }
