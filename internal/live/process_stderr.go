package live

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
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
	isCut   bool   // which is not all of it
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for rest := p; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		keep := min(len(line), maxStderrLine-len(t.current))
		t.current, t.isCut = append(t.current, line[:keep]...), t.isCut || keep < len(line)
		if ended {
			t.end()
		}
		rest = after
	}
	return len(p), nil
}

// end ends the current line. Empty ones tell nothing.
func (t *tail) end() {
	line := t.line()
	t.current, t.isCut = t.current[:0], false
	if line == "" {
		return
	}
	if t.lines = append(t.lines, line); len(t.lines) > maxStderrLines {
		t.lines = append(t.lines[:0], t.lines[1:]...)
	}
}

// line returns the current line as far as it is kept. Where that is not all of it, its last word may be a part of a
// secret.
func (t *tail) line() string {
	line := string(t.current)
	if at := strings.LastIndexFunc(line, unicode.IsSpace); t.isCut && at > 0 {
		line = line[:at]
	}
	return strings.ToValidUTF8(strings.TrimSpace(line), "\uFFFD")
}

// last returns the last lines, the one without an end included.
func (t *tail) last() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := append([]string(nil), t.lines...)
	if line := t.line(); line != "" {
		lines = append(lines, line)
	}
	return lines[max(0, len(lines)-maxStderrLines):]
}
