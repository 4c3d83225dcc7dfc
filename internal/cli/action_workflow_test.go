package cli

import (
	"strings"
	"testing"
)

// TestNewWorkflow pins that the log and the report name a workflow that the base lacks, which has then judged no commit before the
// change.
func TestNewWorkflow(t *testing.T) {
	t.Parallel()
	c := newCheckouts(t)
	c.git("checkout", "-q", "--detach", c.base)
	c.write(".github/workflows/ci.yml", "on: push\njobs:\n  gates:\n    steps:\n      - uses: org/mcp-gates@v1\n")
	c.git("add", "-A")
	c.git("commit", "-qm", "workflow")
	for baseline, want := range map[string]string{
		"auto": "  .github/workflows/ci.yml:1: workflow ci.yml is new in this change\n",
		"nope": "::warning::The workflow .github/workflows/ci.yml is new in this change\n", // with which nothing is compared
	} {
		_, log := c.act("push", c.git("rev-parse", "HEAD"), object{"before": c.base}, "INPUT_BASELINE="+baseline,
			"GITHUB_REPOSITORY=org/tools", "GITHUB_WORKFLOW_REF=org/tools/.github/workflows/ci.yml@refs/heads/main")
		if !strings.Contains(log, want) {
			t.Errorf("baseline %s: want %q in the log, got:\n%s", baseline, want, log)
		}
	}
}
