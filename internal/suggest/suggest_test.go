package suggest

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/imports"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what the examples give")

// line is a run of an example: calls as SERVER.TOOL, in how many runs alike.
type line struct {
	Prompt, System, Model string
	Calls                 []string // one that returned an error ends with !
	Tokens                *int64
	Error                 string
	Times                 int
	Offered               jsontext.Value
	Long                  int // how often the system prompt is repeated
}

// run returns the run of a line.
func (l line) run(t testing.TB) *imports.Run {
	t.Helper()
	run := &imports.Run{Prompt: l.Prompt, System: strings.Repeat(l.System, max(1, l.Long)), Model: l.Model, Format: "test", Run: trace.Run{Calls: []trace.Call{}, Error: l.Error}}
	for _, call := range l.Calls {
		call, failed := strings.CutSuffix(call, "!")
		server, tool, ok := strings.Cut(call, ".")
		if !ok {
			server, tool = "", call
		}
		run.Calls = append(run.Calls, trace.Call{Tool: &trace.Tool{Ref: catalog.Ref{Server: server, Name: tool}}, Failed: failed, Detail: &trace.Detail{}})
	}
	if l.Tokens != nil {
		run.Total = trace.Known(*l.Tokens)
	}
	var err error
	if run.Catalog, err = catalog.FromServers(l.Offered); err != nil {
		t.Fatal(err)
	}
	return run
}

// drafted is what becomes of runs: the draft, the files that it is about, and the names of these.
type drafted struct {
	draft *Draft
	files fstest.MapFS
	names []string
}

const file = DraftName

// drafts collects runs, writes their cassettes and drafts a suite for them.
func drafts(t testing.TB, runs []*imports.Run) drafted {
	t.Helper()
	c := imports.NewCollection(imports.DefaultKeys, nil)
	defer c.Close()
	for _, run := range runs {
		if err := c.Add(run); err != nil {
			t.Fatal(err)
		}
	}
	groups := c.Finish()
	out := drafted{files: fstest.MapFS{}, names: Names(groups, imports.DefaultKeys)}
	var items []Item
	for i, g := range groups {
		var text bytes.Buffer
		if err := c.Write(&text, g.Header("1.2.3"), g.Parts()[0]); err != nil {
			t.Fatal(err)
		}
		items = append(items, Item{Group: g, Name: out.names[i], Cassette: "c/" + out.names[i] + ".json"})
		out.files[items[i].Cassette] = &fstest.MapFile{Data: text.Bytes()}
	}
	var err error
	if out.draft, err = New(context.Background(), out.files, file, items, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	return out
}

// checkPasses holds that the draft passes as it is written, and that no case in it is missing.
func (d drafted) checkPasses(t testing.TB) {
	t.Helper()
	if d.draft.Text == nil {
		return
	}
	d.files[file] = &fstest.MapFile{Data: d.draft.Text}
	r := check.Run(context.Background(), d.files, check.Options{Suites: []string{file}})
	if r.ExitStatus() != report.ExitPass || len(r.Cases) != d.draft.Cases {
		t.Fatalf("got exit status %d and %d cases, want %d: %v\n%s", r.ExitStatus(), len(r.Cases), d.draft.Cases, r.Problems, d.draft.Text)
	}
	for i := range r.Cases {
		if r.Cases[i].Verdict != judge.Pass {
			t.Errorf("%s: %s", r.Cases[i].Name, r.Cases[i].Verdict)
		}
	}
}

// TestDrafts pins the drafts for the runs of the examples.
func TestDrafts(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) < 5 {
		t.Fatalf("got %d examples and error %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(path, func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			d := drafts(t, readRuns(t, archive.Files[0].Data))
			d.checkPasses(t)
			got := string(d.draft.Text) + strings.Join(append(d.draft.Left, ""), "\n")
			if *update {
				archive.Files = append(archive.Files[:1], txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := archive.Files[1].Data; got != string(want) {
				t.Errorf("%s", diff.Diff("want", want, "got", []byte(got)))
			}
		})
	}
}

// readRuns reads the lines of an example.
func readRuns(t testing.TB, text []byte) (runs []*imports.Run) {
	t.Helper()
	for one := range bytes.Lines(text) {
		var l line
		if err := json.Unmarshal(one, &l, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatalf("%s: %v", one, err)
		}
		for range max(1, l.Times) {
			runs = append(runs, l.run(t))
		}
	}
	return runs
}

// TestNames pins what cassettes are called: safely, each differently, and alike in whatever order the logs come.
func TestNames(t *testing.T) {
	prompts := []line{
		{Prompt: "Which tickets are open about the login page, and since when?", Model: "gpt-5"},
		{Prompt: "Which tickets are open about the door?", Model: "gpt-5"},
		{Prompt: "Say hello", Model: "gpt-5"}, {Prompt: "Say hello", Model: "../../etc"}, {Prompt: "Say hello", Model: ""},
		{Prompt: "../../etc/passwd\x00\x1b[31m"},
		{Prompt: "::error::x"},
		{Prompt: `"><img src=x>`},
		{Prompt: "order"}, {Prompt: "order 2"},
		{Prompt: ""}, {Prompt: "???"},
		{Prompt: strings.Repeat("ü", thorough.Size(1<<20, 10<<20))},
		{Prompt: "CON"},
	}
	var runs []*imports.Run
	for _, p := range prompts {
		runs = append(runs, p.run(t))
	}
	names := drafts(t, runs).names
	want := []string{
		"which-tickets-are-open-about-the-ID", "which-tickets-are-open-about-the-ID",
		"say-hello-gpt-5", "say-hello-etc", "say-hello-no-model",
		"etc-passwd-31m", "error-x", "img-src-x", "order", "order-2-ID", "no-prompt-ID", "no-prompt-ID",
		strings.Repeat("ü", 30), "con",
	}
	got := make([]string, len(names))
	for i, name := range names {
		got[i] = name
		if at := strings.LastIndexByte(name, '-'); strings.HasSuffix(want[i], "-ID") && len(name)-at == 11 {
			got[i] = name[:at] + "-ID"
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	slices.Reverse(runs)
	again := drafts(t, runs).names
	slices.Reverse(again)
	if !slices.Equal(again, names) {
		t.Errorf("in the other order: got %q, want %q", again, names)
	}
}

// TestPartsGlob pins that the glob finds all cassettes of a group and no others, and that it is the one in the documentation.
func TestPartsGlob(t *testing.T) {
	for _, parts := range []int{1, 2, 10, 99, 100, 1000} {
		glob := PartsGlob("order", parts)
		for n := range max(parts, 99) {
			if name := PartName("order", n) + ".json"; !doublestar.MatchUnvalidated(glob, name) {
				t.Errorf("%d parts: %s does not match %s", parts, glob, name)
			}
		}
		for _, other := range []string{"order-x.json", "order-2-x.json", "order-status.json", "order-x2.json", "orders.json", "order-2.jsonl"} {
			if doublestar.MatchUnvalidated(glob, other) {
				t.Errorf("%d parts: %s matches %s", parts, glob, other)
			}
		}
	}
	text, err := os.ReadFile("../../docs/import.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := "`" + PartsGlob("NAME", 2) + "`"; !strings.Contains(string(text), want) {
		t.Errorf("docs/import.md does not have the glob %s", want)
	}
}

// FuzzDraft pins that whatever logs hold, the draft is a suite, and passes.
func FuzzDraft(f *testing.F) {
	f.Add("Which tickets?", "be brief", "gpt-5", "tickets", "search", "get")
	f.Add("${HOME} $${x} $$${y}", "a: b # c\n- d", "yes", "~", "a.b", "tickets.a")
	f.Add("::error::x", "\"><img src=x>", "../../etc", "\x1b[31m\u202e", "<<", "*a")
	f.Add("\u2028\u0085\ufeff\ufffe", "'", "|\n x", "a.b", "b.c", "")
	f.Fuzz(func(t *testing.T, prompt, system, model, server, tool, other string) {
		run := line{Prompt: prompt, System: system, Model: model, Calls: []string{"x", "y", "builtin.Bash"}}.run(t)
		run.Calls[0].Tool.Ref = catalog.Ref{Server: server, Name: tool}
		run.Calls[1].Tool.Ref = catalog.Ref{Server: other, Name: tool}
		second := line{Prompt: prompt, System: system, Model: model, Calls: []string{"x"}}.run(t)
		second.Calls[0].Tool.Ref = catalog.Ref{Name: other}
		third := line{Prompt: prompt, Model: other, Calls: []string{"s.t"}, Error: system}.run(t)
		drafts(t, []*imports.Run{run, second, third}).checkPasses(t)
	})
}
