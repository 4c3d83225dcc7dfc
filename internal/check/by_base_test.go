package check

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/source"
)

const (
	strictSuite = `
include: shared/common.yml
agents:
  - name: finds
    servers: [web]
    tool_selection: { expected_tool: web.search, min_selection_rate: 0.8 }
`
	fetchesTest = `  - name: fetches
    servers: [web]
    limits: { max_calls: 1 }
`
	webTools = `{"tools": [{"name": "fetch", "description": "Fetch the text of one page of the web by its address."},
 {"name": "search", "description": "Search the web for pages about a topic, the best of them first."}]}`
	newTools = `{"tools": [{"name": "fetch", "description": "Fetch the text of one page of the web by its address."},
 {"name": "look_up", "description": "Search the web for pages about a topic, the best of them first."}]}`
	mildTools = `{"tools": [{"name": "fetch", "description": "x"}, {"name": "search", "description": "y"}]}`
)

// recordedRuns is a recording of two runs with these tools, of which each calls the one of these names.
func recordedRuns(tools string, calls ...string) string {
	runs := make([]string, len(calls))
	for i, name := range calls {
		runs[i] = `{"tool_calls": [{"name": "` + name + `", "server": "web"}]}`
	}
	return `{"catalog": {"web": ` + tools + `}, "runs": [` + strings.Join(runs, ", ") + `]}`
}

// filesOfBase are those of a base in which everything passes.
func filesOfBase() map[string]string {
	return map[string]string{
		"suites/a.yml":                        strings.Replace(strictSuite, "shared/", "../shared/", 1) + fetchesTest,
		"shared/common.yml":                   "include: servers.yml\ndefaults: { runs: 2 }\n",
		"shared/servers.yml":                  "servers: { web: { catalog: ../web.yaml } }\n",
		"web.yaml":                            webTools,
		"suites/cassettes/a/finds.json":       recordedRuns(webTools, "search", "search"),
		"suites/cassettes/a/fetches.json":     recordedRuns(webTools, "fetch", "fetch"),
		"suites/cassettes/unused/bad.json":    recordedRuns(webTools, "fetch", "fetch"),
		"suites/cassettes/unused/better.json": recordedRuns(webTools, "search", "search", "search"),
	}
}

// fileEdit is a change of files: a new text, or "" for a file that is removed.
type fileEdit map[string]string

func (e fileEdit) of(base map[string]string) map[string]string {
	head := maps.Clone(base)
	for name, text := range e {
		head[name] = text
		if text == "" {
			delete(head, name)
		}
	}
	return head
}

func mapFS(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// judgedByBase checks a change by the base's suites, and compares it.
func judgedByBase(t *testing.T, base, head map[string]string, o Options) *report.Report {
	t.Helper()
	o.Digests = true
	was, judge := RunBase(context.Background(), mapFS(base), o)
	if was.Verdict != "pass" {
		t.Fatalf("the base: got %s (%v)", was.Verdict, was.Problems)
	}
	o.BaseSuites, o.ByBase = judge, true
	r := Run(context.Background(), mapFS(head), o)
	stands := func(path string) bool { return source.Stands(mapFS(head), path) }
	r.Baseline = compare.Reports(was, r, compare.Options{Stands: stands})
	return r
}

var (
	asInBase    = filesOfBase()["suites/a.yml"]
	badRuns     = recordedRuns(webTools, "search", "fetch")
	fitting     = strings.Replace(asInBase, "0.8", "0.1", 1)
	inline      = "servers: { web: { catalog: ../web.yaml } }\ndefaults: { runs: 2 }\n"
	secondSuite = "include: ../shared/common.yml\nagents:\n" + fetchesTest
	firstOnly   = strings.Replace(asInBase, fetchesTest, "", 1)
)

// The base's suites give the verdicts, on the head's evidence; the head's own are compared all the same.
func TestByBase(t *testing.T) {
	tests := []struct {
		name     string
		change   fileEdit
		want     judge.Verdict
		weakened string // the kinds that count, joined
		breaking int
	}{
		{"nothing", fileEdit{}, judge.Pass, "", 0},

		// What a change does to its own judge.
		{"a floor lowered", fileEdit{"suites/a.yml": fitting}, judge.Pass, "minimum lowered", 0},
		{"a floor lowered to fit", fileEdit{"suites/a.yml": fitting, "suites/cassettes/a/finds.json": badRuns}, judge.Fail, "in effect, minimum lowered", 0},
		{"a gate dropped", fileEdit{"suites/a.yml": strings.Replace(asInBase, "tool_selection: { expected_tool: web.search, min_selection_rate: 0.8 }", "runs: 2", 1),
			"suites/cassettes/a/finds.json": badRuns}, judge.Fail, report.NotJudged, 0},
		{"a case deleted", fileEdit{"suites/a.yml": firstOnly}, judge.Pass, "case removed", 0},
		{"a case deleted that fails", fileEdit{"suites/a.yml": "include: ../shared/common.yml\nagents:\n" + fetchesTest, "suites/cassettes/a/finds.json": badRuns},
			judge.Fail, "case removed", 0},
		{"a case deleted with its recording", fileEdit{"suites/a.yml": firstOnly, "suites/cassettes/a/fetches.json": ""}, judge.Error, "case removed", 0},
		{"the suite deleted", fileEdit{"suites/a.yml": ""}, judge.Pass, "case removed, case removed", 0},
		{"the suites made a file", fileEdit{"suites/a.yml": "", "suites/cassettes/a/finds.json": "", "suites/cassettes/a/fetches.json": "",
			"suites/cassettes/unused/bad.json": "", "suites/cassettes/unused/better.json": "", "suites": "x"}, judge.Error, "case removed, case removed", 0},
		{"the suite unreadable", fileEdit{"suites/a.yml": "agents: 5", "suites/cassettes/a/finds.json": badRuns}, judge.Error, "", 0},
		{"another kind of case of the same name", fileEdit{"suites/a.yml": secondSuite + "tool_quality: [{ name: finds, server: web, expect: [{ critical_count: { '<=': 99 } }] }]\n",
			"suites/cassettes/a/finds.json": badRuns}, judge.Fail, "*", 0},
		{"an included file softened", fileEdit{"shared/common.yml": "include: servers.yml\ndefaults: { runs: 1 }\n"}, judge.Pass,
			"fewer runs asked for, fewer runs asked for", 0},
		{"an included file softened to fit", fileEdit{"shared/common.yml": "include: servers.yml\ndefaults: { runs: 1 }\n",
			"suites/cassettes/a/finds.json": recordedRuns(webTools, "search")}, judge.Error, "in effect, fewer runs asked for, fewer runs asked for", 0},
		{"the included file made a suite", fileEdit{"suites/a.yml": strings.Replace(fitting, "include: ../shared/common.yml\n", inline, 1),
			"shared/common.yml":             "agents: [{name: other, cassette: ../suites/cassettes/unused/better.json, limits: { max_calls: 9 }}]\n",
			"suites/cassettes/a/finds.json": badRuns}, judge.Fail, "in effect, minimum lowered", 0},
		{"another recording named", fileEdit{"suites/a.yml": strings.Replace(asInBase, "    servers: [web]\n    tool_", "    servers: [web]\n    cassette: cassettes/unused/better.json\n    tool_", 1),
			"suites/cassettes/a/finds.json": badRuns}, judge.Fail, report.SettingChanged, 0},
		{"a recording beside the base's, which fails", fileEdit{"suites/a.yml": strings.Replace(asInBase, "    servers: [web]\n    tool_", "    servers: [web]\n    cassette: [cassettes/a/finds.json, cassettes/unused/bad.json]\n    tool_", 1)},
			judge.Fail, "", 0},
		{"a recording beside one that fails, to dilute it", fileEdit{"suites/a.yml": strings.Replace(asInBase, "    servers: [web]\n    tool_", "    servers: [web]\n    cassette: [cassettes/a/finds.json, cassettes/unused/better.json]\n    tool_", 1),
			"suites/cassettes/a/finds.json": badRuns, "suites/cassettes/unused/better.json": recordedRuns(webTools, slices.Repeat([]string{"search"}, 98)...)}, judge.Fail, "*", 0},

		// Evidence is the head's, whatever it is called.
		{"a recording that fails", fileEdit{"suites/cassettes/a/finds.json": badRuns}, judge.Fail, "", 0},
		{"a tool deleted from a catalog named like a suite", fileEdit{"web.yaml": `{"tools": [{"name": "fetch", "description": "Fetch the text of one page of the web by its address."}]}`},
			judge.Error, "", 1},
		{"another catalog named while the old one is spoiled", fileEdit{"suites/a.yml": strings.Replace(asInBase, "agents:", "servers: { web: { catalog: ../mild.yaml } }\nagents:", 1),
			"shared/common.yml": "defaults: { runs: 2 }\n", "mild.yaml": webTools, "web.yaml": `{"tools": [{"name": "fetch", "description": "x"}]}`}, judge.Error, "*", 0},

		// New cases.
		{"a new suite that fails", fileEdit{"suites/b.yml": "agents: [{name: new, cassette: cassettes/unused/bad.json, limits: { max_calls: 0 }}]\n"}, judge.Fail, "", 0},
		{"a new case that fails", fileEdit{"suites/a.yml": asInBase + "  - { name: new, cassette: cassettes/unused/bad.json, limits: { max_calls: 0 } }\n"}, judge.Fail, "", 0},

		// Honest changes.
		{"a case added", fileEdit{"suites/a.yml": asInBase + "  - { name: new, servers: [web], cassette: cassettes/unused/bad.json, limits: { max_calls: 1 } }\n"}, judge.Pass, "", 0},
		{"a floor raised", fileEdit{"suites/a.yml": strings.Replace(asInBase, "0.8", "1", 1)}, judge.Pass, "", 0},
		{"the catalog moved", fileEdit{"web.yaml": "", "catalogs/web.json": webTools, "shared/servers.yml": "servers: { web: { catalog: ../catalogs/web.json } }\n"}, judge.Pass, "", 0},
		{"the suite renamed", fileEdit{"suites/a.yml": "", "suites/b.yml": asInBase, "suites/cassettes/a/finds.json": "", "suites/cassettes/a/fetches.json": "",
			"suites/cassettes/b/finds.json": filesOfBase()["suites/cassettes/a/finds.json"], "suites/cassettes/b/fetches.json": filesOfBase()["suites/cassettes/a/fetches.json"]},
			judge.Pass, "", 0},
		{"the suite split in two", fileEdit{"suites/a.yml": firstOnly, "suites/b.yml": secondSuite, "suites/cassettes/a/fetches.json": "",
			"suites/cassettes/b/fetches.json": filesOfBase()["suites/cassettes/a/fetches.json"]}, judge.Pass, "", 0},
		{"the included file renamed", fileEdit{"suites/a.yml": strings.Replace(asInBase, "common.yml", "base.yml", 1), "shared/common.yml": "",
			"shared/base.yml": filesOfBase()["shared/common.yml"]}, judge.Pass, "", 0},
		{"a server renamed, and its catalog moved", fileEdit{"suites/a.yml": strings.ReplaceAll(strings.ReplaceAll(asInBase, "[web]", "[net]"), "web.search", "net.search"),
			"shared/servers.yml": "servers: { net: { catalog: ../net.json } }\n", "web.yaml": "", "net.json": webTools,
			"suites/cassettes/a/finds.json":   strings.ReplaceAll(recordedRuns(webTools, "search", "search"), `"web"`, `"net"`),
			"suites/cassettes/a/fetches.json": strings.ReplaceAll(recordedRuns(webTools, "fetch", "fetch"), `"web"`, `"net"`)}, judge.Pass, "", 1},
		{"a tool renamed, recorded again", fileEdit{"suites/a.yml": strings.Replace(asInBase, "web.search", "web.look_up", 1), "web.yaml": newTools,
			"suites/cassettes/a/finds.json": recordedRuns(newTools, "look_up", "look_up"), "suites/cassettes/a/fetches.json": recordedRuns(newTools, "fetch", "fetch")},
			judge.Pass, "", 1},
		{"a tool renamed, recorded again, and worse", fileEdit{"suites/a.yml": strings.Replace(asInBase, "web.search", "web.look_up", 1), "web.yaml": newTools,
			"suites/cassettes/a/finds.json": recordedRuns(newTools, "look_up", "fetch"), "suites/cassettes/a/fetches.json": recordedRuns(newTools, "fetch", "fetch")},
			judge.Fail, "", 1},
		{"a tool renamed, and another one asked for", fileEdit{"suites/a.yml": strings.Replace(fitting, "web.search", "web.fetch", 1), "web.yaml": newTools,
			"suites/cassettes/a/finds.json": recordedRuns(newTools, "fetch", "fetch"), "suites/cassettes/a/fetches.json": recordedRuns(newTools, "fetch", "fetch")},
			judge.Error, "in effect, tool added to those that count, minimum lowered", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			base := filesOfBase()
			r := judgedByBase(t, base, test.change.of(base), Options{})
			if r.Verdict != test.want {
				t.Errorf("verdict: got %s, want %s (%s)", r.Verdict, test.want, whyOf(r))
			}
			if got := countedKinds(r); got != test.weakened && (test.weakened != "*" || got == "") {
				t.Errorf("weakened: got %q, want %q", got, test.weakened)
			}
			if got := len(r.Baseline.Breaking); got != test.breaking {
				t.Errorf("breaking: got %d (%+v), want %d", got, r.Baseline.Breaking, test.breaking)
			}
		})
	}
}

// countedKinds lists the weakenings that count.
func countedKinds(r *report.Report) string {
	var kinds []string
	for _, w := range r.Baseline.Weakened {
		if !w.ToldOnly {
			kinds = append(kinds, w.Kind)
		}
	}
	return strings.Join(kinds, ", ")
}

// whyOf lists what went wrong in a report.
func whyOf(r *report.Report) string {
	var list []string
	for _, p := range r.Problems {
		list = append(list, p.Path+": "+p.Message)
	}
	for i := range r.Cases {
		c := &r.Cases[i]
		one := c.ID + " " + string(c.Verdict)
		if c.Err != nil {
			one += ": " + c.Err.Message
		}
		list = append(list, one)
	}
	return strings.Join(slices.Compact(list), "; ")
}

// TestSeenToolsByBase pins that a server without a snapshot is listed once if the base's suite judges one test with it and the head's
// another.
func TestSeenToolsByBase(t *testing.T) {
	const one = "servers: {web: {command: [web]}}\nagents:\n  - {name: a, servers: [web], cassette: c.json, limits: {max_calls: 1}}\n"
	base := map[string]string{"mcp-gates.yml": one, "c.json": recordedRuns(webTools, "search"), "d.json": recordedRuns(webTools, "fetch")}
	other := strings.Replace(one, "c.json", "d.json", 1) // so that the base's suite has evidence of its own
	head := fileEdit{"mcp-gates.yml": other + strings.Replace(one[strings.Index(one, "  - "):], "name: a", "name: b", 1)}.of(base)
	r := judgedByBase(t, base, head, Options{})
	if len(r.Cases) != 2 || r.Cases[0].Own == nil || r.Cases[1].Own != nil {
		t.Fatalf("got %s, want two cases, of which the base's suite judges the first", whyOf(r))
	}
	if len(r.Catalogs) != 1 || r.Catalogs[0].Name != "web" || len(r.Catalogs[0].Tools) != 2 {
		t.Errorf("got catalogs %+v, want that of web", r.Catalogs)
	}
}

// TestNeedsGoneTools pins that removed tools are why the base's suite fails a case only if there are such tools, and no other reason.
func TestNeedsGoneTools(t *testing.T) {
	for _, test := range []struct {
		own  judge.Verdict
		base *report.BaseJudgement
		want bool
	}{
		{judge.Pass, &report.BaseJudgement{Verdict: judge.Fail, Gone: []string{"search"}}, true},
		{judge.Pass, &report.BaseJudgement{Verdict: judge.Fail}, false},
		{judge.Pass, &report.BaseJudgement{Verdict: judge.Fail, Gone: []string{"search"}, Reason: "recall is 0%"}, false},
		{judge.Pass, &report.BaseJudgement{Verdict: judge.Fail, Gone: []string{"search"}, Fault: "no run finished"}, false},
		{judge.Pass, &report.BaseJudgement{Verdict: judge.Pass, Gone: []string{"search"}}, false},
		{judge.Fail, &report.BaseJudgement{Verdict: judge.Fail, Gone: []string{"search"}}, false},
		{judge.Pass, nil, false},
	} {
		var out outcome
		out.Verdict, out.Base = test.own, test.base
		if got := out.needsGoneTools(); got != test.want {
			t.Errorf("%s by its own suite, %+v by the base's: got %v, want %v", test.own, test.base, got, test.want)
		}
	}
}
