package check

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/shard"
	"github.com/org/mcp-gates/internal/suite"
)

// shardedFiles are a suite with every kind of case that the shards of a check compare.
func shardedFiles() map[string]string {
	return map[string]string{
		"mcp-gates.yml": `servers:
  web: {catalog: web.json}
  shell: {command: [sh, shell.sh]}
agents:
  - {name: a, servers: [web], cassette: a.json, tool_selection: {expected_tool: search, min_selection_rate: 1}}
  - {name: b, servers: [web], tags: [slow], cassette: b.json, expect: [{tool_names: {contains: search}}, {tool_names: {contains: search}}, {final_response: {contains: x}, when_absent: skip}]}
  - {name: c, servers: [web], cassette: c.json, equal_function_sets: {classes: [{name: s, members: [search]}], expect: [{tool_selection.precision: {">=": 50}, when_absent: skip}]}}
  - {name: d, servers: [shell], cassette: d.json, orchestration: {}}
tool_quality:
  - {name: q, server: web, expect: [{warning_count: {"<=": 99}}]}
  - {name: r, server: shell, expect: [{warning_count: {"<=": 99}}]}
`,
		"web.json": `{"tools": [{"name": "search", "description": "Search the web."}, {"name": "fetch", "description": "Fetch a page of the web."}]}`,
		"a.json":   `{"runs": [{"tool_calls": [{"name": "search", "server": "web"}]}]}`,
		"b.json":   `{"runs": [{"tool_calls": [{"name": "search", "server": "web"}]}, {"tool_calls": [{"name": "search", "server": "web"}], "final_response": "x"}]}`,
		"c.json":   `{"runs": [{"tool_calls": []}]}`,
		"d.json":   `{"catalog": {"shell": {"tools": [{"name": "exec", "description": "Execute."}, {"name": "kill", "description": "End."}]}}, "runs": [{"tool_calls": [{"name": "exec", "server": "shell"}]}]}`,
	}
}

// mergedShards checks the files in two shards, edits the report of each, and merges those that edit keeps.
func mergedShards(t *testing.T, files map[string]string, edit func(r *report.Report) (keep bool)) *report.Report {
	t.Helper()
	set, o := &shard.Set{}, Options{Digests: true, Settings: true, Version: "1", Build: "b"}
	for i := range 2 {
		o.Shard = &shard.Division{Index: i + 1, Of: 2}
		r := Run(context.Background(), mapFS(files), o)
		if edit(r) {
			if err := set.Add(r.Shard.PlanSHA256, bytes.NewReader([]byte(asJSON(t, r)))); err != nil {
				t.Fatal(err)
			}
		}
	}
	o.Shard, o.Merge = nil, set
	return Run(context.Background(), mapFS(files), o)
}

// TestMergedShards pins which reports of shards are refused because they judge otherwise than the suite asks: a merge of them
// has no case and is incomplete.
func TestMergedShards(t *testing.T) {
	dropExpect := func(drop func(e report.RunAssertion) bool) func(c *report.Case) {
		return func(c *report.Case) { c.Expect = slices.DeleteFunc(c.Expect, drop) }
	}
	once := false
	tests := []struct {
		name, id string
		edit     func(c *report.Case)
		want     string // part of the problem; "" if the merge is the whole check
	}{
		{"nothing is edited", "b", func(*report.Case) {}, ""},
		{"an expectation is judged in one of two runs", "b", dropExpect(func(e report.RunAssertion) bool { return e.Run == 2 && e.Target == "final_response" }), "what the suite expects of each run"},
		{"an expectation is not judged", "b", dropExpect(func(e report.RunAssertion) bool { return e.Target == "final_response" }), "what the suite expects of each run"},
		{"one of two equal expectations is not judged", "b", dropExpect(func(e report.RunAssertion) bool {
			first := !once && e.Target == "tool_names"
			once = once || first
			return first
		}), "what the suite expects of each run"},
		{"another expectation is judged", "b", func(c *report.Case) { c.Expect[0].Matcher = `contains "x"` }, "what the suite expects of each run"},
		{"an expectation is skipped that must not be", "b", func(c *report.Case) { c.Expect[0].Verdict, c.Expect[0].Actual = judge.Skipped, nil }, "what the suite expects of each run"},
		{"a case passes without anything that passed", "c", func(c *report.Case) { c.Verdict, c.Gates[0].Verdict = judge.Pass, judge.Pass }, "has a case pass of which nothing has passed"},
		{"another name, model, line and kind", "b", func(c *report.Case) {
			c.Name, c.Model, c.Line, c.Kind, c.Catalog = "x", "m", 99, "tool_bench", "x.json"
		}, ""},
		{"another gate", "a", func(c *report.Case) { c.Gates[0].Gate = "orchestration" }, "by the gates of the suite"},
		{"a gate that is not judged", "a", func(c *report.Case) { c.Gates = nil }, "by the gates of the suite"},
		{"a bound on a drop", "a", func(c *report.Case) { c.Gates[0].MaxDrop = &judge.MaxDrop{} }, "by the gates of the suite"},
		{"judged by another suite", "a", func(c *report.Case) { c.Own = &report.OwnJudgement{Verdict: judge.Pass} }, "for a case that another suite judges"},
		{"another recording", "a", func(c *report.Case) { c.Recordings[0].SHA256 = "00" }, `cassette "a.json" is not the one that`},
		{"no hash of a recording", "a", func(c *report.Case) { c.Recordings[0].SHA256 = "" }, `cassette "a.json" is not the one that`},
		{"a recording of another path", "a", func(c *report.Case) { c.Recordings[0].Path = "b.json" }, `cassette "b.json" was judged by`},
		{"no recording", "a", func(c *report.Case) { c.Recordings = nil }, `cassette "a.json" was not judged by`},
	}
	all := Run(context.Background(), mapFS(shardedFiles()), Options{Digests: true, Settings: true, Version: "1", Build: "b"})
	if len(all.Problems) > 0 {
		t.Fatal(whyOf(all))
	}
	whole := asJSON(t, all)
	for _, test := range tests {
		edited := false
		r := mergedShards(t, shardedFiles(), func(r *report.Report) bool {
			for i := range r.Cases {
				if c := &r.Cases[i]; c.ID == "mcp-gates.yml::"+test.id {
					test.edit(c)
					edited = true
				}
			}
			r.Conclude()
			return true
		})
		said := whyOf(r)
		if !edited || test.want != "" && (!strings.Contains(said, test.want) || !r.Incomplete || len(r.Cases) > 0) {
			t.Errorf("%s: got %d cases and %q (incomplete: %t), want none, because %q", test.name, len(r.Cases), said, r.Incomplete, test.want)
		}
		if test.want == "" {
			if diff := gocmp.Diff(whole, asJSON(t, r)); diff != "" || r.Incomplete {
				t.Errorf("%s: the merge differs from the whole check (-want +got):\n%s", test.name, diff)
			}
		}
	}
	if r := mergedShards(t, shardedFiles(), func(r *report.Report) bool { return r.Shard.Index == 1 }); !r.Incomplete || len(r.Cases) > 0 || len(r.Problems) == 0 {
		t.Errorf("without a shard: got %d cases and problems %v (incomplete: %t), want no case", len(r.Cases), r.Problems, r.Incomplete)
	}
}

// TestPlans pins which changes make the shards of two checks parts of different checks, and what a shard says of its
// selection.
func TestPlans(t *testing.T) {
	plan := func(files map[string]string, o Options) *report.Shard {
		o.Digests, o.Shard = true, cmp.Or(o.Shard, &shard.Division{Index: 1, Of: 2})
		return Run(context.Background(), mapFS(files), o).Shard
	}
	first := plan(shardedFiles(), Options{})
	weights, err := shard.ReadWeights(strings.NewReader(asJSON(t, Run(context.Background(), mapFS(shardedFiles()), Options{}))))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		file    string // that gets another line feed
		options Options
		want    report.Selection
		same    bool
	}{
		{"nothing", "", Options{}, report.Selection{}, true},
		{"the suite", "mcp-gates.yml", Options{}, report.Selection{}, false},
		{"a description", "web.json", Options{}, report.Selection{}, false},
		{"a recording", "a.json", Options{}, report.Selection{}, true},
		{"a recording that has the tools of a catalog's case", "d.json", Options{}, report.Selection{}, false},
		{"the version", "", Options{Version: "2"}, report.Selection{}, false},
		{"the build, which merging compares", "", Options{Build: "b"}, report.Selection{}, true},
		{"the suites", "", Options{Suites: []string{"mcp-gates.yml"}}, report.Selection{Suites: []string{"mcp-gates.yml"}}, true},
		{"the filter", "", Options{Filter: regexp.MustCompile("yml")}, report.Selection{Filter: "yml"}, true},
		{"a tag", "", Options{Tags: []string{"slow"}}, report.Selection{Tags: []string{"slow"}}, false},
		{"a tag that is skipped", "", Options{SkipTags: []string{"slow"}}, report.Selection{SkipTags: []string{"slow"}}, false},
		{"the floor of stale_catalog", "", Options{FailOnStale: suite.StaleFail}, report.Selection{FailOnStale: "fail"}, false},
		{"foreign keys", "", Options{SkipForeign: true}, report.Selection{SkipForeign: true}, false},
		{"the base", "", Options{Base: "main"}, report.Selection{Base: "main"}, false},
		{"affected suites", "", Options{OnlyAffected: true}, report.Selection{Affected: true}, false},
		{"weights", "", Options{Shard: &shard.Division{Index: 1, Of: 2, Weights: weights}}, report.Selection{By: weights.SHA256}, false},
	}
	for _, test := range tests {
		files := maps.Clone(shardedFiles())
		switch test.file {
		case "":
		case "web.json":
			files[test.file] = strings.Replace(files[test.file], "Search", "Find", 1)
		default:
			files[test.file] += "\n"
		}
		got := plan(files, test.options)
		if diff := gocmp.Diff(test.want, got.Selection); diff != "" {
			t.Errorf("%s: selection (-want +got):\n%s", test.name, diff)
		}
		if same := got.PlanSHA256 == first.PlanSHA256; same != test.same {
			t.Errorf("%s: same plan: %t, want %t", test.name, same, test.same)
		}
	}
}

// TestHasPassed pins that a case that a shard calls passed has an assertion or an expectation that has passed.
func TestHasPassed(t *testing.T) {
	of := func(v judge.Verdict) judge.Assertion { return judge.Assertion{Target: "response", Verdict: v} }
	for _, v := range []judge.Verdict{judge.Pass, judge.Fail, judge.Skipped} {
		var gate judge.Result
		gate.Assertions = []judge.Assertion{of(v)}
		byGate := &report.Case{Gates: []judge.Result{gate}}
		byRun := &report.Case{Expect: []report.RunAssertion{{Run: 1, Assertion: of(v)}}}
		if want := v == judge.Pass; hasPassed(byGate) != want || hasPassed(byRun) != want {
			t.Errorf("%s: got %v by a gate and %v by a run, want %v", v, hasPassed(byGate), hasPassed(byRun), want)
		}
	}
}
