package imports

import (
	"bytes"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/imports/logtest"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/rogpeppe/go-internal/diff"
)

// TestFormats pins what the examples of each format are read as, that their format is recognised, and that reading twice
// gives the same.
func TestFormats(t *testing.T) {
	for _, f := range All {
		all := logtest.Examples(t, f.Name)
		if len(all) < 3 {
			t.Errorf("format %s has %d examples in testdata/%s, want at least 3", f.Name, len(all), f.Name)
		}
		for _, e := range all {
			t.Run(e.Path, func(t *testing.T) {
				e.Check(t, All, f.Name)
				if got, want := e.Read(All, Auto), e.Read(All, f.Name); got != want {
					t.Errorf("without the name of the format, which is recognised by its row in foreignFormats (internal/trace/foreign.go):\n%s", diff.Diff("with", []byte(want), "without", []byte(got)))
				}
			})
		}
	}
}

// FuzzRead pins that no log of any format breaks the reader, that every run can be written as a cassette, and that the
// cassette can be read back.
func FuzzRead(f *testing.F) {
	for i, format := range All {
		for _, e := range logtest.Examples(f, format.Name) {
			for _, name := range e.Files {
				f.Add(i, e.Logs[name].Data, true)
			}
		}
	}
	f.Fuzz(func(t *testing.T, i int, log []byte, turns bool) {
		if i < 0 || i >= len(All) {
			return
		}
		o := Options{Format: All[i].Name, Servers: []string{"a"}, Lone: "a"}
		if turns {
			o.Split = SplitTurn
		}
		account, err := Read(fstest.MapFS{"log": {Data: log}}, []string{"log"}, o, func(run *Run) error {
			checkWritten(t, run)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range account.Skipped {
			if one.Pos.File != "log" || one.Pos.Line < 1 {
				t.Errorf("a record that was not read has the place %s", one.Pos)
			}
		}
	})
}

// checkWritten holds that a run becomes a cassette that can be read.
func checkWritten(t *testing.T, run *Run) {
	t.Helper()
	var cassette bytes.Buffer
	if err := trace.Write(&cassette, &trace.Trace{Header: trace.Header{Recorded: run.Catalog}, Runs: []trace.Run{run.Run}}); err != nil {
		t.Fatal(err)
	}
	const all = trace.KeepArgs | trace.KeepResults | trace.KeepTurns | trace.KeepAnswers
	back, errs := trace.Read(fstest.MapFS{"c.json": {Data: cassette.Bytes()}}, []string{"c.json"}, all)
	if errs != nil {
		t.Fatalf("%s\nof %s", errs, cassette.Bytes())
	}
	if got := len(back.Runs[0].Calls); got != len(run.Calls) {
		t.Errorf("got %d calls back, want %d", got, len(run.Calls))
	}
}
