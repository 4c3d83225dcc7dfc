package main

import (
	"bytes"
	"testing"
	"time"
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
			p.update(1, 3)
			p.update(2, 3) // too soon after the first
			p.end()
			if got.String() != test.want {
				t.Errorf("got %q, want %q", got.String(), test.want)
			}
		})
	}
}
