package check

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The bounds of a check of any input that is below the documented limits.
const (
	mostMemory = 1 << 30
	mostTime   = time.Minute
)

// hostileFiles are evidence that makes a check hold as much as it can in one way.
type hostileFiles struct {
	name, suite string
	cassette    func(put func(text string, times int)) // c.json
	most        int64                                  // bytes; 0 for mostMemory
}

// casesOn returns a suite of n cases on one recording, judged by gates and expectations.
func casesOn(n int, judged string) string {
	var b strings.Builder
	b.WriteString("servers: {s: {command: [s]}}\ndefaults:\n  cassette: c.json\n  servers: [s]\n" + judged + "agents:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - {name: t%d}\n", i)
	}
	return b.String()
}

// numbered repeats a text, with numbers from 0 for each @.
func numbered(put func(string, int), n int, text string) {
	for i := range n {
		if put(strings.ReplaceAll(text, "@", fmt.Sprint(i)), 1); i < n-1 {
			put(",", 1)
		}
	}
}

const (
	selects   = "  tool_selection: {expected_tool: a, min_selection_rate: 1, max_total_tokens: 1}\n"
	searches  = "  equal_function_sets: {classes: [{name: c, members: [search]}]}\n"
	allGates  = searches + "  orchestration: {}\n  stability: {}\n  recovery: {}\n  limits: {max_calls: 1, max_turns: 1}\n  trajectory: {mode: in_order, steps: [a, b, c]}\n  golden_path: {steps: [a, b, c]}\n"
	answers   = "  expect: [{final_response: {contains: b}}]\n"
	emptyRuns = `{"tool_calls":[]},`
)

// hostileEvidence lists one of each kind.
func hostileEvidence() []hostileFiles {
	list := func(one string, n int) func(func(string, int)) {
		return func(put func(string, int)) {
			put("[", 1)
			put(one, n-1)
			put(strings.TrimSuffix(one, ",")+"]", 1)
		}
	}
	calls := func(n int, text string) func(func(string, int)) {
		return func(put func(string, int)) {
			put(`[{"tool_calls":[`, 1)
			numbered(put, n, text)
			put(`]}]`, 1)
		}
	}
	var classes strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&classes, "{name: c%d, members: [m%d, n]}, ", i, i)
	}
	usual := `{"tool_calls":[{"name":"search","args":{"q":"` + strings.Repeat("weather ", 400) + `"}}],"conversation":{"tokens":1200},"final_response":"yes"},`
	return []hostileFiles{
		{"2,000 cases of 4,000 empty runs", casesOn(2000, selects+answers), list(emptyRuns, 4000), 0},
		{"10,000 cases of one recording of 350 KiB", casesOn(10_000, selects), list(usual, 104), 500 << 20},
		{"3 cases of 500,000 empty runs", casesOn(3, selects+allGates), list(emptyRuns, 500_000), 0},
		{"500,000 errors", casesOn(3, selects+"  allow_run_errors: 499999\n"), list(`{"error":"`+strings.Repeat("x", 200)+`"},`, 500_000), 0},
		{"one long error", casesOn(3, selects), list(`{"error":"`+strings.Repeat("x", 200<<20)+`"},`, 1), 0},
		{"one long answer", casesOn(3, answers), list(`{"tool_calls":[],"final_response":"`+strings.Repeat("x", 255<<20)+`"},`, 1), 0},
		{"200,000 answers", casesOn(3, answers), list(`{"tool_calls":[],"final_response":"`+strings.Repeat("x", 1000)+`"},`, 200_000), 0},
		{"200,000 calls, each with other names of arguments", casesOn(3, searches), calls(200_000, `{"name":"a","args":{"`+strings.Repeat("x", 240)+`@":1,"`+strings.Repeat("y", 240)+`@":1,"z@":1}}`), 200 << 20},
		{"600,000 calls with results", casesOn(2, allGates), calls(600_000, `{"name":"a","args":{"x":@},"result":"result @ of the call, as a server answers it"}`), 0},
		{"300,000 runs of two calls", casesOn(2, allGates), list(`{"tool_calls":[{"name":"a","args":{"x":1}},{"name":"b","args":{"x":1},"is_error":true}]},`, 300_000), 0},
		{"30,000 tools", casesOn(10, allGates), calls(30_000, `{"name":"tool@","is_error":true}`), 0},
		{"30,000 long names", casesOn(5, allGates), calls(30_000, `{"name":"`+strings.Repeat("x", 990)+`@","is_error":true}`), 0},
		{"servers of one tool in many classes", casesOn(3, "  equal_function_sets: {classes: ["+classes.String()+"]}\n"), calls(30_000, `{"name":"n","server":"s@"}`), 0},
		{"classes and runs", casesOn(2, "  equal_function_sets: {classes: ["+classes.String()+"]}\n"), list(emptyRuns, 20_000), 0},
		{"1,000,000 turns", casesOn(3, allGates), func(put func(string, int)) {
			put(`[{"tool_calls":[],"conversation":{"turns":[`, 1)
			put(`{"role":"assistant","tokens":1},`, 999_999)
			put(`{}]}}]`, 1)
		}, 0},
		{"1,000,000 delegations", casesOn(3, allGates), func(put func(string, int)) {
			put(`[{"tool_calls":[],"delegations":[`, 1)
			put(`{},`, 999_999)
			put(`{}]}]`, 1)
		}, 0},
		{"a recorded catalog of 32 MiB", casesOn(3, allGates), func(put func(string, int)) {
			put(`{"cassette":1,"catalog":{"s":{"tools":[`, 1)
			numbered(put, 99_000, `{"name":"tool_@","description":"`+strings.Repeat("weather ", 36)+`"}`)
			put(`]}},"runs":[{"tool_calls":[]}]}`, 1)
		}, 0},
	}
}

// TestHostileMemory pins that a check of the worst of each kind takes at most 1 GiB and a minute, reports of all its runs included.
// Memory is the largest that the process had by the account of the system.
func TestHostileMemory(t *testing.T) {
	if os.Getenv("MCP_GATES_HOSTILE") == "" {
		t.Skip("MCP_GATES_HOSTILE is not set: the checks take minutes")
	}
	program := filepath.Join(t.TempDir(), "mcp-gates")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/check").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, h := range hostileEvidence() {
		t.Run(h.name, func(t *testing.T) {
			dir := t.TempDir()
			writeHostile(t, filepath.Join(dir, "mcp-gates.yml"), func(put func(string, int)) { put(h.suite, 1) })
			writeHostile(t, filepath.Join(dir, "c.json"), h.cassette)
			holdsBounds(t, program, dir, h.most)
			checkMistake(t, dir, "")
		})
	}
	for _, h := range hostiles(true) {
		t.Run("suite of "+h.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, file := range h.fsys {
				writeHostile(t, filepath.Join(dir, name), func(put func(string, int)) { put(string(file.Data), 1) })
			}
			holdsBounds(t, program, dir, 0)
			checkMistake(t, dir, h.want)
		})
	}
}

// checkMistake has the report of a workspace name a mistake, or none where it is empty.
func checkMistake(t *testing.T, dir, want string) {
	t.Helper()
	out, err := os.ReadFile(filepath.Join(dir, "out.txt"))
	if err != nil || want == "" && strings.Contains(string(out), "in the input") || !strings.Contains(string(out), want) {
		t.Errorf("%v: got\n%.500s\nwant the mistake %q, or none where that is empty", err, out, want)
	}
}

func writeHostile(t *testing.T, path string, write func(put func(string, int))) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	var text []byte
	write(func(s string, times int) {
		for range times {
			if text = append(text, s...); len(text) > 1<<20 {
				file.Write(text) // and Close says whether that went well
				text = text[:0]
			}
		}
	})
	_, err = file.Write(text)
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
}

// holdsBounds checks a workspace in a process of its own. A process begins with the figure of the one that starts it, so that a small
// one starts it: TestHostileStarter.
func holdsBounds(t *testing.T, program, dir string, most int64) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestHostileStarter$")
	cmd.Env = append(os.Environ(), hostileProgram+"="+program, hostileWorkspace+"="+dir)
	out, err := cmd.CombinedOutput()
	var peak, took int64
	if _, bad := fmt.Sscanf(string(out), "peak %d took %d", &peak, &took); bad != nil || err != nil {
		t.Fatalf("%v, %v in %q", err, bad, out)
	}
	if most == 0 {
		most = mostMemory
	}
	t.Logf("%d MiB, %d ms of processor", peak>>10, took)
	if peak<<10 > most {
		t.Errorf("took %d MiB, want at most %d", peak>>10, most>>20)
	}
	if time.Duration(took)*time.Millisecond > mostTime {
		t.Errorf("took %d ms of processor, want at most %s", took, mostTime)
	}
}

// The variables by which holdsBounds says what TestHostileStarter starts.
const (
	hostileProgram   = "MCP_GATES_TEST_HOSTILE_PROGRAM"
	hostileWorkspace = "MCP_GATES_TEST_HOSTILE_WORKSPACE"
)

// TestHostileStarter is the process that starts a check for holdsBounds.
func TestHostileStarter(t *testing.T) {
	program := os.Getenv(hostileProgram)
	if program == "" {
		t.Skip("holdsBounds has not started this test")
	}
	cmd := exec.Command(program, "run", "--jobs", "2", "--format", "text=out.txt", "--format", "json=out.json", "--format", "html=out.html")
	cmd.Dir = os.Getenv(hostileWorkspace)
	var exit *exec.ExitError
	if out, err := cmd.CombinedOutput(); !errors.As(err, &exit) && err != nil || exit != nil && !exit.Exited() {
		t.Fatalf("%v\n%s", err, out)
	}
	var children syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &children); err != nil {
		t.Fatal(err)
	}
	took := time.Duration(children.Utime.Nano() + children.Stime.Nano())
	fmt.Printf("peak %d took %d\n", children.Maxrss, took.Milliseconds())
}
