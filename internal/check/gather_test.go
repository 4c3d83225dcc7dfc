package check

import (
	"context"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/judge"
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

// TestLostRecordings pins which recordings are noted that the change takes from its case: all if that alone makes a failing case pass,
// otherwise those whose runs alone fail.
func TestLostRecordings(t *testing.T) {
	const src = "agents: [{name: a, cassette: [%s], allow_run_errors: %d, tool_selection: {expected_tool: get, min_selection_rate: %s}}]\n"
	run := func(tool string) string { return `[{"tool_calls": [{"name": "` + tool + `"}]}]` }
	for _, test := range []struct {
		name, base, head, rate string
		allowed                int
		want                   []string
	}{
		{"a case that passes", "good.json, bad.json, fine.json", "good.json", "0.5", 0, []string{"bad.json"}},
		{"a case that failed and passes", "good.json, bad.json, fine.json", "good.json", "1", 0, []string{"bad.json", "fine.json"}},
		{"a case that fails on", "good.json, bad.json, worse.json", "worse.json", "1", 0, []string{"bad.json"}},
		{"a run that did not finish", "good.json, broken.json", "good.json", "0.5", 0, []string{"broken.json"}},
		{"a run that need not finish", "good.json, broken.json", "good.json", "0.5", 1, nil},
	} {
		files := func(cassettes string) fstest.MapFS {
			return workspace("mcp-gates.yml", fmt.Sprintf(src, cassettes, test.allowed, test.rate), "good.json", run("get"), "bad.json", run("put"),
				"fine.json", run("get")+" ", "worse.json", run("put")+" ", "broken.json", `[{"error": "overloaded"}]`)
		}
		_, base := RunBase(context.Background(), files(test.base), Options{Digests: true})
		r := Run(context.Background(), files(test.head), Options{Digests: true, BaseSuites: base})
		var got []string
		if was := r.Cases[0].Base; was != nil {
			got = was.Lost
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: lost are %q, want %q (%s)", test.name, got, test.want, r.Cases[0].Verdict)
		}
	}
}

// TestPartialRecordings pins that a partial recording that a test names is an error of the test, which the report calls partial, and
// that a glob does not match one.
func TestPartialRecordings(t *testing.T) {
	for _, test := range []struct {
		cassette string
		partial  bool
	}{{"[a.json, b.json.partial]", true}, {"\"*.json*\"", false}} {
		r := run(t, workspace("mcp-gates.yml", "agents: [{name: a, cassette: "+test.cassette+", limits: {max_calls: 1}}]",
			"a.json", `[{"tool_calls": [{"name": "get"}]}]`, "b.json.partial", "{\"partial\": true, \"cassette\": 1}\n"), Options{})
		if c := r.Cases[0]; c.Partial != test.partial || (c.Verdict == judge.Error) != test.partial {
			t.Errorf("%s: got %s, partial: %t, error %v; want partial: %t", test.cassette, c.Verdict, c.Partial, c.Err, test.partial)
		}
	}
}

// TestLargeRecordingsAreNotCompared pins that the runs of recordings are compared only if all files together are small enough.
func TestLargeRecordingsAreNotCompared(t *testing.T) {
	text := `[{"tool_calls": [{"name": "get"}]}]` + strings.Repeat(" ", maxComparedRuns*2/3)
	c := newChecker(context.Background(), workspace("a.json", text, "b.json", text), Options{})
	s := caseOf(&suite.Suite{}, &suite.Case{})
	one, both := c.digests(s, []string{"a.json"}), c.digests(s, []string{"a.json", "b.json"})
	if len(one) != 2 || both != nil {
		t.Errorf("got %d hashes of a file and %d of two, want 2 and none", len(one), len(both))
	}
}

// TestOwnToolsOfAnAgent pins when gates see the calls of the agent's own tools: if the suite declares the server of these tools, if the
// test names it, or if the suite or the recording asks for it.
func TestOwnToolsOfAnAgent(t *testing.T) {
	for _, test := range []struct {
		name, declared, servers, key, recorded string
		want                                   int
	}{
		{"hidden", "", "web", "", "", 1},
		{"declared by the suite", "servers: {web: {}, builtin: {}}\n", "web", "", "", 2},
		{"named by the test", "", "web, builtin", "", "", 2},
		{"counted by the test", "", "web", "builtins: count, ", "", 2},
		{"counted by the recording", "", "web", "", `"builtins": "count", `, 2},
	} {
		r := run(t, workspace("mcp-gates.yml", test.declared+"agents: [{name: a, servers: ["+test.servers+"], "+test.key+
			"cassette: c.json, limits: {max_calls: 9}}]",
			"c.json", `{"cassette": 1, `+test.recorded+`"runs": [{"tool_calls": [{"name": "search", "server": "web"}, {"name": "Read", "server": "builtin"}]}]}`), Options{})
		if c := r.Cases[0]; len(c.Gates) != 1 || c.Gates[0].Metrics["limits.calls"].Digits() != fmt.Sprint(test.want) {
			t.Errorf("%s: got %s, want %d calls", test.name, asJSON(t, r), test.want)
		}
	}
}

// TestRecordingsWithoutTools pins that a recording must list the tools of its runs only if all stale evidence fails the check.
func TestRecordingsWithoutTools(t *testing.T) {
	fsys := workspace("mcp-gates.yml", "agents: [{name: a, cassette: c.json, limits: {max_calls: 1}}]", "c.json", `[{"tool_calls": [{"name": "get"}]}]`)
	for policy, want := range map[suite.StalePolicy]judge.Verdict{
		suite.StaleDefault: judge.Pass, suite.StaleWarn: judge.Pass, suite.StaleAffected: judge.Pass, suite.StaleFail: judge.Error,
	} {
		if r := run(t, fsys, Options{FailOnStale: policy}); r.Cases[0].Verdict != want {
			t.Errorf("policy %q: got %s (%v), want %s", policy, r.Cases[0].Verdict, r.Cases[0].Err, want)
		}
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
