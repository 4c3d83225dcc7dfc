package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/mcp-gates/e2e/github"
	"github.com/org/mcp-gates/e2e/runner"
)

// checkAlways checks what must hold whatever happens.
func (o *outcome) checkAlways() {
	t := o.world
	t.Helper()
	for _, problem := range t.hub.Problems() {
		t.Errorf("GitHub would not have it: %s", problem)
	}
	for _, problem := range o.Problems {
		t.Errorf("the runner would not have it: %s", problem)
	}
	o.checkCommands()
	o.checkSecrets()
	o.checkOutputs()
	for _, k := range o.checks {
		o.checkRun(k)
	}
	if len(o.checks) > 1 {
		t.Errorf("%d check runs were made, want one at most", len(o.checks))
	}
	o.checkMarkdown()
}

// checkCommands expects no commands but ours.
func (o *outcome) checkCommands() {
	t := o.world
	t.Helper()
	for _, c := range o.Commands {
		if c.Old || !slices.Contains([]string{"add-mask", "error", "warning", "notice", "group", "endgroup"}, c.Name) {
			t.Errorf("the log holds the command %+v", c)
		}
		if c.Name == "add-mask" && c.Data != o.job.Token && !slices.Contains(t.secrets, c.Data) {
			t.Errorf("%q is masked", c.Data)
		}
	}
}

// checkSecrets expects the token, and what the world says is secret, nowhere but in the commands that hide it.
func (o *outcome) checkSecrets() {
	t := o.world
	t.Helper()
	said := map[string]string{"the summary": o.Summary, "the log": strings.Replace(o.Log, "::add-mask::"+o.job.Token, "", 1)}
	for _, secret := range t.secrets {
		said["the log"] = strings.Replace(said["the log"], "::add-mask::"+secret, "", 1)
	}
	for _, r := range o.requests {
		said["a request"] += r.Path + r.Body
	}
	for name, value := range o.Outputs {
		said["output "+name] = value
	}
	for _, c := range t.hub.Comments() {
		said["a comment"] += c.Body
	}
	for _, k := range t.hub.Checks() {
		said["a check run"] += k.Title + k.Summary + k.Text
	}
	for where, text := range said {
		if o.job.Token != "" && strings.Contains(text, o.job.Token) || strings.Contains(text, "runtime-secret") {
			t.Errorf("%s holds a secret", where)
		}
		for _, secret := range t.secrets {
			if strings.Contains(text, secret) {
				t.Errorf("%s holds %q", where, secret)
			}
		}
	}
}

// checkOutputs expects all outputs that action.yml declares, or none when there was nothing to tell.
func (o *outcome) checkOutputs() {
	t := o.world
	t.Helper()
	for name, value := range o.Outputs {
		if _, ok := o.job.Action.Outputs[name]; !ok {
			t.Errorf("output %q is not in action.yml", name)
		}
		if strings.ContainsAny(value, "\r\n") {
			t.Errorf("output %q is %q", name, value)
		}
	}
	if n := len(o.Outputs); n != 0 && n != len(o.job.Action.Outputs) {
		t.Errorf("%d outputs of %d", n, len(o.job.Action.Outputs))
	}
	if verdict := o.Outputs["verdict"]; verdict == "pass" && o.Exit != 0 && o.job.Inputs["fail-on-weakened"]+o.job.Inputs["fail-on-breaking"] == "" {
		t.Errorf("the verdict is a pass and the exit status %d", o.Exit)
	}
}

// checkRun expects a check run that is complete as the exit status says and holds nothing twice. It is completed once,
// by the request that makes it; once more where a success became a failure because the job was cancelled; and a job that
// is killed leaves it with the verdict.
func (o *outcome) checkRun(k github.Check) {
	t := o.world
	t.Helper()
	want := "failure"
	if o.Exit == 0 {
		want = "success"
	}
	if o.Exit == runner.Killed {
		want = k.Conclusion
	}
	times := 1
	if o.Exit == 3 && o.Lingered > 0 && k.Completed == 2 {
		times = 2
	}
	if k.Status != "completed" || k.Conclusion != want || k.Completed != times {
		t.Errorf("check run %q is %s, %q, completed %d times; want completed once, %q", k.Name, k.Status, k.Conclusion, k.Completed, want)
	}
	if o.Outputs["check-url"] != "" && !strings.HasSuffix(o.Outputs["check-url"], "/runs/"+jsonOf(k.ID)) {
		t.Errorf("output check-url is %q", o.Outputs["check-url"])
	}
	seen := map[string]bool{}
	for _, a := range k.Annotations {
		if key := jsonOf(a); seen[key] {
			t.Errorf("annotation twice: %s", key)
		} else {
			seen[key] = true
		}
		o.checkPlace(a)
	}
}

// checkPlace expects an annotation to stand in a file of the commit, on a line that it has.
func (o *outcome) checkPlace(a github.Annotation) {
	t := o.world
	t.Helper()
	if o.job.Event == "workflow_run" || o.job.Event == "pull_request_target" {
		return // the workspace does not hold the change
	}
	data, err := os.ReadFile(filepath.Join(o.job.Workspace, filepath.FromSlash(a.Path)))
	if err != nil {
		if a.Path != ".github" && !strings.Contains(a.Path, `\`) { // spelled out, for a name of file with control characters
			t.Errorf("annotation in %q: %v", a.Path, err)
		}
		return
	}
	if lines := strings.Count(string(data), "\n") + 1; a.EndLine > lines {
		t.Errorf("annotation on line %d of %s, which has %d", a.EndLine, a.Path, lines)
	}
}

// atMost fails the test when the job sent more requests.
func (o *outcome) atMost(n int) {
	t := o.world
	t.Helper()
	if len(o.requests) > n {
		t.Errorf("%d requests, want %d at most: %v", len(o.requests), n, o.operations())
	}
	t.Logf("%d requests: %s", len(o.requests), strings.Join(o.operations(), ", "))
}

// operations lists the requests by name.
func (o *outcome) operations() []string {
	var list []string
	for _, r := range o.requests {
		list = append(list, r.Operation)
	}
	return list
}

// check returns the check run that the job made.
func (o *outcome) check() github.Check {
	t := o.world
	t.Helper()
	if len(o.checks) != 1 {
		t.Fatalf("%d check runs, want one; log:\n%s", len(o.checks), o.Log)
	}
	return o.checks[0]
}

// titles returns those of a check run's annotations.
func titles(k github.Check) string {
	var list []string
	for _, a := range k.Annotations {
		list = append(list, a.AnnotationLevel+" "+a.Title)
	}
	return strings.Join(list, "\n")
}

func jsonOf(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}
