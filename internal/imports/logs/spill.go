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
	file      tempfile.File
	heldBytes int // bytes in memory of all open sessions, estimated
}

// spilledPart is the content of a chunk of a session.
type spilledPart struct {
	Events []event   `json:"e"`
	Tools  []Offered `json:"o,omitzero"`
	System string    `json:"s,omitzero"`
}

// spillIfFull counts the bytes that a session has added. If all open sessions together exceed maxHeld and the session's format is
// interleaved, it writes the open sessions of this format to the file.
func (s *spill) spillIfFull(of *Session, size int) {
	s.heldBytes += size
	in := of.sink.in
	if s.heldBytes <= maxHeld || in.err != nil || !of.sink.format.Interleaved {
		return
	}
	for _, one := range of.sink.order {
		if err := s.spillSession(one); err != nil {
			in.err = fmt.Errorf("spill open sessions to a temporary file: %w", err)
			return
		}
	}
}

func (s *spill) releaseMemory(of *Session) {
	s.heldBytes -= of.heldBytes
	if of.output != nil {
		s.heldBytes -= of.output.heldBytes
	}
}

func (s *spill) spillSession(one *Session) error {
	if len(one.events)+len(one.tools)+len(one.System) == 0 {
		// This memory cannot be spilled. It is no longer counted, because otherwise each event would go through all sessions again.
		s.heldBytes -= one.heldBytes
		one.heldBytes = 0
		return nil
	}
	text, err := json.Marshal(spilledPart{one.events, one.tools, one.System}, Lenient)
	if err != nil {
		return err
	}
	end := s.file.Position()
	if _, err := s.file.Write(text); err != nil {
		return err
	}
	one.stored = append(one.stored, s.file.Since(end))
	s.heldBytes -= one.heldBytes
	one.events, one.tools, one.System, one.heldBytes = nil, nil, "", 0
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
		var part spilledPart
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
