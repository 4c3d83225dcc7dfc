// Package checktest tests checks of pull requests: each test is an archive of the files of a pull request and the expected report.
package checktest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/shard"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// options is the content of options.json: the options of the check.
type options struct {
	Suites      []string          `json:"suites"`
	Filter      string            `json:"filter"`
	Tags        []string          `json:"tags"`
	SkipTags    []string          `json:"skip_tags"`
	Only        []string          `json:"only"`
	FailOnStale suite.StalePolicy `json:"fail_on_stale"`
	ByBase      bool              `json:"by_base"`
	Affected    []string          `json:"affected"`
	SkipForeign bool              `json:"skip_foreign"`
	Timelines   bool              `json:"timelines"`
	AllCalls    bool              `json:"all_calls"`
	ByWords     bool              `json:"by_words"`
	JudgeRun    int               `json:"judge_run"`
	Live        bool              `json:"live"`
	Shards      int               `json:"shards"`
	Tampered    []string          `json:"tampered"` // edits "OLD => NEW" of the shards' reports
	AgentNow    string            `json:"agent_now"`
	Whole       bool              `json:"whole"` // want.json also has settings of cases and findings in catalogs
}

// An example is an archive: a line that says what it tests, and these files. Other files are in both base and head.
//
//	options.json  optional: options of the check
//	base/…        files that only the base has, or that differ in the head. An example with none of base/, head/ and edits has no base
//	head/…        files that only the head has, or that differ in the base
//	edits         lines "FILE: OLD => NEW" that turn the base's files into the head's
//	live/…        results of live runs, see [liveSuite]
//	want.json     the report and the cases to record again; absent if shards must give the report of the whole check
type example struct {
	file    string
	archive *txtar.Archive
	options options
	base    fstest.MapFS // nil if there is no base
	head    fstest.MapFS
	live    fstest.MapFS
}

// Run checks the archives testdata/*.txtar, and compares each report with want.json. The flag -update writes want.json.
func Run(t *testing.T) { RunFiles(t, "testdata/*.txtar") }

// RunFiles does what Run does for the archives that match a pattern.
func RunFiles(t *testing.T, pattern string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no examples in testdata: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			e := read(t, file)
			r := e.report(t)
			if e.options.Shards == 0 || len(e.options.Tampered) > 0 { // otherwise the report equals that of the whole check
				e.compareOrUpdate(t, r)
			}
		})
	}
}

func read(t *testing.T, file string) *example {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(bytes.TrimSpace(archive.Comment)) == 0 {
		t.Errorf("%s: the first line must say what the example pins", file)
	}
	e := &example{file: file, archive: archive, head: fstest.MapFS{}, live: fstest.MapFS{}}
	base, edits := fstest.MapFS{}, ""
	for _, f := range archive.Files {
		switch side, name, _ := strings.Cut(f.Name, "/"); {
		case f.Name == "options.json":
			if err := json.Unmarshal(f.Data, &e.options, json.RejectUnknownMembers(true)); err != nil {
				t.Fatalf("%s: options.json: %v", file, err)
			}
		case f.Name == "edits":
			edits, e.base = string(f.Data), base
		case f.Name == "want.json":
		case side == "base":
			base[name], e.base = &fstest.MapFile{Data: f.Data}, base
		case side == "head":
			e.head[name], e.base = &fstest.MapFile{Data: f.Data}, base
		case side == "live":
			e.live[name] = &fstest.MapFile{Data: f.Data}
		default:
			base[f.Name], e.head[f.Name] = &fstest.MapFile{Data: f.Data}, &fstest.MapFile{Data: f.Data}
		}
	}
	for line := range strings.Lines(edits) {
		name, edit, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		text := []byte(nil)
		if f := e.head[name]; f != nil {
			text = f.Data
		}
		e.head[name] = &fstest.MapFile{Data: edited(t, text, edit)}
	}
	return e
}

// edited applies an edit "OLD => NEW", in which \n is a line feed, to a text.
func edited(t *testing.T, text []byte, edit string) []byte {
	t.Helper()
	old, new, ok := strings.Cut(strings.ReplaceAll(edit, `\n`, "\n"), " => ")
	if !ok || !bytes.Contains(text, []byte(old)) {
		t.Fatalf("%q is no edit of\n%s", edit, text)
	}
	return bytes.ReplaceAll(text, []byte(old), []byte(new))
}

func (e *example) checkOptions() check.Options {
	o := check.Options{
		Suites: e.options.Suites, Tags: e.options.Tags, SkipTags: e.options.SkipTags, FailOnStale: e.options.FailOnStale,
		SkipForeign: e.options.SkipForeign, Timelines: e.options.Timelines, AllCalls: e.options.AllCalls, ByWords: e.options.ByWords,
		JudgeRun: e.options.JudgeRun, Digests: true, Settings: true, Version: "0.0.0-test", Jobs: 2,
	}
	if e.options.Shards > 0 {
		o.Build = "test" // shards of an unknown build cannot be merged
	}
	if e.options.Filter != "" {
		o.Filter = regexp.MustCompile(e.options.Filter)
	}
	if e.options.AgentNow != "" {
		o.AgentVersion = func(context.Context, *suite.Suite, *suite.Case) (string, error) {
			if e.options.AgentNow == "unknown" {
				return "", fmt.Errorf("it does not start")
			}
			return e.options.AgentNow, nil
		}
	}
	for _, id := range e.options.Only {
		if o.Only == nil {
			o.Only = map[string]bool{}
		}
		o.Only[id] = true
	}
	return o
}

// report makes the report of the example's check, with a base, live runs and shards if the example has them.
func (e *example) report(t *testing.T) *report.Report {
	t.Helper()
	o := e.checkOptions()
	ctx := context.Background()
	var base *report.Report
	if e.base != nil {
		base, o.BaseSuites = check.RunBase(ctx, e.base, o)
		o.ByBase, o.Base = e.options.ByBase, "main"
		if e.options.Affected != nil {
			o.OnlyAffected, o.Affected = true, &check.Affected{Suites: map[string]bool{}, Of: len(e.options.Affected) + 1}
			for _, name := range e.options.Affected {
				o.Affected.Suites[name] = true
			}
		}
	}
	if e.options.Live {
		o.Live = e.liveSuite
	}
	r := check.Run(ctx, e.head, o)
	if e.options.Shards > 0 {
		whole := r
		r = e.merged(t, o)
		if len(e.options.Tampered) == 0 {
			compareText(t, "the merged report of shards", asText(t, whole), asText(t, r))
		}
	}
	if base != nil {
		readBack(t, base)
		stands := func(path string) bool { return source.Stands(e.head, path) }
		r.Baseline = compare.Reports(base, r, compare.Options{Stands: stands})
	}
	readBack(t, r)
	return r
}

func (e *example) merged(t *testing.T, o check.Options) *report.Report {
	t.Helper()
	set := &shard.Set{}
	unused := slices.Clone(e.options.Tampered)
	for i := range e.options.Shards {
		o.Shard = &shard.Division{Index: i + 1, Of: e.options.Shards}
		text := asText(t, check.Run(context.Background(), e.head, o))
		for _, edit := range e.options.Tampered {
			if old, _, _ := strings.Cut(edit, " => "); strings.Contains(text, old) {
				text = string(edited(t, []byte(text), edit))
				unused = slices.DeleteFunc(unused, func(one string) bool { return one == edit })
			}
		}
		if err := set.Add(fmt.Sprintf("shard-%d.json", i+1), strings.NewReader(text)); err != nil {
			set.Refuse(fmt.Sprintf("shard-%d.json: %v", i+1, err))
		}
	}
	if len(unused) > 0 {
		t.Errorf("no report of a shard has what %q edit", unused)
	}
	o.Shard, o.Merge, o.Live = nil, set, nil
	return check.Run(context.Background(), e.head, o)
}

func asText(t *testing.T, result any) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.JSON(&b, result); err != nil {
		t.Fatalf("write the report: %v", err)
	}
	return b.String()
}

func readBack(t *testing.T, r *report.Report) {
	t.Helper()
	text := asText(t, r)
	back, err := report.Read(strings.NewReader(text))
	if err != nil {
		t.Fatalf("read the report again: %v\n%s", err, text)
	}
	compareText(t, "the report that was read again", text, asText(t, back))
}

func compareText(t *testing.T, what, want, got string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: -want +got\n%s", what, cmp.Diff(lines(want), lines(got)))
	}
}

func lines(text string) []string { return strings.Split(text, "\n") }

// compareOrUpdate compares the report with the example's want.json, or updates want.json.
func (e *example) compareOrUpdate(t *testing.T, r *report.Report) {
	t.Helper()
	if !e.options.Whole {
		for i := range r.Cases {
			r.Cases[i].Settings = nil
		}
		for i := range r.Catalogs {
			r.Catalogs[i].Findings = nil
		}
	}
	got := jsontext.Value(asText(t, r))
	if err := got.Indent(jsontext.WithIndent(" ")); err != nil {
		t.Fatal(err)
	}
	at, want := -1, []byte(nil)
	for i, f := range e.archive.Files {
		if f.Name == "want.json" {
			at, want = i, f.Data
		}
	}
	text := string(got) + "\n"
	for _, c := range r.Cases {
		if c.Again { // the JSON lacks this field
			text += "to record again: " + c.ID + "\n"
		}
	}
	if string(want) == text {
		return
	}
	if update := flag.Lookup("update"); update == nil || update.Value.String() != "true" {
		compareText(t, e.file+" (-update writes it)", string(want), text)
		return
	}
	if at < 0 {
		e.archive.Files, at = append(e.archive.Files, txtar.File{Name: "want.json"}), len(e.archive.Files)
	}
	e.archive.Files[at].Data = []byte(text)
	if err := os.WriteFile(e.file, txtar.Format(e.archive), 0o666); err != nil {
		t.Fatal(err)
	}
}
