package cli

import (
	"bytes"
	"testing"
	"time"

	"github.com/org/mcp-gates/internal/live"
)

func TestProgress(t *testing.T) {
	for _, test := range []struct {
		name     string
		terminal bool
		since    time.Duration // something was last said
		want     string
	}{
		{"quick on a terminal", true, 0, ""},
		{"slow on a terminal", true, time.Second, "\r1 of 3 cases checked\x1b[K\r\x1b[K"},
		{"quick in a log", false, time.Second, ""},
		{"slow in a log", false, time.Minute, "1 of 3 cases checked\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got bytes.Buffer
			p := &progress{w: &got, terminal: test.terminal, last: time.Now().Add(-test.since)}
			p.updateCases(1, 3)
			p.updateCases(2, 3) // too soon after the first
			p.end()
			if got.String() != test.want {
				t.Errorf("got %q, want %q", got.String(), test.want)
			}
		})
	}
}

func TestProgressOfLiveRuns(t *testing.T) {
	status := live.Status{Done: 5, Planned: 20, Tokens: 12345, MicroDollars: 1_234_560}
	for _, test := range []struct {
		name  string
		width int
		want  string
	}{
		{"wide", 0, "\r[#####...............] 5 of 20 runs, 12345 tokens, $1.2345, 1 of 4 cases checked\x1b[K"},
		{"narrow", 40, "\r[#####...............] 5 of 20 runs, 12\x1b[K"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got bytes.Buffer
			p := &progress{w: &got, terminal: true, width: test.width, last: time.Now()}
			p.updateCases(1, 4) // too soon
			p.last = time.Time{}
			p.updateRuns(status)
			if got.String() != test.want {
				t.Errorf("got %q, want %q", got.String(), test.want)
			}
		})
	}
}
