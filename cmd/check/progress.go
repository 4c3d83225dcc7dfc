package main

import (
	"fmt"
	"io"
	"time"
)

// progress says how far a check is: on a terminal in one line that is wiped at the end, in a log a line now and then,
// and nothing when the check is quick.
type progress struct {
	w        io.Writer
	terminal bool
	last     time.Time // when something was last said, at first when the check began
	said     bool
}

// How long nothing is said, on a terminal and in a log.
const (
	terminalPause = 100 * time.Millisecond
	logPause      = 10 * time.Second
)

func (p *program) newProgress() *progress {
	return &progress{w: p.stderr, terminal: p.isTerminal(p.stderr), last: time.Now()}
}

// update is told how many cases are done. What it writes is for people to see: a failed write changes nothing.
func (p *progress) update(done, total int) {
	pause := logPause
	if p.terminal {
		pause = terminalPause
	}
	now := time.Now()
	if now.Sub(p.last) < pause {
		return
	}
	p.last, p.said = now, true
	if p.terminal {
		fmt.Fprintf(p.w, "\r%d of %d cases checked\x1b[K", done, total)
		return
	}
	fmt.Fprintf(p.w, "%d of %d cases checked\n", done, total)
}

// end wipes the line off the terminal.
func (p *progress) end() {
	if p.said && p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
