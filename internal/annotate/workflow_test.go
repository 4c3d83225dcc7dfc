package annotate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/report"
)

const workflow = `on: pull_request
jobs:
  gates:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: org/mcp-gates@v1
        with:
          suite: a.yml
          fail-on-weakened: ${{ !contains(github.event.pull_request.labels.*.name, 'gates-approved') }}
  other:
    steps: [{uses: actions/checkout@v4}]
`

func TestWorkflowChanges(t *testing.T) {
	edit := func(old, new string) string {
		if !strings.Contains(workflow, old) {
			t.Fatalf("%q is not in the workflow", old)
		}
		return strings.Replace(workflow, old, new, 1)
	}
	const step = "job gates, step with this action"
	tests := []struct {
		name, base, head string
		want             []string // key of name: base -> head, line
	}{
		{"the same", workflow, workflow, nil},
		{"what judges nothing", workflow, edit("ubuntu-latest", "self-hosted"), nil},
		{"another version", workflow, edit("mcp-gates@v1", "mcp-gates@v2"), nil},
		{"a step before it", workflow, edit("      - uses: org", "      - run: make\n      - uses: org"), nil},
		{"an input changed", workflow, edit("suite: a.yml", "suite: b.yml"), []string{"suite of " + step + ": a.yml -> b.yml, 9"}},
		{"an input removed", workflow, edit("          suite: a.yml\n", ""), []string{"suite of " + step + ": a.yml -> , 7"}},
		{"an input added, in capitals", workflow, edit("suite:", "FILTER: x\n          suite:"), []string{"filter of " + step + ":  -> x, 9"}},
		{"the default written down", workflow, edit("suite:", "mode: replay\n          fail-on: gate\n          suite:"), nil},
		{"an expression for true", workflow, edit("${{ !contains(github.event.pull_request.labels.*.name, 'gates-approved') }}", "${{ false }}"),
			[]string{"fail-on-weakened of " + step + ": ${{ !contains(github.event.pull_request.labels.*.name, 'gates-approved') }} -> ${{ false }}, 10"}},
		{"an input that this version does not know", workflow, edit("suite:", "fail-on-anything: false\n          suite:"),
			[]string{"fail-on-anything of " + step + ":  -> false, 9"}},
		{"every input that selects or forgives", workflow,
			edit("suite: a.yml", "suite: a.yml\n          tags: x\n          mode: live\n          working-directory: d\n          baseline: none\n          gates-from: base\n          fail-on: never"),
			[]string{"baseline of " + step + ":  -> none, 13", "fail-on of " + step + ":  -> never, 15", "gates-from of " + step + ":  -> base, 14",
				"mode of " + step + ":  -> live, 11", "tags of " + step + ":  -> x, 10", "working-directory of " + step + ":  -> d, 12"}},
		{"the step goes on after a failure", workflow, edit("        with:", "        continue-on-error: true\n        with:"),
			[]string{"continue-on-error of " + step + ":  -> true, 8"}},
		{"the job goes on after a failure", workflow, edit("    runs-on", "    continue-on-error: true\n    runs-on"),
			[]string{"continue-on-error of job gates:  -> true, 4"}},
		{"the job is skipped", workflow, edit("    runs-on", "    if: ${{ false }}\n    runs-on"), []string{"if of job gates:  -> ${{ false }}, 4"}},
		{"the step removed", workflow, edit("org/mcp-gates@v1", "org/green@v1"), []string{"step of ci.yml: " + step + " -> , 3"}},
		{"a step replaced by one that looks alike", workflow, edit("org/mcp-gates@v1", "evil/mcp-gates@v1"),
			[]string{"uses of " + step + ": org/mcp-gates -> evil/mcp-gates, 7"}},
		{"the job removed", workflow, edit("  gates:", "  fates:"), []string{"job of ci.yml: job gates -> , 1"}},
		{"two steps, known by id and name", steps("{id: a, uses: ./, with: {suite: x}}", "{name: b, uses: ./full, with: {suite: y}}"),
			steps("{name: b, uses: ./full, with: {suite: z}}", "{id: a, uses: ./, with: {suite: x}}"), []string{"suite of job j, step b: y -> z, 4"}},
		{"the second of two", steps("{uses: ./}", "{uses: ./}"), steps("{uses: ./}"), []string{"step of ci.yml: job j, step with this action (2) -> , 2"}},
		{"images", steps("{uses: 'docker://ghcr.io/org/mcp-gates-full:v1', with: {tags: x}}"), steps("{uses: 'docker://ghcr.io/org/mcp-gates-full:v1'}"),
			[]string{"tags of job j, step with this action: x -> , 4"}},
		{"a fork under another name, by GITHUB_ACTION_REPOSITORY", steps("{uses: we/judge@v1, with: {tags: x}}"), steps("{uses: we/judge@v1}"),
			[]string{"tags of job j, step with this action: x -> , 4"}},
		{"an input that is a list", steps("{uses: ./, with: {suite: [a, b]}}"), steps("{uses: ./, with: {suite: [a]}}"),
			[]string{`suite of job j, step with this action: ["a","b"] -> ["a"], 4`}},
		{"broken now", workflow, "jobs: [", []string{"workflow of ci.yml:  -> cannot be compared: ci.yml:1:1: is not valid YAML: did not find expected node content, 1"}},
		{"broken before", "a: b: c", workflow, []string{"workflow of ci.yml:  -> cannot be compared: ci.yml:1:1: is not valid YAML: mapping values are not allowed in this context, 1"}},
		{"too long", workflow, strings.Repeat("#", MaxWorkflow+1), []string{"workflow of ci.yml:  -> cannot be compared: it has more than 1048576 bytes, 1"}},
		{"a checkout of another ref", workflow, edit("checkout@v4\n", "checkout@v5\n        with: {REF: main, fetch-depth: 0}\n"),
			[]string{"ref of job gates, step with a checkout:  -> main, 7"}},
		{"every input of a checkout that decides", workflow, edit("checkout@v4\n",
			"checkout@v4\n        with: {repository: evil/x, path: x, submodules: recursive, sparse-checkout: src}\n"),
			[]string{"path of job gates, step with a checkout:  -> x, 7", "repository of job gates, step with a checkout:  -> evil/x, 7",
				"sparse-checkout of job gates, step with a checkout:  -> src, 7", "submodules of job gates, step with a checkout:  -> recursive, 7"}},
		{"a checkout with its defaults", workflow, edit("checkout@v4\n",
			"checkout@v4\n        with: {repository: '${{ github.repository }}', path: ., submodules: false, token: x}\n"), nil},
		{"another checkout", workflow, edit("uses: org/mcp", "{uses: our/checkout@v1, with: {ref: main}}\n      - uses: org/mcp"),
			[]string{"step of ci.yml:  -> job gates, step with a checkout (2), 7"}},
		{"a checkout that is skipped", workflow, edit("checkout@v4\n", "checkout@v4\n        if: false\n"),
			[]string{"if of job gates, step with a checkout:  -> false, 7"}},
		{"the checkout removed", workflow, edit("- uses: actions/checkout@v4", "- run: git fetch"),
			[]string{"step of ci.yml: job gates, step with a checkout -> , 3"}},
		{"a checkout of another job", workflow, edit("{uses: actions/checkout@v4}", "{uses: actions/checkout@v4, with: {ref: x}}, {uses: actions/checkout@v4}"), nil},
		{"nothing like a workflow", "jobs: x", "jobs: {a: 1, b: {steps: 1}, c: {steps: [1, {uses: [x]}, {uses: ./, with: 1}]}}", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, w := range WorkflowChanges("ci.yml", []byte(test.base), []byte(test.head), "we/judge") {
				got = append(got, fmt.Sprintf("%s of %s: %s -> %s, %d", w.Key, w.Name, w.Base, w.Head, w.Line))
				if !w.ToldOnly || w.Kind != report.WorkflowChanged || w.Suite != "ci.yml" {
					t.Errorf("got %+v, want it told only, of ci.yml", w)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("base:\n%s\nhead:\n%.2000s\n(-want +got):\n%s", test.base, test.head, diff)
			}
		})
	}
}

// TestWorkflowExamples requires that what people write in workflows can be compared.
func TestWorkflowExamples(t *testing.T) {
	files, err := filepath.Glob("../../examples/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if list := WorkflowChanges(file, data, append(data, "\n# end\n"...), ""); list != nil {
			t.Errorf("%s: got %+v, want no change", file, list)
		}
	}
}

// steps returns a workflow of one job, a step a line from the fourth on.
func steps(list ...string) string {
	return "jobs:\n  j:\n    steps:\n    - " + strings.Join(list, "\n    - ") + "\n"
}

func TestWorkflowFile(t *testing.T) {
	ours := Event{Name: "pull_request", Owner: "org", Repo: "tools"}
	target := ours
	target.Name = "pull_request_target"
	tests := []struct {
		event     Event
		ref, want string
	}{
		{ours, "org/tools/.github/workflows/ci.yml@refs/pull/7/merge", ".github/workflows/ci.yml"},
		{ours, "org/rules/.github/workflows/ci.yml@refs/heads/main", ""}, // a required workflow
		{ours, "org/tools/.github/workflows/../../ci.yml@refs/heads/main", ""},
		{ours, "", ""},
		{target, "org/tools/.github/workflows/ci.yml@refs/heads/main", ""},
		{Event{}, "/.github/workflows/ci.yml@x", ""},
	}
	for _, test := range tests {
		if got := test.event.WorkflowFile(func(string) string { return test.ref }); got != test.want {
			t.Errorf("%s, %q: got %q, want %q", test.event.Name, test.ref, got, test.want)
		}
	}
}

func FuzzWorkflowChanges(f *testing.F) {
	f.Add(workflow, strings.Replace(workflow, "a.yml", "b.yml", 1))
	f.Add("jobs: {a: &a {steps: [*a]}}", "jobs: {<<: {a: 1}}")
	f.Fuzz(func(t *testing.T, base, head string) {
		if list := WorkflowChanges("ci.yml", []byte(base), []byte(base), ""); list != nil {
			t.Errorf("a file differs from itself: %v", list)
		}
		for _, w := range WorkflowChanges("ci.yml", []byte(base), []byte(head), "") {
			if w.Line < 1 || !w.ToldOnly {
				t.Errorf("%q and %q: got %+v, want a line, told only", base, head, w)
			}
		}
	})
}
