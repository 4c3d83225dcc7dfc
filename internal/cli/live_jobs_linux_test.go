package cli

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/org/mcp-gates/internal/thorough"
)

// timings are what differs from run to run: when it was, how long it took, and hashes of files that say so.
var timings = regexp.MustCompile(`"(recorded_at|duration_ms|sha256)": ?[^,\n]*`)

// recorded returns the cassettes and reports of the test's folder, without timings.
func (l *liveTest) recorded(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(l.dir, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(l.dir, path)
		if err == nil && !entry.IsDir() && (strings.HasPrefix(name, "report") || strings.HasPrefix(name, "cassettes")) {
			files[name] = timings.ReplaceAllString(l.read(name), `"$1": -`)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// serveMock serves tools over HTTP to the end of the test, and returns the address.
func (l *liveTest) serveMock(t *testing.T, tools string) string {
	t.Helper()
	cmd := l.command(t, "mock", "--tools-from", tools, "--http", "0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	lines := bufio.NewReader(stderr)
	line, err := lines.ReadString('\n')
	_, url, ok := strings.Cut(strings.TrimSpace(line), "mock listens on ")
	if err != nil || !ok {
		t.Fatalf("the mock server says %q: %v", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return url
}

// jobsSuite has cases of some runs on two servers, one over its standard streams and one over HTTP.
func jobsSuite(url string, cases, runs int) string {
	var text strings.Builder
	fmt.Fprintf(&text, `
servers:
  weather: { command: [mcp-gates, mock, --tools-from, weather.json], OWN_ENV }
  calendar: { url: %q }
defaults: { model: "builtin:lexical", runs: %d, servers: [weather, calendar] }
agents:
`, url, runs)
	for i := range cases {
		fmt.Fprintf(&text, `
  - name: case %d
    prompt: Forecast the weather for the city "City %d". Then create a meeting in the calendar titled "Meeting %d".
    equal_function_sets: { classes: [{ name: w, members: [weather.forecast] }, { name: c, members: [calendar.create_meeting] }] }
    distractors: { count: 3, source: { from: catalog }, correct: [weather.forecast, calendar.create_meeting] }
`, i, i, i)
	}
	return text.String()
}

// However many runs go on at once, the same comes of them: 12 runs on two servers, or 16, each with sessions of its own,
// twice as many as go on at once. Each starts a process, which takes most of its time.
func TestLiveJobsAgree(t *testing.T) {
	t.Parallel()
	l := newLiveTest(t, map[string]string{
		"weather.json":  `[{"name": "forecast", "description": "Forecast the weather for a city.", "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}]`,
		"calendar.json": `[{"name": "create_meeting", "description": "Create a meeting in the calendar.", "inputSchema": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}}]`,
	})
	runs := thorough.Size(3, 4)
	l.write(t, "mcp-gates.yml", jobsSuite(l.serveMock(t, "calendar.json"), 4, runs))
	var got [2]map[string]string
	for i, jobs := range []string{"1", fmt.Sprint(2 * runs)} {
		if err := os.RemoveAll(filepath.Join(l.dir, "cassettes")); err != nil {
			t.Fatal(err)
		}
		r := l.run(t, "run", "--record", "--jobs", jobs, "--format", "json=report.json", "--format", "markdown=report.md", "--format", "text=report.txt")
		r.wants(t, 0)
		if left := l.left(); len(left) > 0 {
			t.Fatalf("with %s jobs, the program ended before its servers' processes %v", jobs, left)
		}
		t.Logf("%s jobs: %s", jobs, r.took)
		got[i] = l.recorded(t)
	}
	if n := len(got[0]); n != 7 || !strings.Contains(got[0]["report.txt"], "4 cases: 4 passed") {
		t.Errorf("got %d files, want 4 cassettes and 3 reports:\n%s", n, got[0]["report.txt"])
	}
	if !maps.Equal(got[0], got[1]) {
		t.Errorf("files of 1 job and of %d jobs:\n%s", 2*runs, diffOf("1", got[0], "many", got[1]))
	}
}
