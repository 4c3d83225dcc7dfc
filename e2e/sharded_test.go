package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/org/mcp-gates/e2e/repo"
	"github.com/org/mcp-gates/e2e/runner"
	"gopkg.in/yaml.v3"
)

func TestSharded(t *testing.T) {
	play(t, []scenario{
		{"2,000 cases in 8 shards", twoThousandCases},
		{"a shard is lost", lostShard},
		{"a shard that the change brings", broughtShard},
		{"a shard under a privileged event", privilegedShard},
	})
}

// sharded is examples/workflows/sharded.yml, as far as it is played: the steps of its jobs.
type sharded struct {
	Jobs map[string]struct {
		Strategy struct {
			Matrix map[string][]int
		}
		Steps []struct {
			Uses string
			With map[string]string
		}
	}
}

// matrixJobs is a workflow with a matrix, and what its jobs have uploaded.
type matrixJobs struct {
	*world
	workflow  sharded
	artifacts string // a folder for each artifact, by its name
}

func newMatrix(w *world) *matrixJobs {
	w.Helper()
	data, err := os.ReadFile("../examples/workflows/sharded.yml")
	if err != nil {
		w.Fatal(err)
	}
	m := &matrixJobs{world: w, artifacts: w.TempDir()}
	if err := yaml.Unmarshal(data, &m.workflow); err != nil {
		w.Fatal(err)
	}
	return m
}

// play plays the steps of a job: the action, and artifacts up and down. It returns what became of the action.
func (m *matrixJobs) play(name string, shard, of, want int) *outcome {
	m.Helper()
	j := m.jobWithGit() // reading the base of so many cases through the API takes minutes
	j.Name = name
	if shard > 0 {
		j.Matrix = map[string]int{"shard": shard}
	}
	written := strings.NewReplacer("${{ matrix.shard }}", fmt.Sprint(shard), "${{ strategy.job-total }}", fmt.Sprint(of))
	var out *outcome
	for _, step := range m.workflow.Jobs[name].Steps {
		with := map[string]string{}
		for key, value := range step.With {
			if with[key] = written.Replace(value); strings.Contains(with[key], "${{") {
				m.Fatalf("unknown expression %q", value)
			}
		}
		uses, _, _ := strings.Cut(step.Uses, "@")
		switch uses {
		case "actions/checkout": // it is there
		case "org/mcp-gates":
			j.Inputs = with
			out = m.run(j, want)
		case "actions/upload-artifact":
			m.copy(filepath.Join(j.Workspace, with["path"]), filepath.Join(m.artifacts, with["name"], path.Base(with["path"])))
		case "actions/download-artifact":
			m.download(j, with["pattern"], with["path"])
		default:
			m.Fatalf("no stand-in for %q", uses)
		}
	}
	return out
}

// download puts the artifacts whose names match into the workspace, a folder each, as actions/download-artifact does.
func (m *matrixJobs) download(j runner.Job, pattern, to string) {
	m.Helper()
	found, err := filepath.Glob(filepath.Join(m.artifacts, pattern, "*"))
	if err != nil {
		m.Fatal(err)
	}
	for _, file := range found {
		m.copy(file, filepath.Join(j.Workspace, to, filepath.Base(filepath.Dir(file)), filepath.Base(file)))
	}
}

func (m *matrixJobs) copy(from, to string) {
	m.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		m.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		m.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o644); err != nil {
		m.Fatal(err)
	}
}

// shards plays the jobs of the matrix.
func (m *matrixJobs) shards(of int) {
	m.Helper()
	for shard := 1; shard <= of; shard++ {
		o := m.play("shard", shard, of, 0)
		if len(o.checks) > 0 || len(m.comments()) > 0 || o.Summary != "" || len(o.Annotations()) > 0 {
			m.Errorf("shard %d publishes %d check runs, %d comments, the summary %q and annotations %q", shard, len(o.checks), len(m.comments()), o.Summary, o.Annotations())
		}
		m.says("the log", o.Log, fmt.Sprintf("shard %d of %d: ", shard, of), "nothing is compared or published before the reports of all shards are merged")
	}
}

// twoThousandCases plays 2,000 cases, of which 20 fail only in the head. The same with 10,000 takes a minute of processor.
func twoThousandCases(w *world) {
	base := many(2000)
	head := base.With(repo.Files{})
	for i := 1; i < 2000; i += 100 {
		name := fmt.Sprintf("cassettes/%d.json", i)
		head[name] = strings.ReplaceAll(base[name], "get_weather", "list_alerts")
	}
	w.open(base, head)
	m := newMatrix(w)
	const of = 8 // not as many as the workflow has: its steps hold for any number
	m.shards(of)
	o := m.play("gates", 0, of, 1)
	w.outputs(o, map[string]string{"cases": "2000", "failed": "220", "passed": "1780", "regressions": "20"})
	if k := o.check(); len(k.Annotations) != 20 {
		w.Errorf("%d annotations, want those of the 20 cases that fail now", len(k.Annotations))
	}
	w.says("the comment", w.one().Body, "220 of 2000 cases failed", "now fails")

	whole := m.jobWithGit()
	whole.Inputs = map[string]string{"comment": "off", "check-name": "off"}
	w.run(whole, 1)
	if got, want := report(w, o.job), report(w, whole); !bytes.Equal(got, want) {
		w.Errorf("the merged report has %d bytes that are not the %d of the report without shards", len(got), len(want))
	}
}

// report returns the JSON report of a job.
func report(w *world, j runner.Job) []byte {
	w.Helper()
	data, err := os.ReadFile(filepath.Join(j.Workspace, "mcp-gates-report.json"))
	if err != nil {
		w.Fatal(err)
	}
	return data
}

func lostShard(w *world) {
	base := many(40)
	w.open(base, base.With(repo.Files{"README.md": "new"}))
	m := newMatrix(w)
	of := len(m.workflow.Jobs["shard"].Strategy.Matrix["shard"])
	m.shards(of)
	if err := os.RemoveAll(filepath.Join(m.artifacts, "mcp-gates-shard-2")); err != nil {
		w.Fatal(err)
	}
	o := m.play("gates", 0, of, 2)
	o.check()
	w.says("the comment", w.one().Body, "shard 2 of 4 is missing")
	w.outputs(o, map[string]string{"verdict": "error", "cases": "0"})
	if err := os.RemoveAll(m.artifacts); err != nil {
		w.Fatal(err)
	}
	m.play("gates", 0, of, 2)
	w.says("the comment", w.one().Body, "no file matches")
}

// broughtShard has the pull request bring the report of the shard that fails.
func broughtShard(w *world) {
	base := many(40)
	w.open(base, base.With(repo.Files{"README.md": "new"}))
	m := newMatrix(w)
	m.shards(4)
	data, err := os.ReadFile(filepath.Join(m.artifacts, "mcp-gates-shard-2", "mcp-gates-report.json"))
	if err != nil {
		w.Fatal(err)
	}
	w.push(base.With(repo.Files{"mcp-gates-shards/mcp-gates-shard-2/mcp-gates-report.json": string(data)}))
	o := m.play("gates", 0, 4, 2)
	w.says("the log", o.Log, "is a file of the commit, expected the report that a job of this run has made")
}

func privilegedShard(w *world) {
	base := many(4)
	w.open(base, base.With(repo.Files{"README.md": "new"}))
	j := w.job()
	j.Event = "pull_request_target"
	j.Inputs = map[string]string{"merge": "*.json"}
	o := w.run(j, 3)
	w.says("the log", o.Log, "under pull_request_target no reports of the workspace are merged: anybody may have made them")
}
