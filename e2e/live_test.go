package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/org/mcp-gates/e2e/repo"
	"github.com/org/mcp-gates/e2e/runner"
)

func TestLive(t *testing.T) {
	play(t, []scenario{
		{"live run of a pull request", livePull},
		{"live run with a token that reads", liveReadOnly},
		{"recorded, and then replayed", recordThenReplay},
		{"judged by the base", liveJudgedByBase},
		{"refused under pull_request_target", func(w *world) { w.refused("pull_request_target") }},
		{"refused under workflow_run", func(w *world) { w.refused("workflow_run") }},
		{"dry run", liveDryRun},
		{"broken server", brokenServer},
		{"budget", overBudget},
		{"key missing", keyMissing},
		{"environment of a server", serverEnvironment},
		{"secrets on standard output and error", secretsOfAProcess},
		{"secrets in headers and keys", secretsOverHTTP},
		{"secret in a mistake", secretInMistake},
		{"cancelled", liveCancelled},
	})
}

const forecastSuite = `servers:
  weather:
    command: [mcp-gates, mock, --tools-from, weather.yml]
defaults: { model: "builtin:lexical", server: weather }
agents:
  - name: storm
    prompt: Forecast the weather for the city "Oslo".
    runs: 4
    tool_selection: { expected_tool: weather.forecast, min_selection_rate: 0.8 }
`

// Descriptions of the tool that forecasts, and of the other one, by which an agent can tell them apart, or not.
const (
	telling    = "Forecast the weather for a city.|Send an alert about a flood to a list."
	misleading = "Tells some things about places.|Forecast the weather of tomorrow for the city of your choice, such as Oslo."
)

// forecast is a suite whose server is a mock with two tools.
func forecast(words string) repo.Files {
	right, other, _ := strings.Cut(words, "|")
	return repo.Files{
		"mcp-gates.yml": forecastSuite,
		"weather.yml": fmt.Sprintf(`mock_server:
  name: weather
  tools:
    - { name: forecast, description: %q, response: { content: [Sunny.] } }
    - { name: send_alert, description: %q, response: { content: [Sent.] } }
`, right, other),
	}
}

// recorded adds the cassettes that a live run of the files makes.
func (w *world) recorded(files repo.Files) repo.Files {
	w.Helper()
	dir := w.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			w.Fatal(err)
		}
	}
	cmd := exec.Command(program, "run", "--record", "--workspace", dir)
	cmd.Env = append(os.Environ(), "PATH="+programs())
	if out, err := cmd.CombinedOutput(); err != nil {
		w.Fatalf("record: %v: %s", err, out)
	}
	return files.With(repo.Files{stormCassette: w.read(filepath.Join(dir, stormCassette))})
}

const stormCassette = "cassettes/mcp-gates/storm.json"

func (w *world) read(name string) string {
	w.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		w.Fatal(err)
	}
	return string(data)
}

// programs are the folders of the programs that live runs start: of the program itself, and of the system.
func programs() string {
	return filepath.Dir(program) + string(os.PathListSeparator) + os.Getenv("PATH")
}

// live makes a job one in a live mode.
func live(j runner.Job, mode string) runner.Job {
	j.Inputs["mode"], j.Programs = mode, programs()
	return j
}

func livePull(w *world) {
	base := w.recorded(forecast(telling))
	w.open(base, base.With(forecast(misleading)))
	o := w.run(live(w.job(), "live"), 1)
	body := w.one().Body
	w.says("the comment", body, "1 of 1 case failed · live runs", "made live", "now fails", "100 → 0", "1 regression")
	w.lacks("the comment", body, "assette")
	w.says("the check run's title", o.check().Title, "live runs")
	w.says("the annotations", titles(o.check()), "failure min_selection_rate: storm")
	w.outputs(o, map[string]string{"verdict": "fail", "failed": "1", "regressions": "1", "selection-rate": "0"})
	w.says("the report", w.read(filepath.Join(o.job.Workspace, "mcp-gates-report.json")), `"mode": "live"`)
	o.atMost(15)
	if out := o.clean(); out != "?? mcp-gates-report.json" {
		w.Errorf("the workspace has changed: %q", out)
	}
	j := live(w.job(), "live")
	j.Inputs["fail-on"] = "never"
	w.run(j, 0)
}

func liveReadOnly(w *world) {
	base := w.recorded(forecast(telling))
	w.open(base, base.With(forecast(misleading)))
	w.restrict(readOnly)
	o := w.run(live(w.job(), "live"), 1)
	w.says("the annotations in the log", strings.Join(o.Annotations(), "\n"), "error min_selection_rate: storm")
	w.says("the summary", o.Summary, "1 of 1 case failed · live runs")
}

func recordThenReplay(w *world) {
	files := forecast(telling)
	w.repo.Set("refs/heads/main", w.repo.Commit("only", files))
	o := w.run(live(w.jobOf("schedule", "refs/heads/main"), "record"), 0)
	w.says("the log", o.Log, stormCassette+" was recorded")
	w.outputs(o, map[string]string{"verdict": "pass", "selection-rate": "100"})
	if out := o.clean(); out != "?? "+stormCassette+"\n?? mcp-gates-report.json" {
		w.Errorf("the workspace has changed: %q", out)
	}
	cassette := w.read(filepath.Join(o.job.Workspace, stormCassette))

	// What was recorded is replayed in the pull request that brings it.
	w.open(files, files.With(repo.Files{stormCassette: cassette}))
	replay := w.run(w.job(), 0)
	w.outputs(replay, map[string]string{"verdict": "pass", "selection-rate": "100", "cases": o.Outputs["cases"]})
	w.says("the comment", w.one().Body, "1 case fixed", "Recordings are evidence on their author's word")

	// Recorded again, nothing has changed.
	o = w.run(live(w.job(), "record"), 0)
	w.says("the log", o.Log, stormCassette+" says the same already")
	w.says("the comment", w.one().Body, "live runs", "was recorded in this run")
	if out := o.clean(); out != "?? mcp-gates-report.json" {
		w.Errorf("the workspace has changed: %q", out)
	}
	w.push(files.With(repo.Files{stormCassette: cassette}).With(forecast(strings.Replace(telling, "a city", "one city", 1))))
	o = w.run(live(w.job(), "record"), 0)
	w.says("the log", o.Log, stormCassette+" was recorded")
	if out := o.clean(); out != "M "+stormCassette+"\n?? mcp-gates-report.json" {
		w.Errorf("the workspace has changed: %q", out)
	}
}

// The base's suite says what is started and how it is judged; what is started is the head's.
func liveJudgedByBase(w *world) {
	base := w.recorded(forecast(telling))
	head := base.With(forecast(misleading))
	head["mcp-gates.yml"] = strings.Replace(forecastSuite, "0.8", "0", 1)
	head["mcp-gates.yml"] = strings.Replace(head["mcp-gates.yml"], "[mcp-gates, mock", "[touch, started.note, mock", 1)
	w.open(base, head)
	j := live(w.job(), "record")
	j.Inputs["gates-from"] = "base"
	o := w.run(j, 1)
	w.says("the annotations", titles(o.check()), "failure min_selection_rate: storm")
	if out := o.clean(); out != "M "+stormCassette+"\n?? mcp-gates-report.json" {
		w.Errorf("the workspace has changed: %q", out)
	}
}

// refused checks that nothing is started, read or sent where anybody may have made the change. The default branch, which is
// checked out, names the same server.
func (w *world) refused(event string) {
	w.Helper()
	files := forecast(telling)
	files["mcp-gates.yml"] = strings.Replace(forecastSuite, "[mcp-gates, mock", "[touch, started.note, mock", 1)
	w.open(files, files)
	for _, mode := range []string{"live", "record"} {
		o := w.run(live(w.published(event), mode), 2)
		w.says("the error", strings.Join(o.Annotations(), "\n"), "error ", `mode "`+mode+`" is refused under `+event, "pull_request")
		if len(o.requests) != 0 || len(o.Outputs) != 0 || o.Summary != "" {
			w.Errorf("requests %v, outputs %v, summary %q of a mode that is refused", o.operations(), o.Outputs, o.Summary)
		}
		if out := o.clean(); out != "" {
			w.Errorf("the workspace has changed: %q", out)
		}
	}
	// The test would tell if something were started.
	w.run(live(w.job(), "live"), 3)
}

func liveDryRun(w *world) {
	w.open(forecast(misleading), forecast(telling))
	j := live(w.jobWithGit(), "record")
	j.Args = []string{"--dry-run"}
	o := w.run(j, 0)
	if len(o.requests) != 0 || o.Summary != "" || len(o.Outputs) != 0 {
		w.Errorf("a dry run published something: %v", o.operations())
	}
	w.says("the preview", o.Log, "1 case passed · live runs", stormCassette+" was recorded")
	w.says("the workspace", o.clean(), stormCassette)
}

// acting is a suite whose server is this test program in a role. Its prompt is for the server's tool.
func acting(t *testing.T, role string, more ...string) repo.Files {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return repo.Files{"mcp-gates.yml": fmt.Sprintf(`servers:
  actor: { command: [%q], env: { %s: %q } }
defaults: { model: "builtin:lexical", server: actor }
agents:
  - name: storm
    prompt: Read the secret of the place "Oslo".
    tool_selection: { expected_tool: actor.read_secret, min_selection_rate: 0.8 }
%s`, self, actAs, role, strings.Join(more, ""))}
}

func brokenServer(w *world) {
	files := acting(w.T, "crash")
	w.open(files, files)
	j := live(w.job(), "record")
	j.Inputs["fail-on"] = "never"
	o := w.run(j, 3)
	w.says("the annotations", jsonOf(o.check().Annotations), "the server ended (exit status 4)", "the word is")
	w.says("the log", o.Log, stormCassette+" was not written")
	w.outputs(o, map[string]string{"verdict": "error", "errors": "1"})
	w.says("the comment", w.one().Body, "1 case could not be evaluated", "live runs")
}

func overBudget(w *world) {
	files := forecast(telling)
	files["mcp-gates.yml"] += "pricing: { \"builtin:lexical\": { input: 1000, output: 1000 } }\nbudget: { per_test_usd_cents: 1 }\n"
	w.open(files, files)
	j := live(w.job(), "record")
	j.Inputs["fail-on"] = "never"
	o := w.run(j, 2)
	w.says("the annotations", jsonOf(o.check().Annotations), "budget.per_test_usd_cents")
	w.says("the log", o.Log, stormCassette+" was not written")
	w.outputs(o, map[string]string{"verdict": "error", "errors": "1"})
}

func keyMissing(w *world) {
	files := acting(w.T, "echo")
	files["mcp-gates.yml"] = strings.Replace(files["mcp-gates.yml"], "builtin:lexical", "claude-sonnet-4-5", 1)
	w.open(files, files)
	o := w.run(live(w.job(), "live"), 2)
	w.says("the annotations", jsonOf(o.check().Annotations), "environment variable ANTHROPIC_API_KEY is not set")
	if out := o.clean(); out != "?? mcp-gates-report.json" {
		w.Errorf("something was started: %q", out)
	}
}

// A server gets the four variables that all get, and what its suite gives it.
func serverEnvironment(w *world) {
	files := acting(w.T, "echo")
	w.open(files, files)
	j := live(w.job(), "live")
	j.Env = map[string]string{"OPENAI_API_KEY": "hunter2-the-key", "GITHUB_TOKEN": token}
	o := w.run(j, 0)
	var names []string
	for line := range strings.SplitSeq(w.read(filepath.Join(o.job.Workspace, "environment.note")), "\n") {
		name, _, _ := strings.Cut(line, "=")
		names = append(names, name)
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != actAs+" HOME PATH" {
		w.Errorf("a server is given %s", got)
	}
}

// A job that is cancelled keeps what it has recorded, and leaves no server behind.
func liveCancelled(w *world) {
	files := acting(w.T, "hang")
	files["mcp-gates.yml"] += "  - { name: told, servers: [], prompt: Hello., distractors: { count: 1, source: { from: catalog } } }\n"
	w.open(files, files)
	j := live(w.job(), "record")
	calling := make(chan struct{})
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join(j.Workspace, name))
		return err == nil
	}
	go func() {
		defer close(calling)
		for end := time.Now().Add(timeout); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			if exists("called.note") && exists("cassettes/mcp-gates/told.json") {
				return
			}
		}
	}()
	j.Signals, j.SignalAt = runner.Cancellation, calling
	o := w.run(j, 3)
	w.says("the log", o.Log, "cassettes/mcp-gates/told.json was recorded", stormCassette+" was not written", "::error::the check was interrupted")
	if k := o.check(); k.Conclusion != "failure" || len(w.comments()) != 0 {
		w.Errorf("conclusion %q and %d comments of a job that was cancelled", k.Conclusion, len(w.comments()))
	}
	if exists(stormCassette) {
		w.Error("a case that was interrupted was recorded")
	}
	pid, err := strconv.Atoi(w.read(filepath.Join(j.Workspace, "pid.note")))
	if err != nil || syscall.Kill(pid, 0) == nil {
		w.Errorf("the server %d is still there (%v)", pid, err)
	}
	w.prompt(o)
}
