package mcpclient

import (
	"strings"
	"sync"

	"github.com/org/mcp-gates/internal/redact"
)

// Bounds on the standard error that is kept of a process.
const (
	maxStderrLines = 20
	maxStderrLine  = 4 << 10 // bytes
	maxStderr      = 128 << 10
)

// tail keeps the end of the text that is written to it, in lines, without splitting a secret.
type tail struct {
	rules *redact.Rules

	mu   sync.Mutex
	kept []byte // up to twice maxStderr
}

// Write always succeeds.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for rest := p; len(rest) > 0; {
		n := min(len(rest), 2*maxStderr-len(t.kept))
		t.kept, rest = append(t.kept, rest[:n]...), rest[n:]
		if len(t.kept) == 2*maxStderr {
			from := t.rules.After(string(t.kept), maxStderr)
			t.kept = append(t.kept[:0], t.kept[from:]...)
		}
	}
	return len(p), nil
}

// last returns the last lines except empty ones. A last line without a line end is included.
func (t *tail) last() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := string(t.kept)
	text = text[t.rules.After(text, startOfLastLines(text)):]
	var lines []string
	for len(text) > 0 {
		end := strings.IndexByte(text, '\n') + 1
		if end == 0 {
			end = len(text)
		}
		line := text[:end]
		if len(line) > maxStderrLine {
			line = cutter{t.rules}.firstWords(text, maxStderrLine)
		}
		if line = strings.ToValidUTF8(strings.TrimSpace(line), "\uFFFD"); line != "" {
			lines = append(lines, line)
		}
		text = text[end:]
	}
	return lines
}

func startOfLastLines(text string) int {
	lines := 0
	for at := len(text); at > 0; {
		start := strings.LastIndexByte(text[:at-1], '\n') + 1
		if strings.TrimSpace(text[start:at]) != "" {
			if lines++; lines == maxStderrLines {
				return start
			}
		}
		at = start
	}
	return 0
}
