package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/thorough"
)

// TestOwnAgentExample runs the agents of examples/own-agent live: that in Go, which is built for it, and that in Python where the
// official SDK is installed. Their servers are this program.
func TestOwnAgentExample(t *testing.T) {
	t.Parallel()
	thorough.Only(t, "building the agent takes longer than most tests here")
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(repository, "examples/own-agent"))); err != nil {
		t.Fatal(err)
	}
	live := func(t *testing.T, suite, want string) {
		t.Helper()
		cmd := exec.Command("mcp-gates", "run", "--live", suite)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v\n%s\nwant %q", suite, err, out, want)
		}
	}
	t.Run("Go", func(t *testing.T) {
		build := exec.Command("go", "build", "-o", filepath.Join(dir, "own-agent"), ".")
		build.Dir = filepath.Join(repository, "examples/own-agent") // a module of its own
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("build the agent: %v\n%s", err, out)
		}
		live(t, "mcp-gates.yml", "files a ticket: selection 10/10 (100%)")
	})
	t.Run("Python", func(t *testing.T) {
		if out, err := exec.Command("python3", "-c", "import mcp").CombinedOutput(); err != nil {
			t.Skipf("python3 has no module mcp, so that the agent in Python is not run: %v %s", err, out)
		}
		live(t, "python.yml", "files a ticket in Python: selection 3/3 (100%)")
	})
}

// TestOwnAgentReadme holds the example's README to what a replay prints.
func TestOwnAgentReadme(t *testing.T) {
	var stdout, stderr strings.Builder
	run([]string{"run", "--workspace", repository, "examples/own-agent"}, noEnvironment, strings.NewReader(""), &stdout, &stderr)
	if readme := read(t, "examples/own-agent/README.md"); !strings.Contains(readme, "\n"+strings.TrimSpace(stdout.String())+"\n```") {
		t.Errorf("the README does not show what a replay prints, which is\n%s%s", stdout.String(), stderr.String())
	}
}
