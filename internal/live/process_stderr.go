package live

import (
	"bytes"
	"strings"
	"sync"
)

// Bounds on what is kept of a process's standard error.
const (
	maxStderrLines = 20
	maxStderrLine  = 4 << 10 // bytes
)

// tail keeps the last lines of what is written to it.
type tail struct {
	mu      sync.Mutex
	lines   []string
	current []byte // the line that has no end yet, as far as it is kept
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for rest := p; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		t.current = append(t.current, line[:min(len(line), maxStderrLine-len(t.current))]...)
		if ended {
			t.end()
		}
		rest = after
	}
	return len(p), nil
}

// end ends the current line. Empty ones tell nothing.
func (t *tail) end() {
	line := strings.ToValidUTF8(strings.TrimSpace(string(t.current)), "\uFFFD")
	t.current = t.current[:0]
	if line == "" {
		return
	}
	if t.lines = append(t.lines, line); len(t.lines) > maxStderrLines {
		t.lines = append(t.lines[:0], t.lines[1:]...)
	}
}

// last returns the last lines, the one without an end included.
func (t *tail) last() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := append([]string(nil), t.lines...)
	if line := strings.ToValidUTF8(strings.TrimSpace(string(t.current)), "\uFFFD"); line != "" {
		lines = append(lines, line)
	}
	return lines[max(0, len(lines)-maxStderrLines):]
}
