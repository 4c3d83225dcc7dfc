package e2e

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/org/mcp-gates/e2e/github"
	"github.com/org/mcp-gates/e2e/runner"
)

// program is the path of the binary, built as it is shipped.
var program string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	if role := os.Getenv(actAs); role != "" {
		act(role)
		return 0
	}
	dir, err := os.MkdirTemp("", "mcp-gates")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "mcp-gates")
	// Shards of an unknown build do not merge.
	const stamp = "-X github.com/org/mcp-gates/internal/cli.stampedCommit=0123456789012345678901234567890123456789"
	build := exec.Command("go", "build", "-C", "..", "-trimpath", "-ldflags", stamp, "-o", program, "./cmd/check")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "build the program:", err)
		return 1
	}
	return m.Run()
}

var (
	action     = sync.OnceValues(func() (*runner.Action, error) { return runner.ReadAction("../action.yml") })
	dotCom     = sync.OnceValues(func() (*github.Contract, error) { return github.LoadContract("openapi", github.DotCom) })
	enterprise = sync.OnceValues(func() (*github.Contract, error) { return github.LoadContract("openapi", github.Enterprise) })
)

// contract returns GitHub's description, without which the test is skipped.
func contract(t *testing.T, load func() (*github.Contract, error)) *github.Contract {
	t.Helper()
	c, err := load()
	if errors.Is(err, github.ErrNoContract) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}
