package annotate

import (
	"bytes"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/report/annotation"
	"github.com/org/mcp-gates/internal/report/reporttest"
)

var update = flag.Bool("update", false, "write what comes out to testdata")

func plain(s string) string { return s }

// golden compares text with a file, or writes it there.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// FuzzAnnotations holds that hostile texts in every field stay texts, in commands and for the API.
func FuzzAnnotations(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1000 {
			return // the limits are tested with the check run
		}
		hostile := func(plain string) string { return s + plain + s }
		list := annotation.Of(reporttest.Everything(hostile), annotation.Options{})
		var log bytes.Buffer
		c := NewCommands(&log)
		rest := c.annotate(list, "see the job summary")
		issued := len(list)
		for _, n := range rest {
			issued -= n
		}
		if got, _ := readLog(log.String()); len(got) != issued {
			t.Errorf("text %q: the runner reads %d commands, want %d", s, len(got), issued)
		}
		for _, a := range list {
			checkShown(t, "title", a.Title)
			checkShown(t, "message", a.Message)
			api := apiAnnotation(a)
			checkShown(t, "path", api.GetPath())
			if api.GetMessage() == "" || len(api.GetTitle()) > maxTitle || aboveBMP(api.GetPath()+api.GetTitle()+api.GetMessage()) {
				t.Errorf("text %q: GitHub would refuse %v", s, api)
			}
		}
	})
}

// TestCommandLimits pins that the worst ten of each level are shown, warnings of our own first, and the rest counted.
func TestCommandLimits(t *testing.T) {
	var log bytes.Buffer
	c := NewCommands(&log)
	c.Warn("of our own")
	var list []annotation.Item
	for _, level := range annotation.Levels {
		for i := range 14 {
			list = append(list, annotation.Item{Path: "a.yml", Line: i + 1, Level: level, Message: strings.Repeat("x", 5000)})
		}
	}
	rest := c.annotate(list, "see the job summary")
	want := map[annotation.Level]int{annotation.Failure: 4, annotation.Warning: 5, annotation.Notice: 4}
	if diff := cmp.Diff(want, rest); diff != "" {
		t.Error(diff)
	}
	commands, plain := readLog(log.String())
	byName := map[string]int{}
	for _, command := range commands {
		byName[command.Name]++
		if len(command.Data) > 4096 {
			t.Errorf("a message has %d bytes", len(command.Data))
		}
	}
	if diff := cmp.Diff(map[string]int{"error": 10, "warning": 10, "notice": 10}, byName); diff != "" {
		t.Error(diff)
	}
	if want := "4 failures, 5 warnings, 4 notices more: see the job summary"; len(plain) != 1 || plain[0] != want {
		t.Errorf("plain lines are %q, want %q", plain, want)
	}
	c.Warn("late")
	if got := log.String(); !strings.HasSuffix(got, "\nwarning: late\n") {
		t.Errorf("an eleventh warning is written as %q", got[len(got)-30:])
	}
}

// TestStep pins that a step's log has the text as plain lines, of which none is a command, and then the annotations.
func TestStep(t *testing.T) {
	var log bytes.Buffer
	list := []annotation.Item{{Path: "a.yml", Line: 3, Level: annotation.Failure, Title: "t", Message: "m\n::error::x"}}
	err := Step(&log, list, func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Join(hostile, "\n"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	commands, lines := readLog(log.String())
	if len(commands) != 1 || commands[0].Name != "error" || commands[0].Properties["file"] != "a.yml" || commands[0].Properties["line"] != "3" {
		t.Errorf("the runner reads %+v, want the annotation", commands)
	}
	if len(lines) < len(hostile) {
		t.Errorf("got %d lines of text, want those of %d texts", len(lines), len(hostile))
	}
}
