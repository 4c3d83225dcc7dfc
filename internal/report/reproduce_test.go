package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

func TestReproduce(t *testing.T) {
	cents := 50
	for _, test := range []struct {
		name string
		r    report.Report
		want string // the first command; "" for none
	}{
		{name: "nothing was asked for", want: "mcp-gates run"},
		{name: "suites", r: asked(report.Invocation{Suites: []string{"a.yml", "suites/**/*.yml", "-x.yml", "größe/日本.yml"}}),
			want: "mcp-gates run a.yml 'suites/**/*.yml' ./-x.yml 'größe/日本.yml'"},
		{name: "workspace", r: asked(report.Invocation{Workspace: "-w"}), want: "mcp-gates run --workspace '-w'"},
		{name: "what selects", r: asked(report.Invocation{Filter: `a|b\.c$`, Tags: []string{"quick", "{a,b}"}, SkipTags: []string{`say "x"`}, Shard: "2/8", ShardBy: "r.json"}),
			want: `mcp-gates run --filter 'a|b\.c$' --tag quick --tag '"{a,b}"' --skip-tag '"say ""x"""' --shard 2/8 --shard-by r.json`},
		{name: "live", r: report.Report{Mode: report.Live, Invocation: &report.Invocation{Limits: report.Limits{Budget: &cents, TurnTimeout: "1m0s", CaseTimeout: "2m0s"}}},
			want: "mcp-gates run --live --budget 50 --turn-timeout 1m0s --case-timeout 2m0s"},
		{name: "a saved report", r: report.Report{Baseline: &report.Comparison{Base: report.Base{File: "old reports/r.json"}}, Flags: []string{"--fail-on-weakened"}},
			want: "mcp-gates run --baseline 'file:old reports/r.json' --fail-on-weakened"},
		{name: "cases of a list", r: report.Report{Chosen: &report.Chosen{Of: 3, By: report.Again + ` with --filter "x"`}, Invocation: &report.Invocation{Filter: "x"}},
			want: "mcp-gates run --filter '^(s.yml..a case)$'"},

		{name: "a quote", r: asked(report.Invocation{Suites: []string{"a'; rm -rf .; '"}})},
		{name: "a typographic quote", r: asked(report.Invocation{Suites: []string{"a’; rm -rf .; ’"}})},
		{name: "a backslash before the quote", r: asked(report.Invocation{Filter: `a\`, Suites: []string{"; rm -rf ."}})},
		{name: "history", r: asked(report.Invocation{Filter: "a!!"})},
		{name: "a mention", r: asked(report.Invocation{Suites: []string{"@octocat/a.yml"}})},
		{name: "a second line", r: asked(report.Invocation{Workspace: "a\n```\nrm -rf ."})},
		{name: "a turned line", r: asked(report.Invocation{ShardBy: "a\u202eb"})},
		{name: "a quote in a tag", r: asked(report.Invocation{Tags: []string{"a'"}})},
		{name: "a quote in a base", r: report.Report{Baseline: &report.Comparison{Base: report.Base{File: "a'"}}}},
		{name: "too long to read", r: asked(report.Invocation{Suites: slices.Repeat([]string{"a.yml"}, 500)})},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := test.r
			r.Cases = []report.Case{{ID: "s.yml::a case", Suite: "s.yml", Name: "a case", Verdict: judge.Pass}}
			if got := strings.Join(r.Reproduce([]int{0}, 5), "\n"); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func asked(i report.Invocation) report.Report { return report.Report{Invocation: &i} }

func TestReproduceCases(t *testing.T) {
	one := func(suite, name string, v judge.Verdict) report.Case {
		return report.Case{ID: suite + "::" + name, Suite: suite, Name: name, Verdict: v}
	}
	r := &report.Report{
		Invocation: &report.Invocation{Workspace: "services/x", Filter: "of the whole", Tags: []string{"quick"}},
		Flags:      []string{"--skip-foreign", "--fail-on-weakened"},
		Cases: []report.Case{
			one("a.yml", "passes", judge.Pass), one("a.yml", "it's $(here)", judge.Fail), one("a'.yml", "of a quoted file", judge.Fail),
			one("a.yml", "breaks", judge.Error), one("a.yml", "past the bound", judge.Fail),
		},
	}
	got := strings.Join(r.Reproduce([]int{4, 0, 1, 2, 3}, 3), "\n")
	want := `mcp-gates run --workspace services/x --skip-foreign --filter 'of the whole' --tag quick
mcp-gates run --workspace services/x --skip-foreign --verbose --filter 'past the bound' a.yml
mcp-gates run --workspace services/x --skip-foreign --verbose --filter 'it.s ..here.' a.yml
mcp-gates run --workspace services/x --skip-foreign --verbose --filter 'breaks' a.yml`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := (&report.Report{}).Reproduce(nil, 5); got != nil {
		t.Errorf("without a case: got %q, want nothing", got)
	}
}

// Cases of several searches or models have one name, and one command.
func TestReproduceOnce(t *testing.T) {
	one := report.Case{ID: "a.yml::found::codex", Suite: "a.yml", Name: "found", Verdict: judge.Fail}
	r := &report.Report{Cases: []report.Case{one, one, {ID: "a.yml::other", Suite: "a.yml", Name: "other", Verdict: judge.Fail}}}
	got := strings.Join(r.Reproduce([]int{0, 1, 2}, 2), "\n")
	if want := "mcp-gates run\nmcp-gates run --verbose --filter 'found' a.yml\nmcp-gates run --verbose --filter 'other' a.yml"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
