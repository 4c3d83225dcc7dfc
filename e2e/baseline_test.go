package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/org/mcp-gates/e2e/github"
	"github.com/org/mcp-gates/e2e/repo"
)

func TestBaselines(t *testing.T) {
	play(t, []scenario{
		{"no base suite", noBaseSuite},
		{"base too big to list", baseTooBig},
		{"base in LFS", baseInLFS},
		{"base that may not be read", baseForbidden},
		{"base that is gone", baseGone},
		{"stale base.sha", staleBase},
		{"head checked out instead of the merge", headCheckedOut},
		{"blobs and a tarball", tarball},
		{"tarball gone", archiveGone},
		{"tarball at the second attempt", archiveFails},
		{"weakened gate", weakened},
		{"weakened gate, and a base that cannot be read", weakenedUnseen},
		{"weakened gate, judged by the base", judgedByBase},
		{"renamed case", renamed},
		{"removed case", removed},
		{"old findings", oldFindings},
		{"fail-on regression", failOnRegression},
		{"fail-on never", failOnNever},
		{"saved report", savedReport},
		{"a file called as the branch", savedUnderBranch},
		{"a saved report that the change edits", savedEdited},
		{"a file where revisions may not be read", savedForbidden},
		{"a saved report under pull_request_target", savedPrivileged},
		{"a workflow that selects less", workflowEdited},
		{"branch, tag and hash", namedBase},
		{"revision that takes a clone", namedByExpression},
		{"none", noneWanted},
		{"history drawn", historyDrawn},
		{"sparse checkout", sparse},
	})
}

func noBaseSuite(w *world) {
	w.open(repo.Files{"README.md": "# Weather\n"}, worse())
	o := w.run(w.job(), 1)
	w.says("the comment", w.one().Body, "Nothing was compared: ", "no suite", "2 of 2 cases failed")
	w.outputs(o, map[string]string{"regressions": "", "surface-tokens-delta": ""})
	w.says("the annotations", titles(o.check()), "missed class: warn")
	if list := o.Annotations(); len(list) != 0 {
		w.Errorf("a first suite is nothing to warn of: %q", list)
	}
	o.atMost(15)
}

// uncompared checks that the change was judged without a base, and that the log says why.
func (w *world) uncompared(o *outcome, reason ...string) {
	w.Helper()
	w.says("the warnings", strings.Join(o.Annotations(), "\n"), append(reason, "warning ")...)
	w.outputs(o, map[string]string{"verdict": "fail", "regressions": "", "surface-tokens-delta": ""})
	w.says("the summary", o.Summary, "2 of 2 cases failed")
}

func baseTooBig(w *world) {
	w = newWorld(w.T, func(c *github.Config) { c.TreeLimit = 2 })
	w.open(weather(), worse())
	j := w.job()
	j.Inputs["fail-on"] = "regression" // without a comparison it is gate
	o := w.run(j, 1)
	w.uncompared(o, "more files")
	w.says("the comment", w.one().Body, "2 of 2 cases failed")
}

const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"

func baseInLFS(w *world) {
	w.open(weather().With(repo.Files{"cassettes/storm.json": pointer}), worse())
	w.uncompared(w.run(w.job(), 1), "LFS", "cassettes/storm.json")
}

func baseForbidden(w *world) {
	w = newWorld(w.T, func(c *github.Config) { c.Private = true })
	w.open(weather(), worse())
	w.hub.Allow(github.ActionsToken(token, "checks: write", "pull-requests: write"))
	w.uncompared(w.run(w.job(), 1), "Nothing was compared")
}

func baseGone(w *world) {
	j := w.pushed(weather(), worse())
	j.Payload = object{"before": strings.Repeat("ab", 20), "after": j.SHA, "repository": aboutRepo()}
	w.uncompared(w.run(j, 1), "Nothing was compared")
}

func staleBase(w *world) {
	old := w.repo.Commit("old base", worse())
	w.repo.Set("refs/heads/main", old)
	tip := w.repo.Commit("base", weather(), old)
	w.repo.Set("refs/heads/main", tip)
	w.pull = w.hub.AddPull(github.Pull{Number: pullNumber, HeadRepo: "octo/tools", HeadRef: "topic", BaseRef: "main", BaseSHA: old})
	w.push(worse())
	for _, withGit := range []bool{false, true} {
		j := w.job()
		if withGit {
			j = w.withGit(j)
		}
		o := w.run(j, 1)
		w.outputs(o, map[string]string{"regressions": "2"})
		w.says("the comment", w.one().Body, tip[:12])
		w.lacks("the comment", w.one().Body, old[:12])
	}
}

// A workflow may check the head itself out. GITHUB_SHA is the merge commit all the same.
func headCheckedOut(w *world) {
	w.open(weather(), worse())
	for _, withGit := range []bool{false, true} {
		j := w.job()
		j.Workspace = w.checkout("refs/pull/7/head", 1)
		j.WithoutGit = !withGit
		o := w.run(j, 1)
		w.judged(o)
		o.atMost(15)
	}
}

func tarball(w *world) {
	base := many(20)
	head := base.With(repo.Files{})
	for i := range 20 {
		if i%2 == 1 {
			name := fmt.Sprintf("cassettes/%d.json", i)
			head[name] = strings.ReplaceAll(base[name], "get_weather", "list_alerts")
		}
	}
	w.open(base, head)
	o := w.run(w.job(), 1)
	o.atMost(15)
	w.outputs(o, map[string]string{"cases": "20", "failed": "12", "regressions": "10"})
	blobs := strings.Count(strings.Join(o.operations(), " "), "git/get-blob")
	if w.hub.Downloads() != 1 || blobs == 0 || blobs > 8 {
		w.Errorf("%d blobs and %d archives were fetched, want 1 to 8 and 1", blobs, w.hub.Downloads())
	}
}

// allChanged are files of which most were recorded again.
func allChanged(base repo.Files) repo.Files {
	head := base.With(repo.Files{})
	for name, content := range base {
		head[name] = strings.ReplaceAll(content, `"result": "ok"`, `"result": "fine"`)
	}
	return head
}

// The archive is fetched from a host of its own, which may be down.
func archiveGone(w *world) {
	base := many(20)
	w.open(base, allChanged(base))
	w.hub.Fail(github.Fault{Operation: github.Archive, Times: -1, Status: 404, Message: "Not Found"})
	o := w.run(w.job(), 1)
	w.says("the warnings", strings.Join(o.Annotations(), "\n"), "Nothing was compared", "tarball")
	w.outputs(o, map[string]string{"failed": "2", "regressions": ""})
}

func archiveFails(w *world) {
	base := many(20)
	w.open(base, allChanged(base))
	w.hub.Fail(github.Fault{Operation: github.Archive, Status: 502, Message: "Bad Gateway"})
	w.hub.Fail(github.Fault{Operation: "repos/download-tarball-archive", Skip: 1, Status: 502, Message: "Bad Gateway"})
	o := w.run(w.job(), 1)
	w.outputs(o, map[string]string{"failed": "2", "regressions": "0"})
}

// weaker is the suite with a lower floor, under which the worse runs pass.
var weaker = strings.NewReplacer("min_selection_rate: 0.8", "min_selection_rate: 0.6", `">=": 80`, `">=": 50`).Replace(weatherSuite)

func weakened(w *world) {
	w.open(weather(), worse().With(repo.Files{"mcp-gates.yml": weaker}))
	o := w.run(w.job(), 0)
	w.outputs(o, map[string]string{"verdict": "pass"})
	w.says("the comment", w.one().Body, "tool_selection.f1", ">= 80", ">= 50", "eaken", "min_selection_rate")
	j := w.job()
	j.Inputs["fail-on-weakened"] = "true"
	o = w.run(j, 1)
	w.says("the annotations", strings.Join(o.Annotations(), "\n"), "weakens")
}

// Nobody can say that a change weakens nothing when the base cannot be read.
func weakenedUnseen(w *world) {
	w.open(weather(), worse().With(repo.Files{"mcp-gates.yml": weaker}))
	w.hub.Fail(github.Fault{Operation: "git/get-tree", Times: -1, Status: 404, Message: "Not Found"})
	j := w.job()
	j.Inputs["fail-on-weakened"] = "true"
	o := w.run(j, 3)
	w.says("the errors", strings.Join(o.Annotations(), "\n"), "error ", "fail-on-weakened")
	w.says("the comment", w.one().Body, "Nothing was compared")
}

func judgedByBase(w *world) {
	w.open(weather(), worse().With(repo.Files{"mcp-gates.yml": weaker}))
	j := w.job()
	j.Inputs["gates-from"] = "base"
	o := w.run(j, 1)
	w.outputs(o, map[string]string{"verdict": "fail", "failed": "2"})
	w.says("the comment", w.one().Body, "2 of 2 cases failed")
	w.restrict([]string{"checks: write", "pull-requests: write"})
	w.hub.Fail(github.Fault{Operation: "git/get-tree", Times: -1, Status: 404, Message: "Not Found"})
	j = w.job()
	j.Inputs["gates-from"] = "base"
	o = w.run(j, 3) // a base that cannot be read cannot judge, and the head must not stand in for it
	w.says("the log", o.Log, "gates-from")
}

func renamed(w *world) {
	w.open(weather(), worse().With(repo.Files{"mcp-gates.yml": strings.Replace(weatherSuite, "storm warning", "thunder warning", 1)}))
	o := w.run(w.job(), 1)
	w.outputs(o, map[string]string{"regressions": "2"})
	body := w.one().Body
	w.says("the comment", body, "thunder warning")
	w.says("the comment", body, "was `mcp-gates.yml::storm warning::claude-sonnet-4-5`")
	w.lacks("the comment", body, "Removed", "removed")
}

func removed(w *world) {
	at := strings.Index(weatherSuite, "  - name: storm warning")
	w.open(weather(), weather().With(repo.Files{"mcp-gates.yml": weatherSuite[:at], "cassettes/storm.json": ""}))
	j := w.job()
	j.Inputs["fail-on-weakened"] = "true"
	w.run(j, 1) // to take a case away weakens the judge
	w.says("the comment", w.one().Body, "storm warning")
}

// shabby returns a catalog that has six findings a tool.
func shabby(tools int) string {
	list := []object{}
	for i := range tools {
		list = append(list, object{
			"name": fmt.Sprintf("tool_%d", i), "description": fmt.Sprintf("Does thing %d.", i),
			"inputSchema": object{"type": "object", "properties": object{"x": object{"type": "string"}}},
		})
	}
	return catalog(list...)
}

const shabbySuite = weatherSuite + `tool_quality:
  - name: descriptions
    catalog: catalogs/shabby.json
    expect:
      - critical_count: { "<=": 0 }
`

func oldFindings(w *world) {
	base := weather().With(repo.Files{"mcp-gates.yml": shabbySuite, "catalogs/shabby.json": shabby(10)})
	w.open(base, base.With(repo.Files{"catalogs/shabby.json": shabby(11)}))
	j := w.job()
	o := w.run(j, w.gates(j.Workspace))
	w.outputs(o, map[string]string{"new-findings": "6"})
	if n := len(o.check().Annotations); n != 3 {
		w.Errorf("%d annotations, want those of the three new findings that are recommended:\n%s", n, titles(o.check()))
	}
	j = w.job()
	j.Inputs["annotations"] = "all"
	if n := len(w.run(j, o.Exit).check().Annotations); n < 33 {
		w.Errorf("%d annotations, want those of the 33 findings that are recommended", n)
	}
	j = w.job()
	j.Inputs["annotations"] = "none"
	if n := len(w.run(j, o.Exit).check().Annotations); n != 0 {
		w.Errorf("%d annotations, want none", n)
	}
}

func failOnRegression(w *world) {
	base := worse()
	w.open(base, base.With(repo.Files{"README.md": "# Still bad\n"}))
	j := w.job()
	j.Inputs["fail-on"] = "regression"
	o := w.run(j, 0)
	w.outputs(o, map[string]string{"verdict": "fail", "regressions": "0"})
	w.push(base.With(repo.Files{"cassettes/selection.json": picks(5)}))
	j = w.job()
	j.Inputs["fail-on"] = "regression"
	w.run(j, 1)
}

func failOnNever(w *world) {
	w.open(weather(), worse())
	j := w.job()
	j.Inputs["fail-on"] = "never"
	o := w.run(j, 0)
	w.outputs(o, map[string]string{"verdict": "fail", "regressions": "2"})
	w.push(weather().With(repo.Files{"cassettes/storm.json": ""}))
	j = w.job()
	j.Inputs["fail-on"] = "never"
	w.run(j, 2) // what could not be evaluated is never forgiven
}

func savedReport(w *world) {
	w.open(weather(), worse())
	j := w.job()
	j.Inputs["baseline"] = "saved.json"
	dir := w.checkout("refs/heads/main", 1)
	cmd := exec.Command(program, "run", "--workspace", dir, "--format", "json="+filepath.Join(j.Workspace, "saved.json"))
	if out, err := cmd.CombinedOutput(); err != nil {
		w.Fatalf("run: %v: %s", err, out)
	}
	o := w.run(j, 1)
	w.outputs(o, map[string]string{"f1": "50"})
	w.says("the comment", w.one().Body, "saved.json", "100 → 60")
	o.atMost(10) // two that look for a revision of that name, three that look for what the change tracks
	w.hub.Fail(github.Fault{Operation: "repos/get-commit", Times: 1, Status: 404, Message: "Not Found"})
	w.outputs(w.run(j, 1), map[string]string{"f1": "50", "regressions": "2"})
	w.hub.Fail(github.Fault{Operation: "repos/get-commit", Times: 1, Status: 418, Message: "no tea"})
	w.uncompared(w.run(j, 1), `look for commit "saved.json"`) // nobody knows whether there is such a revision
}

// report returns the JSON report of files.
func (w *world) report(files repo.Files) string {
	w.Helper()
	w.repo.Set("refs/heads/reported", w.repo.Commit("reported", files))
	cmd := exec.Command(program, "run", "--workspace", w.checkout("refs/heads/reported", 1), "--format", "json")
	out, err := cmd.Output()
	if cmd.ProcessState == nil {
		w.Fatalf("run: %v", err)
	}
	return string(out)
}

// Fixed bugs: a change replaced what it was compared with by a file called as the branch.
func savedUnderBranch(w *world) {
	head := worse()
	w.open(weather(), head.With(repo.Files{"main": w.report(head)}))
	for _, withGit := range []bool{false, true} {
		j := w.job()
		if withGit {
			j = w.withGit(j)
		}
		j.Inputs["baseline"], j.Inputs["fail-on"] = "main", "regression"
		o := w.run(j, 1)
		w.outputs(o, map[string]string{"regressions": "2"})
		w.says("the comment", w.one().Body, "Compared with `main`")
	}
	j := w.job()
	j.Inputs["baseline"] = "file:main"
	w.uncompared(w.run(j, 1), `saved report "main" is tracked and not in the base commit`)
}

// Fixed bugs: a change edited the saved report that it was compared with.
func savedEdited(w *world) {
	head := worse()
	w.open(weather().With(repo.Files{"saved.json": w.report(weather())}), head.With(repo.Files{"saved.json": w.report(head)}))
	for _, withGit := range []bool{false, true} {
		j := w.job()
		if withGit {
			j = w.withGit(j)
		}
		j.Inputs["baseline"] = "saved.json"
		o := w.run(j, 1)
		w.uncompared(o, `saved report "saved.json" is tracked and differs from that in the base commit`)
		o.atMost(15)
		j.Inputs["fail-on-weakened"] = "true"
		w.run(j, 3)
	}
	w.push(head.With(repo.Files{"saved.json": w.report(weather())}))
	j := w.job()
	j.Inputs["baseline"] = "saved.json"
	o := w.run(j, 1) // as the base has it
	w.outputs(o, map[string]string{"regressions": "2"})
}

// To a token that may not read, GitHub says 404 of every revision.
func savedForbidden(w *world) {
	w = newWorld(w.T, func(c *github.Config) { c.Private = true })
	head := worse()
	w.open(weather(), head.With(repo.Files{"main": w.report(head)}))
	w.hub.Allow(github.ActionsToken(token, "checks: write", "pull-requests: write"))
	j := w.job()
	j.Inputs["baseline"] = "main"
	w.uncompared(w.run(j, 1), `look for branch "main"`)
}

const ownWorkflow = ".github/workflows/gates.yml"

func workflowOf(inputs string) string {
	return "on: pull_request\njobs:\n  gates:\n    steps:\n      - uses: octo/mcp-gates@v1\n        with: {" + inputs + "}\n"
}

// Fixed bugs: nothing showed that a change edited the inputs of the workflow that had it judged. It is shown and not counted.
func workflowEdited(w *world) {
	base := weather().With(repo.Files{ownWorkflow: workflowOf("baseline: auto")})
	head := base.With(repo.Files{ownWorkflow: workflowOf("filter: storm, baseline: none")})
	w.open(base, head)
	for _, withGit := range []bool{false, true} {
		j := w.job()
		if withGit {
			j = w.withGit(j)
		}
		j.Env = map[string]string{"GITHUB_WORKFLOW_REF": "octo/tools/" + ownWorkflow + "@refs/pull/7/merge"}
		j.Inputs["fail-on-weakened"] = "true"
		o := w.run(j, 0)
		w.says("the comment", w.one().Body, "`filter` of [`job gates, step with this action`]", "gates.yml#L6", "`storm` was added")
		w.says("the log", o.Log, ownWorkflow+":6: filter of job gates, step with this action: storm was added (workflow changed)")
		o.atMost(15)
		delete(j.Inputs, "fail-on-weakened")
		j.Inputs["baseline"] = "none" // as the change wants it
		o = w.run(j, 0)
		w.says("the warnings", strings.Join(o.Annotations(), "\n"), ownWorkflow, `filter of job gates`, `baseline of job gates`)
		w.push(head)
	}
	j := w.job() // with a sparse checkout
	if err := os.Remove(filepath.Join(j.Workspace, ownWorkflow)); err != nil {
		w.Fatal(err)
	}
	j.Env = map[string]string{"GITHUB_WORKFLOW_REF": "octo/tools/" + ownWorkflow + "@refs/pull/7/merge"}
	o := w.run(j, 0)
	w.says("the log of a sparse checkout", o.Log, ownWorkflow+":6: filter of job gates, step with this action: storm was added (workflow changed)")
	w.push(weather().With(repo.Files{ownWorkflow: workflowOf("baseline: auto")}))
	j = w.job()
	j.Env = map[string]string{"GITHUB_WORKFLOW_REF": "octo/tools/" + ownWorkflow + "@refs/pull/7/merge"}
	o = w.run(j, 0)
	w.lacks("the log", o.Log, "workflow changed")
}

func savedPrivileged(w *world) {
	w.open(weather(), worse())
	j := w.job()
	j.Event = "pull_request_target"
	if err := os.WriteFile(filepath.Join(j.Workspace, "saved.json"), []byte(w.report(weather())), 0o666); err != nil {
		w.Fatal(err)
	}
	for _, name := range []string{"saved.json", "file:saved.json"} {
		j.Inputs["baseline"] = name
		w.uncompared(w.run(j, 1), "saved.json")
	}
}

// The default image has no git, so that a baseline that is named has to be found through the API as well.
func namedBase(w *world) {
	old := w.repo.Commit("old", weather())
	w.repo.Set("refs/tags/v1", old)
	left := w.repo.Commit("release", weather().With(repo.Files{"README.md": "# Release\n"}), old)
	w.repo.Set("refs/heads/release/1.0", w.repo.Commit("later", worse(), left)) // which is after the change left it
	w.repo.Set("refs/heads/main", left)
	w.pull = w.hub.AddPull(github.Pull{Number: pullNumber, HeadRepo: "octo/tools", HeadRef: "topic", BaseRef: "main"})
	w.push(worse())
	for name, want := range map[string]string{"release/1.0": left, "v1": old, old: old} {
		j := w.job()
		j.Inputs["baseline"], j.Inputs["comment-key"] = name, "ours"
		o := w.run(j, 1)
		w.outputs(o, map[string]string{"regressions": "2"})
		w.says("the comment", w.one().Body, "Compared with `"+name[:min(len(name), 12)], want[:12])
		o.atMost(15)
	}
}

func namedByExpression(w *world) {
	w.open(weather(), worse())
	for _, name := range []string{"main~1", "gone", "../../user"} {
		j := w.job()
		j.Inputs["baseline"] = name
		w.uncompared(w.run(j, 1), name)
	}
}

func noneWanted(w *world) {
	w.open(weather(), worse())
	j := w.job()
	j.Inputs["baseline"] = "none"
	o := w.run(j, 1)
	w.outputs(o, map[string]string{"regressions": ""})
	o.atMost(5)
}

// A workspace need not hold all that the base has.
func sparse(w *world) {
	base := weather().With(repo.Files{"docs/a.md": "a\n", "docs/b.md": "b\n"})
	w.open(base, worse().With(repo.Files{"docs/a.md": "a\n", "docs/b.md": "b\n"}))
	j := w.job()
	if err := os.RemoveAll(filepath.Join(j.Workspace, "docs")); err != nil {
		w.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(j.Workspace, ".git")); err != nil {
		w.Fatal(err)
	}
	o := w.run(j, 1)
	w.judged(o)
	o.atMost(15)
}

// historyDrawn has the comment draw how figures moved through the commits of the checkout. No verdict depends on it.
func historyDrawn(w *world) {
	w.open(weather(), worse())
	j := w.jobWithGit()
	j.Inputs = map[string]string{"history": "true"}
	o := w.run(j, 1)
	w.judged(o)
	w.says("the comment", w.one().Body, "| History |", "`█▁`")

	short := w.job()
	short.Inputs = j.Inputs
	if err := os.RemoveAll(filepath.Join(short.Workspace, ".git")); err != nil {
		w.Fatal(err)
	}
	o = w.run(short, 1)
	w.judged(o)
	w.says("the summary", o.Summary, "no history is drawn")
}
