package compare_test

import (
	"flag"
	"testing"

	"github.com/org/mcp-gates/internal/check/checktest"
)

var _ = flag.Bool("update", false, "rewrite the wanted reports of the examples")

// TestExamples pins the comparisons of pull requests in archives.
func TestExamples(t *testing.T) { checktest.Run(t) }
