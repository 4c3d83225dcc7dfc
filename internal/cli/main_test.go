package cli

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/org/mcp-gates/internal/thorough"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what the scripts compare with anew")

// raceOptions keep the race detector from sleeping for a second before a program ends, in which races may yet come. Those that came
// are reported and fail the program all the same.
const raceOptions = "GORACE=atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	stampedCommit, stampedRelease = strings.Repeat("0123456789", 4), "v"+version // what is printed does not depend on the checkout
	if thorough.Raced && os.Getenv("GORACE") == "" {
		startAgain()
	}
	// Most tests wait for servers and models that take their time, and not for a processor. -parallel overrides it.
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	testscript.Main(tests{m}, map[string]func(){"mcp-gates": Main, "test-agent": testAgent, workerName: work})
}

// tests are run by a process that collects less often than the program does: they leave more behind, and none of it is large.
type tests struct{ *testing.M }

func (t tests) Run() int {
	debug.SetGCPercent(400)
	return t.M.Run()
}

// startAgain starts this program again with the options of the race detector, which reads them when a program starts. Servers need
// it, because they get no variable that their suite does not name. Where a program cannot be replaced, it goes on, and sleeps.
func startAgain() {
	if program, err := os.Executable(); err == nil {
		_ = syscall.Exec(program, os.Args, append(os.Environ(), raceOptions))
	}
}

func TestScripts(t *testing.T) {
	t.Parallel()
	t.Cleanup(func() {
		if t.Failed() {
			t.Log("where the output of a script is right: go test ./internal/cli -run TestScripts/NAME -update")
		}
	})
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setUp,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": newWorkers(t).exits},
	})
}

// sameGoroutines are scripts that take long with the race detector, mostly because servers start. They start the same goroutines as
// other scripts, which run with it: live, agent, agent_session, faults and affected.
var sameGoroutines = []string{"agent_base", "agent_faults", "gates_from_base_live", "init", "init_snapshot_job", "live_deferred",
	"live_deferred_others", "live_nothing", "live_partial", "live_resume", "live_stale", "run_snapshots", "snapshot"}

// setUp gives a script what makes its programs quick. Git copies no samples into repositories, and tidies none up after a commit;
// mcp-gates passes these variables to no git that it starts.
func setUp(env *testscript.Env) error {
	name := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")
	if slices.Contains(sameGoroutines, name) {
		thorough.Unraced(env.T().(testing.TB), "other scripts start the same goroutines")
	}
	env.Vars = append(env.Vars, raceOptions, "GIT_TEMPLATE_DIR=",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=maintenance.auto", "GIT_CONFIG_VALUE_0=false")
	return nil
}

// exits runs a program and requires its exit status: exits STATUS PROGRAM ARGUMENT...
func (all *workers) exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM ARGUMENT...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if program, args := args[1], args[2:]; all.can(ts, program, args) {
		got = all.exec(ts, args)
	} else {
		got = execStatus(ts, program, args)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// execStatus runs a program in a process of its own, and returns its exit status.
func execStatus(ts *testscript.TestScript, program string, args []string) int {
	var exit *exec.ExitError
	switch err := ts.Exec(program, args...); {
	case errors.As(err, &exit):
		return exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	return 0
}

// commandSpan is a command line of this program in documentation.
var commandSpan = regexp.MustCompile("`mcp-gates ([^`]+)`")

// TestMcptestDocs pins that the commands and flags that docs/mcptest.md names exist.
func TestMcptestDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/mcptest.md")
	if err != nil {
		t.Fatal(err)
	}
	spans := commandSpan.FindAllStringSubmatch(string(text), -1)
	if len(spans) < 15 {
		t.Fatalf("found %d command lines, want 15 at least", len(spans))
	}
	for _, span := range spans {
		root := (&program{getenv: func(string) string { return "" }}).rootCommand()
		cmd, args, err := root.Find(strings.Fields(span[1]))
		if err != nil || cmd == root {
			t.Errorf("%s: no such command: %v", span[0], err)
			continue
		}
		for _, arg := range args {
			name, isFlag := strings.CutPrefix(arg, "--")
			name, _, _ = strings.Cut(name, "=")
			if isFlag && name != "" && cmd.Flags().Lookup(name) == nil {
				t.Errorf("%s: %q has no flag --%s", span[0], cmd.CommandPath(), name)
			}
		}
	}
}

func TestColorsNeedATerminal(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	p := &program{getenv: func(string) string { return "" }}
	if p.colors(file) {
		t.Error("colours would be written to a file")
	}
}
