package check

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// The tests in this file check published recordings in the folder that MCP_GATES_DATA names, and compare figures with
// those of a second, naive reading of the same files.

func dataFolder(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("MCP_GATES_DATA")
	if dir == "" {
		t.Skip("MCP_GATES_DATA is not set: published recordings are not checked")
	}
	return dir
}

func checkData(t *testing.T, suite string) *report.Report {
	t.Helper()
	r := run(t, os.DirFS(dataFolder(t)), Options{Suites: []string{suite}})
	for _, p := range r.Problems {
		t.Errorf("%s: %s:%d:%d: %s", suite, p.Path, p.Line, p.Col, p.Message)
	}
	if len(r.Cases) == 0 {
		t.Fatalf("%s: no case", suite)
	}
	for _, c := range r.Cases {
		if c.Verdict != judge.Pass && c.Verdict != judge.Fail {
			t.Errorf("%s: verdict %s, error %v, want it evaluated", c.ID, c.Verdict, c.Err)
		}
	}
	return r
}

func gateOf(t *testing.T, c report.Case, name string) judge.Result {
	t.Helper()
	for _, g := range c.Gates {
		if g.Gate == name {
			return g
		}
	}
	t.Fatalf("%s has no gate %s", c.ID, name)
	return judge.Result{}
}

func TestAzureCopilot(t *testing.T) {
	selected, runs := 0, 0
	for _, c := range checkData(t, "suites/azure-copilot.yml").Cases {
		counts := gateOf(t, c, "tool_selection").Counts
		selected += counts["selected"]
		runs += counts["runs"]
	}
	if selected != 414 || runs != 462 {
		t.Errorf("got %d of %d runs that call the expected tool, want 414 of 462 as published", selected, runs)
	}
}

func TestAtlas(t *testing.T) {
	correct, distractor := 0, 0
	for _, c := range checkData(t, "suites/mcp-atlas.yml").Cases {
		counts := gateOf(t, c, "distractors").Counts
		correct += counts["correct"]
		distractor += counts["distractor"]
	}
	if correct != 46 || distractor != 0 {
		t.Errorf("got %d calls correct and %d of distractors, want 46 and 0", correct, distractor)
	}
}

func TestClassF1AgainstASecondReading(t *testing.T) {
	for _, name := range []string{"tau-airline", "livemcpbench"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(dataFolder(t), "suites")
			want := secondReading(t, dir, name+".yml")
			r := checkData(t, "suites/"+name+".yml")
			if len(r.Cases) != len(want) {
				t.Errorf("got %d cases, want %d", len(r.Cases), len(want))
			}
			for _, c := range r.Cases {
				w, ok := want[c.Name]
				if !ok {
					t.Errorf("%s: the second reading knows no such case", c.ID)
				}
				if w == nil {
					continue // without classes
				}
				got := gateOf(t, c, "equal_function_sets").Counts
				if got := []int{got["tp"], got["fp"], got["fn"]}; !slices.Equal(got, w) {
					t.Errorf("%s: got %v, want tp, fp, fn %v", c.ID, got, w)
				}
				f1 := 0
				if w[0] > 0 {
					f1 = 200 * w[0] / (2*w[0] + w[1] + w[2])
				}
				if v := gateOf(t, c, "equal_function_sets").Metrics["tool_selection.f1"]; v.Cmp(judge.Int(f1, judge.Percent)) != 0 {
					t.Errorf("%s: got F1 %s, want %d", c.ID, v.Digits(), f1)
				}
			}
		})
	}
}

// plainCase is a test of a suite, as far as the second reading needs it.
type plainCase struct {
	name, cassette string
	classes        [][]string // members
}

// plainCases reads a suite of the published data line by line, for a second reading should share no code with the
// first.
func plainCases(t *testing.T, data string) []*plainCase {
	t.Helper()
	var cases []*plainCase
	section := ""
	for line := range strings.Lines(data) {
		line = strings.TrimRight(line, "\n")
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch indent := len(line) - len(strings.TrimLeft(line, " ")); {
		case indent == 2 && key == "- name":
			cases = append(cases, &plainCase{name: unquoted(t, value)})
		case indent == 4 && key == "cassette":
			cases[len(cases)-1].cassette = value
		case indent == 4:
			section = key
		case key == "members" && section == "equal_function_sets:":
			var members []string
			if err := json.Unmarshal([]byte(value), &members); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			last := cases[len(cases)-1]
			last.classes = append(last.classes, members)
		}
	}
	return cases
}

func unquoted(t *testing.T, s string) string {
	t.Helper()
	var plain string
	if err := json.Unmarshal([]byte(s), &plain); err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return plain
}

type plainRun struct {
	Error     any                             `json:"error"`
	ToolCalls []struct{ Name, Server string } `json:"tool_calls"`
}

// secondReading counts true positives, false positives and false negatives by case.
func secondReading(t *testing.T, dir, file string) map[string][]int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string][]int{}
	for _, c := range plainCases(t, string(data)) {
		if c.classes == nil {
			counts[c.name] = nil
			continue
		}
		sum := make([]int, 3)
		for _, r := range plainRuns(t, filepath.Join(dir, c.cassette)) {
			if r.Error == nil {
				tp, fp := r.score(c.classes)
				sum[0] += tp
				sum[1] += fp
				sum[2] += len(c.classes) - tp
			}
		}
		counts[c.name] = sum
	}
	return counts
}

func (r *plainRun) score(classes [][]string) (tp, fp int) {
	matched := map[int]bool{}
	for _, call := range r.ToolCalls {
		known, open := false, -1
		for i := len(classes) - 1; i >= 0; i-- {
			if slices.Contains(classes[i], call.Name) || slices.Contains(classes[i], call.Server+"."+call.Name) {
				known = true
				if !matched[i] {
					open = i
				}
			}
		}
		if open >= 0 {
			matched[open] = true
		}
		if !known {
			fp++
		}
	}
	return len(matched), fp
}

func plainRuns(t *testing.T, path string) []plainRun {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var cassette struct{ Runs []plainRun }
	if err := json.Unmarshal(data, &cassette); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return cassette.Runs
}
