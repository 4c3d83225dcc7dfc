package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/org/mcp-gates/internal/trace"
)

// killedServer offers one tool. The start with number n waits for its end where there is a file start-n, list-n or call-n, at that
// moment, and breaks where there is a file break-n.
const killedServer = `
n=$(( $(cat starts 2>/dev/null || echo 0) + 1 ))
echo $n > starts
at() { if [ -e "$1-$n" ]; then : > reached; cat > /dev/null; exit 0; fi; }
answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$1" "$2"; }
at start
read -r line; answer 1 '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"killed","version":"1"}}'
read -r line
at list
read -r line; answer 2 '{"tools":[{"name":"work","description":"Does the work.","inputSchema":{"type":"object"}}]}'
read -r line
at call
[ -e break-$n ] && exit 4
answer 3 "{\"content\":[{\"type\":\"text\",\"text\":\"$(head -c 2000 /dev/zero | tr '\0' x) $n\"}]}"
cat > /dev/null
`

const killedSuite = `
servers:
  killed: { command: [sh, server.sh], OWN_ENV }
pricing: { stand-in-1: { input: 200, output: 200 } }
defaults: { server: killed, prompt: Work., runs: 5, tool_selection: { expected_tool: work, min_selection_rate: 1 } }
agents:
  - { name: works, AGENT }
`

const (
	killedCassette = "cassettes/mcp-gates/works.json"
	killedPart     = killedCassette + trace.PartialSuffix
	killedRuns     = 5
)

// killedTest is a recording of five runs, one after the other, that is ended before it is whole.
type killedTest struct {
	*liveTest
	provider *provider // nil for a script
}

func newKilledTest(t *testing.T, steps ...providerStep) *killedTest {
	t.Helper()
	k, agent := &killedTest{}, `model: "builtin:script", script: script.json`
	if len(steps) > 0 {
		k.provider = startProvider(t, steps...)
		agent = "model: stand-in-1, max_output_tokens: 10, base_url: " + k.provider.URL + "/v1"
	}
	k.liveTest = newLiveTest(t, map[string]string{
		"mcp-gates.yml": strings.Replace(killedSuite, "AGENT", agent, 1), "server.sh": killedServer,
		"script.json": `{"tool_calls": [{"name": "work", "args": {}}]}`,
	})
	return k
}

// record records without a process of its own.
func (k *killedTest) record(t *testing.T, args ...string) liveResult {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args = append([]string{"run", "--workspace", k.dir, "--record", "--jobs=1"}, args...)
	status := run(args, os.Getenv, strings.NewReader(""), &stdout, &stderr)
	return liveResult{status: status, stdout: stdout.String(), stderr: stderr.String()}
}

// starts returns how often the server was started.
func (k *killedTest) starts() int {
	n, _ := strconv.Atoi(strings.TrimSpace(k.read("starts")))
	return n
}

// wantsKept requires that so many runs of each kind are kept, and that nobody takes them for a recording or begins again.
func (k *killedTest) wantsKept(t *testing.T, finished, broken int) {
	t.Helper()
	before := k.read(killedPart)
	got := []int{0, 0}
	if before != "" {
		p, errs := trace.ReadPartial(os.DirFS(k.dir), killedPart)
		if len(errs) > 0 {
			t.Fatalf("what is kept cannot be read: %v", errs.Err())
		}
		for i := range p.Runs {
			if p.Runs[i].Error != "" {
				got[1]++
			} else {
				got[0]++
			}
		}
	}
	if got[0] != finished || got[1] != broken {
		t.Fatalf("%d finished runs and %d that broke are kept, want %d and %d:\n%.3000s", got[0], got[1], finished, broken, before)
	}
	if k.read(killedCassette) != "" {
		t.Fatal("there is a recording, although runs are missing")
	}
	if before == "" {
		k.replay(t).wants(t, 2, `no cassette at "`+killedCassette+`"; `)
		return
	}
	k.replay(t).wants(t, 2, "only a part of it in \""+killedPart+"\"; \"mcp-gates run --record --resume\" makes the missing runs")
	starts := k.starts()
	k.record(t).wants(t, 2, `"`+killedPart+`" keeps runs of a recording that is not whole: "mcp-gates run --record --resume" makes the missing ones`)
	if k.read(killedPart) != before || k.starts() != starts {
		t.Error("it began again")
	}
}

// wantsRest has the missing runs made, and requires that nothing else was, and that the recording is whole.
func (k *killedTest) wantsRest(t *testing.T, missing int) {
	t.Helper()
	starts := k.starts()
	r := k.record(t, "--resume")
	r.wants(t, 0, "[PASS] works: selection 5/5 (100%)")
	if made := k.starts() - starts; made != missing {
		t.Errorf("%d runs were made, want the %d that are missing", made, missing)
	}
	k.wantsWhole(t)
	k.replay(t).wants(t, 0, "[PASS] works: selection 5/5 (100%)")
}

func (k *killedTest) wantsWhole(t *testing.T) {
	t.Helper()
	if k.read(killedPart) != "" {
		t.Error("the part is there beside the recording")
	}
	k.wantsClean(t)
}

// wantsClean requires that no file is left that was to become another.
func (k *killedTest) wantsClean(t *testing.T) {
	t.Helper()
	left, _ := filepath.Glob(filepath.Join(k.dir, "cassettes/mcp-gates/.*"))
	if len(left) > 0 {
		t.Errorf("files are left: %q", left)
	}
}

// TestLiveKilled ends recordings at twenty moments: each run that finished is kept, only the missing ones are made, and nobody takes a
// part for the whole or begins again.
func TestLiveKilled(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		moment string // of which start of the server
		signal syscall.Signal
	}{
		{"start-1", syscall.SIGINT}, {"call-2", syscall.SIGINT}, {"list-4", syscall.SIGINT}, {"call-5", syscall.SIGINT},
		{"call-3", syscall.SIGTERM}, {"start-5", syscall.SIGTERM},
		{"call-1", syscall.SIGKILL}, {"start-2", syscall.SIGKILL}, {"list-3", syscall.SIGKILL}, {"call-4", syscall.SIGKILL}, {"call-5", syscall.SIGKILL},
	} {
		t.Run(test.signal.String()+" at "+test.moment, func(t *testing.T) {
			t.Parallel()
			k := newKilledTest(t)
			k.write(t, test.moment, "")
			cmd := k.command(t, "run", "--record", "--jobs=1")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			k.waitFor(t, "reached")
			if err := cmd.Process.Signal(test.signal); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			_, number, _ := strings.Cut(test.moment, "-")
			n, err := strconv.Atoi(number)
			if err != nil {
				t.Fatal(err)
			}
			k.wantsKept(t, n-1, 0)
			k.wantsRest(t, killedRuns-n+1)
		})
	}
}

// TestLiveKilledByBudget ends recordings at three moments by the money that is left.
func TestLiveKilledByBudget(t *testing.T) {
	t.Parallel()
	for cents := 1; cents <= 3; cents++ {
		t.Run(fmt.Sprintf("%d cents", cents), func(t *testing.T) {
			t.Parallel()
			k := newKilledTest(t, providerStep{call: "work {}", stop: "length"}) // a run takes one reply
			k.record(t, "--budget", strconv.Itoa(cents)).wants(t, 2, `the runs that ended are kept in "`+killedPart+`", and "mcp-gates run --record --resume" makes the missing ones`)
			if asked := int(k.provider.asked.Load()); asked != cents {
				t.Fatalf("the provider was asked %d times, want %d: a reply costs 1.1 cents", asked, cents)
			}
			k.wantsKept(t, cents, 0)
			k.wantsRest(t, killedRuns-cents)
		})
	}
}

// TestLiveKilledByProvider ends recordings at three moments by a provider that answers no more. Its runs break, and stay counted.
func TestLiveKilledByProvider(t *testing.T) {
	t.Parallel()
	for finished := 1; finished <= 3; finished++ {
		t.Run(fmt.Sprintf("after %d runs", finished), func(t *testing.T) {
			t.Parallel()
			var steps []providerStep
			for range finished {
				steps = append(steps, providerStep{call: "work {}"}, providerStep{text: "Done."})
			}
			broken := killedRuns - finished
			for range broken {
				steps = append(steps, providerStep{status: 403})
			}
			for range broken {
				steps = append(steps, providerStep{call: "work {}"}, providerStep{text: "Done."})
			}
			k := newKilledTest(t, steps...)
			tolerates := fmt.Sprintf(`"allow_run_errors: %d" tolerates them`, broken)
			k.record(t).wants(t, 3, fmt.Sprintf("%d of 5 runs did not finish", broken), "makes "+strconv.Itoa(broken)+" more; those that broke stay counted", tolerates)
			k.wantsKept(t, finished, broken)
			for range 2 { // however often
				k.record(t, "--resume").wants(t, 3, fmt.Sprintf("%d of %d runs did not finish", broken, killedRuns+broken))
				k.wantsKept(t, killedRuns, broken)
			}
			k.write(t, "mcp-gates.yml", strings.Replace(k.read("mcp-gates.yml"), "runs: 5", fmt.Sprintf("runs: 5, allow_run_errors: %d", broken), 1))
			starts := k.starts()
			line := fmt.Sprintf("[PASS] works: selection 5/5 (100%%), pass^1 100%%, tokens 110 median / 110 max (%d of %d runs broke)\n", broken, killedRuns+broken)
			k.record(t, "--resume").wants(t, 0, line)
			if k.starts() != starts {
				t.Error("runs were made although none was missing")
			}
			k.wantsWhole(t)
			k.replay(t).wants(t, 0, line)
		})
	}
}

// TestLiveKilledByDisk ends recordings at three moments by a disk that is full: of a file system of so many kilobytes where it can
// be mounted, and of files of so many otherwise.
func TestLiveKilledByDisk(t *testing.T) {
	t.Parallel()
	for _, size := range []int{4, 8, 16} {
		t.Run(fmt.Sprintf("%d KiB", size), func(t *testing.T) {
			t.Parallel()
			k := newKilledTest(t)
			disk := filepath.Join(k.dir, "cassettes")
			if err := os.Mkdir(disk, 0o777); err != nil {
				t.Fatal(err)
			}
			err := syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%dk", size))
			if err == nil {
				// A process that another test starts can hold a file of the disk until its program is loaded.
				t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
				k.wantsFull(t, k.record(t))
				if err := syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=1m"); err != nil {
					t.Fatal(err)
				}
			} else {
				k.wantsFull(t, k.limited(t, size))
			}
			p, errs := trace.ReadPartial(os.DirFS(k.dir), killedPart)
			if len(errs) > 0 || len(p.Runs) == 0 {
				t.Fatalf("no run is kept: %v", errs.Err())
			}
			if size > 4 && len(p.Runs) == 1 {
				t.Error("only one run is kept, although there is room for more")
			}
			k.wantsKept(t, len(p.Runs), 0)
			k.wantsRest(t, killedRuns-len(p.Runs))
		})
	}
}

// wantsFull requires that a recording failed for want of room, and that nothing of it is there.
func (k *killedTest) wantsFull(t *testing.T, r liveResult) {
	t.Helper()
	r.wants(t, 3, `write cassette "`+killedCassette+`": `, killedPart)
	k.wantsClean(t)
}

// limited records in a process that can write no file of more than so many kilobytes.
func (k *killedTest) limited(t *testing.T, kilobytes int) liveResult {
	t.Helper()
	blocks := min(2*kilobytes, 20) // of 512 bytes; all runs take 26
	cmd := k.command(t)
	cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-c", fmt.Sprintf("ulimit -f %d; exec mcp-gates run --record --jobs=1", blocks)}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err == nil {
		t.Fatal("the disk is not full")
	}
	return liveResult{status: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}
}
