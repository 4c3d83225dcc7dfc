package basesuites_test

import (
	"flag"
	"testing"

	"github.com/org/mcp-gates/internal/check/checktest"
)

var _ = flag.Bool("update", false, "rewrite the wanted reports of the examples")

// TestExamples holds the package to those examples of checks in which the base's suites judge.
func TestExamples(t *testing.T) { checktest.RunFiles(t, "../testdata/*.txtar") }
