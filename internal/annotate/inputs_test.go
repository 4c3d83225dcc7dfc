package annotate

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// environment returns a getenv of inputs by name, as the runner sets them.
func environment(inputs map[string]string) func(string) string {
	env := map[string]string{"GITHUB_WORKSPACE": "/github/workspace"}
	for name, value := range inputs {
		if strings.HasPrefix(name, "GITHUB_") {
			env[name] = value
			continue
		}
		env["INPUT_"+strings.ToUpper(name)] = value
	}
	return func(name string) string { return env[name] }
}

var compareInputs = cmp.Options{
	cmp.Comparer(func(a, b *regexp.Regexp) bool {
		return (a == nil) == (b == nil) && (a == nil || a.String() == b.String())
	}),
	cmp.Comparer(func(a, b Matrix) bool { return a.canonical() == b.canonical() }),
	cmpopts.EquateEmpty(),
}

var defaults = Inputs{
	Mode: "replay", Jobs: 4, WorkingDirectory: ".", Baseline: "auto", FailOn: "gate", FailOnStale: "false", GatesFrom: "head", LiveFrom: "head", Annotations: "new", AnnotateAt: "source",
	MaxAnnotations: 200, Comment: "changes", CheckName: "mcp-gates report", Summary: true, Report: "mcp-gates-report.json",
}

func TestReadInputs(t *testing.T) {
	given := defaults
	given.Suites = []string{"a.yml", "suites/*.{yml,yaml}", "b[1,2].yml", "c.yml"}
	given.WorkingDirectory = "sub/dir"
	given.Filter = regexp.MustCompile("weather.*")
	given.Tags = []string{"quick", "nightly"}
	given.FailOnWeakened, given.FailOnBreaking, given.SkipForeign, given.Summary = true, true, true, false
	given.MaxAnnotations, given.CheckName, given.Token, given.AnnotateAt = 0, "", "ghs_x", "catalog"
	given.Mode, given.Jobs, given.FailOnStale = "record", 1, "any"
	given.Baseline, given.CommentKey = "origin/main~1", "mine"
	given.Formats = []Format{{"junit", "out/junit.xml"}, {"sarif", "a=b.sarif"}}
	for name, test := range map[string]struct {
		env  map[string]string
		want Inputs
	}{
		"nothing given":      {nil, defaults},
		"empty is not given": {map[string]string{"suite": "", "mode": "", "matrix": "null", "max-annotations": " "}, defaults},
		"given": {map[string]string{
			"suite": "./a.yml, suites/*.{yml,yaml}\r\n b[1,2].yml,,\n/github/workspace/c.yml", "working-directory": "sub/x/../dir/",
			"mode": "record", "jobs": "1", "filter": "weather.*", "tags": "quick,nightly", "skip-foreign": "true", "fail-on-weakened": "TRUE", "fail-on-stale": "any", "fail-on-breaking": "true", "annotate-at": "catalog", "summary": "False",
			"max-annotations": "0", "check-name": "off", "github-token": "ghs_x", "baseline": "origin/main~1", "comment-key": "mine",
			"formats": "junit=./out/junit.xml\nsarif=a=b.sarif",
		}, given},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ReadInputs(environment(test.env))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, compareInputs); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestInputMistakes pins that all mistakes come at once, each with what is valid, and none with the token.
func TestInputMistakes(t *testing.T) {
	_, err := ReadInputs(environment(map[string]string{
		"suite": "../secret.yml", "mode": "recrod", "jobs": "0", "working-directory": "/etc", "filter": "(", "tags": "a\x00b",
		"baseline": "--upload-pack=x", "fail-on": "regresion", "fail-on-weakened": "yes", "gates-from": "Base", "annotations": "some",
		"max-annotations": "1001", "comment": "always\n", "comment-key": "a\u202eb", "check-name": "a\x00",
		"summary": "1", "report": "a/../..", "formats": "junit,sarif=../x,html=x.html,text=./x.html,json=out/..", "github-token": "ghs_\nsecret", "matrix": "[1]",
	}))
	if err == nil {
		t.Fatal("no mistake is found")
	}
	want := []string{
		`input "suite" must be a path in the workspace, but "../secret.yml" leads out of it`,
		`input "mode" must be "replay", "live" or "record", but it is "recrod", did you mean "record"?`,
		`input "jobs" must be a whole number from 1 to 64, but it is "0"`,
		`input "working-directory" must be a path in the workspace, but "/etc" is absolute`,
		"input \"filter\" must be a regular expression (RE2), but error parsing regexp: missing closing ): `(`",
		`input "tags" must be one entry a line, or entries separated by commas, but "a\x00b" holds '\x00'`,
		`input "baseline" must be "auto", "none", a git ref or SHA, or a path, but "--upload-pack=x" begins with a dash`,
		`input "fail-on" must be "gate", "regression" or "never", but it is "regresion", did you mean "regression"?`,
		`input "fail-on-weakened" must be "true" or "false", but it is "yes"`,
		`input "gates-from" must be "head" or "base", but it is "Base", did you mean "base"?`,
		`input "annotations" must be "new", "all" or "none", but it is "some"`,
		`input "max-annotations" must be a whole number from 0 to 1000, but it is "1001"`,
		`input "comment-key" must be one line of visible text, but "a\u202eb" holds '\u202e'`,
		`input "check-name" must be one line of visible text, but "a\x00" holds '\x00'`,
		`input "summary" must be "true" or "false", but it is "1"`,
		`input "report" must be a path in the workspace, but "a/../.." leads out of it`,
		`input "formats" must be entries FORMAT=PATH, but one is "junit"`,
		`input "formats" must be a path in the workspace, but "../x" leads out of it`,
		`input "formats" must be entries with a path of their own, but two files are written to "x.html"`,
		`input "formats" must be entries FORMAT=PATH with the path of a file, but that of "json" is a folder`,
		`input "github-token" must be a token, but it holds characters that no token has`,
		"input \"matrix\" must be the job's matrix in JSON, as `${{ toJSON(matrix) }}` gives it, but it is something else",
	}
	got := strings.Split(err.Error(), "\n")
	less := func(a, b string) bool { return a < b }
	if diff := cmp.Diff(want, got, cmpopts.SortSlices(less)); diff != "" {
		t.Error(diff)
	}
}

// TestNothingToHoldAgainst pins that inputs that need a base are not given without one.
func TestNothingToHoldAgainst(t *testing.T) {
	for name, value := range map[string]string{"gates-from": "base", "fail-on-weakened": "true"} {
		_, err := ReadInputs(environment(map[string]string{"baseline": "none", name: value}))
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("baseline none and %s %s: error %v, want one that names it", name, value, err)
		}
	}
}

// TestTables pins that each input is read, with its default, and that each output has a value.
func TestTables(t *testing.T) {
	read := map[string]bool{}
	_, err := ReadInputs(func(name string) string {
		read[name] = true
		return ""
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range InputTable {
		if !read["INPUT_"+strings.ToUpper(in.Name)] {
			t.Errorf("input %q is not read", in.Name)
		}
		if in.Doc == "" || strings.Contains(in.Doc, "\n") {
			t.Errorf("input %q is documented as %q", in.Name, in.Doc)
		}
		for _, value := range in.Values {
			if _, err := ReadInputs(environment(map[string]string{in.Name: value})); err != nil {
				t.Errorf("input %q: %v", in.Name, err)
			}
		}
	}
}

func TestKey(t *testing.T) {
	in := func(env map[string]string) Inputs {
		t.Helper()
		got, err := ReadInputs(environment(env))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	job := Event{Workflow: "CI", Job: "gates"}
	base := commentKey(in(map[string]string{"matrix": `{"os":"linux","py":3.12}`}), job)
	if same := commentKey(in(map[string]string{"matrix": "{\n \"py\": 3.12, \"os\": \"linux\"}"}), job); same != base {
		t.Errorf("the same matrix has keys %s and %s", base, same)
	}
	seen := map[string]string{base: "base"}
	for name, other := range map[string]string{
		"another matrix":   commentKey(in(map[string]string{"matrix": `{"os":"mac","py":3.12}`}), job),
		"no matrix":        commentKey(in(nil), job),
		"another job":      commentKey(in(nil), Event{Workflow: "CI", Job: "others"}),
		"another workflow": commentKey(in(nil), Event{Workflow: "nightly", Job: "gates"}),
		"suites":           commentKey(in(map[string]string{"suite": "a.yml,b.yml"}), job),
		"other suites":     commentKey(in(map[string]string{"suite": "a.yml"}), job),
		"a folder":         commentKey(in(map[string]string{"working-directory": "a.yml"}), job),
		"given":            commentKey(in(map[string]string{"comment-key": "--> x"}), job),
	} {
		if len(other) != 32 || seen[other] != "" {
			t.Errorf("%s has the key %s, as %q has", name, other, seen[other])
		}
		seen[other] = name
	}
	given := map[string]string{"comment-key": "x", "matrix": `{"a":1}`}
	if commentKey(in(given), job) != commentKey(in(given), Event{Job: "others"}) {
		t.Error("a given key depends on the job")
	}
}

func TestCheckName(t *testing.T) {
	for _, test := range []struct {
		env  map[string]string
		want string
	}{
		{nil, "mcp-gates report"},
		{map[string]string{"check-name": "off"}, ""},
		{map[string]string{"matrix": `{"os":"linux","a":{"b": 1}}`}, `mcp-gates report ({"b":1}, linux)`},
		{map[string]string{"matrix": `{"os":"linux"}`, "comment-key": "mine", "check-name": "gates"}, "gates (mine)"},
		{map[string]string{"comment-key": "mine"}, "mcp-gates report"},
		{map[string]string{"matrix": `{"os":"a\nb"}`}, `mcp-gates report (a\x0ab)`},
	} {
		in, err := ReadInputs(environment(test.env))
		if err != nil {
			t.Fatal(err)
		}
		if got := checkName(in); got != test.want {
			t.Errorf("CheckName(%v) = %q, want %q", test.env, got, test.want)
		}
	}
}
