package imports

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/trace"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what the examples give")

// example is a file of testdata/FORMAT: a line that says what it pins, logs, and what they are read as.
type example struct {
	path    string
	archive *txtar.Archive
	logs    fstest.MapFS
	files   []string
	options Options
	want    string
}

// examples reads the examples of a format.
func examples(t testing.TB, format string) []*example {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", format, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var all []*example
	for _, path := range paths {
		all = append(all, readExample(t, path))
	}
	return all
}

func readExample(t testing.TB, path string) *example {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	e := &example{path: path, archive: archive, logs: fstest.MapFS{}}
	for _, f := range archive.Files {
		switch f.Name {
		case "want":
			e.want = string(f.Data)
		case "options":
			e.readOptions(t, string(f.Data))
		default:
			e.logs[f.Name] = &fstest.MapFile{Data: f.Data}
			e.files = append(e.files, f.Name)
		}
	}
	return e
}

// readOptions reads lines such as "servers: a b", "map: PREFIX=SERVER", "split: turn".
func (e *example) readOptions(t testing.TB, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "servers":
			e.options.Servers = strings.Fields(value)
		case "lone":
			e.options.Lone = value
		case "split":
			e.options.Split = Split(value)
		case "subagents":
			e.options.Subagents = Subagents(value)
		case "map":
			e.options.ServerMap = map[string]string{}
			for _, one := range strings.Fields(value) {
				prefix, server, _ := strings.Cut(one, "=")
				e.options.ServerMap[prefix] = server
			}
		default:
			t.Fatalf("%s: unknown option %q", e.path, line)
		}
	}
}

// read returns what the example's logs are read as.
func (e *example) read(format string) string {
	e.options.Format = format
	var out strings.Builder
	account, err := Read(e.logs, e.files, e.options, func(run *Run) error {
		out.WriteString(describe(run))
		return nil
	})
	out.WriteString(describeAccount(account))
	if err != nil {
		fmt.Fprintf(&out, "error: %s\n", err)
	}
	return out.String()
}

// describe shows a run: what it is chosen by, and the cassette that it becomes.
func describe(run *Run) string {
	var out strings.Builder
	fmt.Fprintf(&out, "run at %s\n", run.Pos)
	for _, one := range [][2]string{
		{"time", run.Time}, {"session", run.Session}, {"prompt", run.Prompt}, {"system", run.System}, {"model", run.Model},
		{"provider", run.Provider}, {"provider model", run.ProviderModel}, {"cwd", run.Cwd},
	} {
		if one[1] != "" {
			fmt.Fprintf(&out, "  %s: %q\n", one[0], one[1])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(run.Metadata)) {
		fmt.Fprintf(&out, "  metadata.%s: %q\n", key, run.Metadata[key])
	}
	var cassette bytes.Buffer
	if err := trace.Write(&cassette, &trace.Trace{Header: trace.Header{Recorded: run.Catalog}, Runs: []trace.Run{run.Run}}); err != nil {
		return err.Error()
	}
	out.Write(cassette.Bytes())
	return out.String()
}

func describeAccount(a *Account) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%d sessions, %d runs, %d calls, %d of them builtin\n", a.Sessions, a.Runs, a.Calls, a.Builtin)
	if a.SeveralPrompts > 0 {
		fmt.Fprintf(&out, "several prompts: %d\n", a.SeveralPrompts)
	}
	for _, reason := range a.Reasons() {
		fmt.Fprintf(&out, "left out: %d %s\n", a.LeftOut[reason], reason)
	}
	for _, one := range a.Skipped {
		fmt.Fprintf(&out, "unread: %s\n", one)
	}
	for _, one := range a.Mistakes {
		fmt.Fprintf(&out, "mistake: %s\n", one)
	}
	return out.String()
}

// TestFormats pins what the examples of each format are read as, that their format is recognised, and that reading twice
// gives the same.
func TestFormats(t *testing.T) {
	for _, f := range All {
		all := examples(t, f.Name)
		if len(all) < 3 {
			t.Errorf("format %s has %d examples in testdata/%s, want at least 3", f.Name, len(all), f.Name)
		}
		for _, e := range all {
			t.Run(e.path, func(t *testing.T) {
				e.check(t, f.Name)
				if got, want := e.read(Auto), e.read(f.Name); got != want {
					t.Errorf("with the format recognised:\n%s", cmp.Diff(want, got))
				}
			})
		}
	}
}

// check compares what the example is read as with what it wants.
func (e *example) check(t *testing.T, format string) {
	t.Helper()
	got := e.read(format)
	if again := e.read(format); again != got {
		t.Errorf("the second reading differs:\n%s", cmp.Diff(got, again))
	}
	if *update {
		e.update(t, got)
		return
	}
	if diff := cmp.Diff(e.want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// update writes what the example gives.
func (e *example) update(t *testing.T, got string) {
	t.Helper()
	i := slices.IndexFunc(e.archive.Files, func(f txtar.File) bool { return f.Name == "want" })
	if i < 0 {
		i = len(e.archive.Files)
		e.archive.Files = append(e.archive.Files, txtar.File{Name: "want"})
	}
	e.archive.Files[i].Data = []byte(got)
	if err := os.WriteFile(e.path, txtar.Format(e.archive), 0o666); err != nil {
		t.Fatal(err)
	}
}

// FuzzRead pins that no log of any format breaks the reader, that every run can be written as a cassette, and that the
// cassette can be read back.
func FuzzRead(f *testing.F) {
	for i, format := range All {
		for _, e := range examples(f, format.Name) {
			for _, name := range e.files {
				f.Add(i, e.logs[name].Data, true)
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
