package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/org/mcp-gates/internal/live"
)

// progress shows how far a check is. On a terminal it is one line, which is removed at the end; in a log a line is written now
// and then. A quick check shows nothing.
type progress struct {
	w        io.Writer
	terminal bool
	width    int       // width of the terminal in characters; 0 if unknown
	last     time.Time // when the progress was last written; before that, when the check began
	isShown  bool

	mu          sync.Mutex
	cases, runs string // the progress of cases and of live runs, as text; "" if unknown
}

// The shortest time between two lines of progress, on a terminal and in a log.
const (
	terminalPause = 100 * time.Millisecond
	logPause      = 10 * time.Second
)

func (p *program) newProgress() *progress {
	return &progress{w: p.stderr, terminal: p.movesCursor(p.stderr), width: terminalWidth(p.stderr), last: time.Now()}
}

// updateCases writes how many cases are done. A failed write is ignored, because only people read the progress.
func (p *progress) updateCases(done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cases = fmt.Sprintf("%d of %d cases checked", done, total)
	p.show()
}

func (p *progress) updateRuns(s live.Status) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.runs = fmt.Sprintf("%s %d of %d runs, %d tokens, $%d.%04d", bar(s.Done, s.Planned), s.Done, s.Planned, s.Tokens,
		s.MicroDollars/1_000_000, s.MicroDollars/100%10_000)
	p.show()
}

func bar(done, whole int) string {
	const width = 20
	filled := 0
	if whole > 0 {
		filled = width * min(done, whole) / whole
	}
	return "[" + strings.Repeat("#", filled) + strings.Repeat(".", width-filled) + "]"
}

// show writes the progress, unless it did so just now.
func (p *progress) show() {
	pause := logPause
	if p.terminal {
		pause = terminalPause
	}
	now := time.Now()
	if now.Sub(p.last) < pause {
		return
	}
	p.last, p.isShown = now, true
	line := p.runs + ", " + p.cases
	line = strings.Trim(line, ", ") // the runs or the cases may be unknown
	if p.terminal {
		if p.width > 0 {
			line = line[:min(len(line), p.width-1)] // a line that wraps could not be wiped
		}
		fmt.Fprintf(p.w, "\r%s\x1b[K", line)
		return
	}
	fmt.Fprintln(p.w, line)
}

// interrupted explains the effect of the first signal. On a terminal, it first wipes the line, to which Ctrl-C has added ^C.
func (p *progress) interrupted() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wipe()
	fmt.Fprintln(p.w, "interrupted: what is done is reported when the servers have ended; once more ends them at once")
}

// end wipes the line off the terminal.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wipe()
}

func (p *progress) wipe() {
	if p.isShown && p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
