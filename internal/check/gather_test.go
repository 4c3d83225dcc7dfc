package check

import (
	"context"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
)

// TestEvidenceStaysAsGathered pins that neither the comparison with the tools of today nor the gates change what was gathered, by a
// case that is refused and one that is judged: another case, or the base's suite, is judged by the same evidence.
func TestEvidenceStaysAsGathered(t *testing.T) {
	files := workspace("mcp-gates.yml", deskSuite,
		"desk.json", `{"tools": [`+deskGet+`, `+deskClose+`]}`,
		"c.json", `{"cassette": 1, "catalog": {"desk": {"tools": [`+deskSearch+`, `+deskGet+`]}}, "runs": [{"tool_calls": [{"server": "desk", "name": "search"}]}]}`,
		"other.json", `{"cassette": 1, "catalog": {"desk": {"tools": [`+deskGet+`]}}, "runs": [{"tool_calls": [{"server": "desk", "name": "get_ticket"}]}]}`)
	c := newChecker(context.Background(), files, Options{FailOnStale: suite.StaleFail})
	r := &report.Report{}
	selected := c.selectCases(c.load(r), r)
	refused := 0
	for _, s := range selected {
		e, again := c.gather(s), c.gather(s)
		a := c.assess(s, e)
		refused += len(a.refused)
		c.judge(s, a)
		if !reflect.DeepEqual(e, again) {
			t.Errorf("%s: the evidence is %+v, and was gathered as %+v", s.Name, e, again)
		}
	}
	if len(selected) != 2 || refused == 0 {
		t.Errorf("%d cases, %d reasons to refuse evidence, want 2 and some: %v", len(selected), refused, r.Problems)
	}
}

// TestLogsOfABrokenPattern pins that logs are not read where a pattern of what is secret cannot be used.
func TestLogsOfABrokenPattern(t *testing.T) {
	c := newChecker(context.Background(), workspace("log.jsonl", "{}"), Options{})
	s := caseOf(&suite.Suite{Redact: suite.Redact{Patterns: []string{"("}}}, &suite.Case{Log: &suite.Log{}})
	tr, errs := c.readLogs(s, []string{"log.jsonl"}, 0, new(evidence))
	if tr != nil || len(errs) != 1 || !strings.Contains(errs[0].Msg, "must be a regular expression") {
		t.Errorf("got runs %v and mistakes %v, want one about the pattern", tr, errs)
	}
}

// TestPlanHoldsRecordingsOfTools pins that shards which judge the tools of a recording are of one plan only where that is the same, also
// where no shard has the case of the recording.
func TestPlanHoldsRecordingsOfTools(t *testing.T) {
	const src = "servers: {desk: {}}\nagents: [{name: a, servers: [desk], cassette: c.json, limits: {max_calls: 1}}]\n" +
		"tool_quality: [{name: q, server: desk, expect: [{warning_count: {'<=': 9}}]}]\n"
	planOf := func(tool string) string {
		fsys := workspace("mcp-gates.yml", src, "c.json", `{"catalog": {"desk": {"tools": [`+tool+`]}}, "runs": []}`)
		c, r := newChecker(context.Background(), fsys, Options{Filter: regexp.MustCompile("q$")}), &report.Report{}
		suites := c.load(r)
		selected := c.selectCases(suites, r)
		if len(selected) != 1 || len(r.Problems) > 0 {
			t.Fatalf("%d cases are selected, and the problems are %v", len(selected), r.Problems)
		}
		return c.sharedPlan(selected, suites, report.Replay).SHA256()
	}
	if planOf(deskGet) == planOf(deskClose) {
		t.Error("the plan is not of the tools of the recording")
	}
}

// TestLostRecordings pins that a recording which the change takes from its case is noted where its runs alone fail, though all pass.
func TestLostRecordings(t *testing.T) {
	const src = "agents: [{name: a, cassette: [%s], tool_selection: {expected_tool: get, min_selection_rate: 0.5}}]\n"
	run := func(tool string) string { return `[{"tool_calls": [{"name": "` + tool + `"}]}]` }
	files := func(cassettes string) fstest.MapFS {
		return workspace("mcp-gates.yml", fmt.Sprintf(src, cassettes), "good.json", run("get"), "bad.json", run("put"), "fine.json", run("get"))
	}
	_, base := RunBase(context.Background(), files("good.json, bad.json, fine.json"), Options{Digests: true})
	r := Run(context.Background(), files("good.json"), Options{Digests: true, BaseSuites: base})
	if got := r.Cases[0].Base.Lost; len(got) != 1 || got[0] != "bad.json" {
		t.Errorf("lost are %q, want bad.json", got)
	}
}

// openFiles counts the files that are open.
type openFiles struct {
	fstest.MapFS
	open *int
}

func (o openFiles) Open(name string) (fs.File, error) {
	file, err := o.MapFS.Open(name)
	if err != nil {
		return nil, err
	}
	*o.open++
	return openFile{file, o.open}, nil
}

func (o openFiles) ReadFile(name string) ([]byte, error) { return o.MapFS.ReadFile(name) }

type openFile struct {
	fs.File
	open *int
}

func (f openFile) Close() error {
	*f.open--
	return f.File.Close()
}

// TestFilesAreClosed pins that a check leaves no recording open.
func TestFilesAreClosed(t *testing.T) {
	files := openFiles{workspace("mcp-gates.yml", deskSuite, "desk.json", `{"tools": [`+deskGet+`]}`,
		"c.json", `{"catalog": {"desk": {"tools": [`+deskGet+`]}}, "runs": []}`, "other.json", "{"), new(int)}
	if Run(context.Background(), files, Options{Digests: true, Jobs: 1}); *files.open != 0 {
		t.Errorf("%d files are open after a check", *files.open)
	}
}
