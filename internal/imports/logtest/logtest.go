// Package logtest checks formats of logs by examples in txtar files. Only tests import it.
package logtest

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

	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what the examples give")

// Example is a file of testdata/FORMAT: a line that says what it pins, logs, and what they are read as. A test with -update
// writes what they are read as.
type Example struct {
	Path    string // of the file, below the folder of the test
	archive *txtar.Archive
	Logs    fstest.MapFS // files by name
	Files   []string     // in order
	options logs.Options
	want    string
}

// Examples reads the examples in a folder of testdata.
func Examples(t testing.TB, folder string) []*Example {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return lists.Map(paths, func(path string) *Example { return readExample(t, path) })
}

func readExample(t testing.TB, path string) *Example {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	e := &Example{Path: path, archive: archive, Logs: fstest.MapFS{}}
	for _, f := range archive.Files {
		switch f.Name {
		case "want":
			e.want = string(f.Data)
		case "options":
			e.readOptions(t, string(f.Data))
		default:
			e.Logs[f.Name] = &fstest.MapFile{Data: f.Data}
			e.Files = append(e.Files, f.Name)
		}
	}
	return e
}

// readOptions reads lines such as "servers: a b", "map: PREFIX=SERVER", "split: turn".
func (e *Example) readOptions(t testing.TB, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "servers":
			e.options.Servers = strings.Fields(value)
		case "lone":
			e.options.Lone = value
		case "split":
			e.options.Split = logs.Split(value)
		case "subagents":
			e.options.Subagents = logs.Subagents(value)
		case "map":
			e.options.ServerMap = map[string]string{}
			for _, one := range strings.Fields(value) {
				prefix, server, _ := strings.Cut(one, "=")
				e.options.ServerMap[prefix] = server
			}
		default:
			t.Fatalf("%s: unknown option %q", e.Path, line)
		}
	}
}

// Read returns what the example's logs are read as. format is the name of one of formats, or [logs.Auto].
func (e *Example) Read(formats logs.Formats, format string) string {
	e.options.Format = format
	var out strings.Builder
	account, err := formats.Read(e.Logs, e.Files, e.options, func(run *logs.Run) error {
		out.WriteString(describe(run))
		return nil
	})
	out.WriteString(describeAccount(account))
	if err != nil {
		fmt.Fprintf(&out, "error: %s\n", err)
	}
	return out.String()
}

func describe(run *logs.Run) string {
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
	if err := trace.Write(&cassette, &trace.Trace{Header: trace.Header{Recorded: run.Catalog, Deferred: run.Deferred}, Runs: []trace.Run{run.Run}}); err != nil {
		return err.Error()
	}
	out.Write(cassette.Bytes())
	return out.String()
}

func describeAccount(a *logs.Account) string {
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

// Check compares what the example's logs are read as with what the example wants. It also checks that a second reading gives the
// same. format is the name of one of formats, or [logs.Auto].
func (e *Example) Check(t *testing.T, formats logs.Formats, format string) {
	t.Helper()
	got := e.Read(formats, format)
	if again := e.Read(formats, format); again != got {
		t.Errorf("the second reading differs:\n%s", diff.Diff("first", []byte(got), "second", []byte(again)))
	}
	if *update {
		e.update(t, got)
		return
	}
	if got != e.want {
		t.Errorf("%s", diff.Diff("want", []byte(e.want), "got", []byte(got)))
	}
}

func (e *Example) update(t *testing.T, got string) {
	t.Helper()
	i := slices.IndexFunc(e.archive.Files, func(f txtar.File) bool { return f.Name == "want" })
	if i < 0 {
		i = len(e.archive.Files)
		e.archive.Files = append(e.archive.Files, txtar.File{Name: "want"})
	}
	e.archive.Files[i].Data = []byte(got)
	if err := os.WriteFile(e.Path, txtar.Format(e.archive), 0o666); err != nil {
		t.Fatal(err)
	}
}
