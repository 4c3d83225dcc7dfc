package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/text"
)

// hostile is a report of names that act on a terminal, a runner or a page.
func hostile() *report.Report {
	const name = "\x1b[31m::error::x\n\"><img src=x>\u202e"
	r := &report.Report{Version: report.Version, Mode: report.Replay, Cases: []report.Case{{
		ID: name, Suite: name, Name: name, Model: name, Verdict: judge.Error, Err: &judge.Problem{Message: name, Path: name, Exit: 2},
	}}}
	r.Conclude()
	return r
}

// TestFormats names what a row of the formats lacks: documentation, the same bytes each time, and harmless text.
func TestFormats(t *testing.T) {
	docs, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range formats {
		if !strings.Contains(string(docs), "\n| `"+f.name+"` | ") {
			t.Errorf("docs/formats.md has no row for the format %q", f.name)
		}
		var once, twice bytes.Buffer
		for _, to := range []*bytes.Buffer{&once, &twice} {
			if err := f.write(to, hostile(), text.Options{All: true, Values: true}); err != nil {
				t.Errorf("%s: %v", f.name, err)
			}
		}
		if !bytes.Equal(once.Bytes(), twice.Bytes()) {
			t.Errorf("%s writes other bytes the second time", f.name)
		}
		if i := bytes.IndexFunc(once.Bytes(), func(r rune) bool { return r < ' ' && r != '\n' || r == '\u202e' && f.name != formatJSON }); i >= 0 {
			t.Errorf("%s writes the character %q raw", f.name, once.Bytes()[i:i+3])
		}
	}
}
