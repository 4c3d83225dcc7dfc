package judge_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// An example is a file testdata/*.txtar: a line that says what it pins, and
//
//	tests.yaml     tests: a list of tests with expect, error_pattern and the blocks of gates; cassette names one of the files
//	*.json         cassettes, and catalog.json, the snapshot of server web
//	want.json      by test its settings, its gates' results and, by run, what is expected; or mistakes.txt, what is wrong with tests.yaml
type example struct {
	file    string
	archive *txtar.Archive
	files   fstest.MapFS
}

// outcome is what a test comes to.
type outcome struct {
	Test     string              `json:"test"`
	Names    []string            `json:"names,omitempty"`
	Settings []string            `json:"settings"` // KEY = VALUE
	Gates    []judge.Result      `json:"gates"`
	Figures  []string            `json:"figures"`
	Expect   [][]judge.Assertion `json:"expect,omitempty"` // by run
	Keeps    trace.Keep          `json:"keeps,omitzero"`
}

// TestExamples pins what the engine makes of blocks and runs, with the gates of today.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no examples in testdata: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			e := &example{file, archive, fstest.MapFS{}}
			for _, f := range archive.Files {
				e.files[f.Name] = &fstest.MapFile{Data: f.Data}
			}
			e.run(t)
		})
	}
}

func (e *example) run(t *testing.T) {
	t.Helper()
	var mistakes source.Errors
	root := yamlread.Parse("tests.yaml", e.files["tests.yaml"].Data, &mistakes)
	outcomes := []outcome{}
	for _, test := range root.Maps("tests") {
		outcomes = append(outcomes, e.evaluate(t, test))
	}
	root.Done()
	if len(mistakes) > 0 {
		e.hold(t, "mistakes.txt", mistakes.Sorted().Err().Error()+"\n")
		return
	}
	text := asJSON(t, outcomes)
	e.hold(t, "want.json", text)
	asWritten := json.UnmarshalFromFunc(func(dec *jsontext.Decoder, to *any) error {
		raw, err := dec.ReadValue()
		if raw.Kind() != 'n' {
			*to = raw.Clone()
		}
		return err
	})
	var back []outcome
	if err := json.Unmarshal([]byte(text), &back, json.WithUnmarshalers(asWritten)); err != nil {
		t.Fatalf("read the results again: %v", err)
	}
	for i := range back {
		back[i].Figures = []string{}
		for k := range back[i].Gates {
			back[i].Figures = append(back[i].Figures, figures(&back[i].Gates[k])...)
		}
	}
	if again := asJSON(t, back); again != text {
		t.Errorf("%s: the results that were read again: -want +got\n%s", e.file, cmp.Diff(text, again))
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.MarshalEncode(jsontext.NewEncoder(&b, jsontext.WithIndent(" ")), v, json.Deterministic(true)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// figures returns the figures of a result as texts have them, and what is said of each note and breach.
func figures(r *judge.Result) []string {
	var g *judge.Gate
	for _, one := range gates.All {
		if one.Name == r.Gate {
			g = one
		}
	}
	g.Restore(r)
	var list []string
	for _, name := range g.Figures(r) {
		list = append(list, name+" = "+r.Metrics[name].Format())
	}
	for i := range r.Assertions {
		a := &r.Assertions[i]
		if _, isFigure := r.Metrics[a.Target]; isFigure {
			list = append(list, fmt.Sprintf("%s is %s: %s%s", a.Target, judge.ActualText(a.Actual), a.Verdict, a.ContradictionIn(r)))
		}
	}
	return list
}

func (e *example) evaluate(t *testing.T, test *yamlread.Map) outcome {
	t.Helper()
	in := e.context(t, test)
	name, _ := test.OptStr("name")
	out := outcome{Test: name.Value, Settings: []string{}, Figures: []string{}}
	var checks []judge.Check
	note := func(settings []judge.Setting) {
		for _, s := range settings {
			out.Settings = append(out.Settings, fmt.Sprintf("%d: %s = %s", s.Line, s.Key, s.Value))
		}
	}
	for _, g := range gates.All {
		if !test.Has(g.Name) {
			continue
		}
		block := test.Map(g.Name)
		check := judge.Check{Gate: g, Pos: test.KeyPos(g.Name), Plan: g.Configure(block, in)}
		checks = append(checks, check)
		note(judge.Settings(check, block))
		out.Names = append(out.Names, check.Names()...)
	}
	expect := judge.ReadRunExpect(test)
	note(expect.Settings())
	pattern := judge.ReadErrorPattern(test)
	tr := e.trace(t, test)
	test.Done()
	tr.Runs = new(judge.Work).FindErrors(tr.Runs, pattern)
	out.Gates = new(judge.Work).Evaluate(name.Value, checks, tr)
	for i := range out.Gates {
		out.Figures = append(out.Figures, figures(&out.Gates[i])...)
	}
	if expect.Empty() {
		return out
	}
	out.Keeps = expect.Keep()
	visible := expect.Visible(tr)
	for i := range tr.Runs {
		run := &tr.Runs[i]
		if run.HasFinal && expect.NeedsTokens() {
			run.ResponseTokens = trace.Known(int64(len(strings.Fields(run.FinalResponse))))
		}
		judged := visible(run)
		out.Expect = append(out.Expect, expect.Judge(&judged))
	}
	return out
}

func (e *example) context(t *testing.T, test *yamlread.Map) judge.Context {
	t.Helper()
	in := judge.Context{Servers: []string{"web"}, Runs: 4}
	if test.Has("classes") {
		in.TestClasses = gates.ReadClasses(test)
		in.Classes = in.TestClasses
	}
	if snapshot := e.snapshot(t); snapshot != nil {
		in.Snapshot = snapshot.Tools
		in.SnapshotOf = func(server string) ([]*catalog.Tool, bool) { return snapshot.Tools, server == "web" }
	}
	return in
}

func (e *example) snapshot(t *testing.T) *catalog.Catalog {
	t.Helper()
	if e.files["catalog.json"] == nil {
		return nil
	}
	cat, errs := catalog.Read("catalog.json", e.files["catalog.json"].Data)
	if len(errs) > 0 {
		t.Fatalf("%s: %v", e.file, errs.Err())
	}
	for _, tool := range cat.Tools {
		tool.Server = "web"
	}
	return cat
}

func (e *example) trace(t *testing.T, test *yamlread.Map) *trace.Trace {
	t.Helper()
	tr := &trace.Trace{}
	if file, ok := test.OptStr("cassette"); ok {
		const everything = trace.KeepArgs | trace.KeepResults | trace.KeepTurns | trace.KeepAnswers
		var errs source.Errors
		if tr, errs = trace.Read(e.files, []string{file.Value}, everything); len(errs) > 0 {
			t.Fatalf("%s: %v", e.file, errs.Err())
		}
	}
	tr.BuiltinsApart = true
	if !test.Has("no_catalog") {
		tr.Current = e.snapshot(t)
	}
	if tr.Catalog == nil {
		tr.Catalog = tr.Current
	}
	if test.Has("surface") {
		tr.Surface = trace.Known(int64(test.Int("surface", 0, 0)))
		tr.CurrentSurface = trace.Known(int64(test.Int("current_surface", 0, 0)))
	}
	return tr
}

// hold compares with a file of the example, or writes it.
func (e *example) hold(t *testing.T, name, got string) {
	t.Helper()
	want := ""
	at := -1
	for i, f := range e.archive.Files {
		if f.Name == name {
			at, want = i, string(f.Data)
		}
	}
	if got == want {
		return
	}
	if !*update {
		t.Errorf("%s: %s (-update writes it) -want +got\n%s", e.file, name, cmp.Diff(want, got))
		return
	}
	if at < 0 {
		at, e.archive.Files = len(e.archive.Files), append(e.archive.Files, txtar.File{Name: name})
	}
	e.archive.Files[at].Data = []byte(got)
	if err := os.WriteFile(e.file, txtar.Format(e.archive), 0o666); err != nil {
		t.Fatal(err)
	}
}
