package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
)

// TestInitWorkflow holds that init writes the workflow of the examples, but for its first comment.
func TestInitWorkflow(t *testing.T) {
	example, err := os.ReadFile("../../examples/workflows/pull-request.yml")
	if err != nil {
		t.Fatal(err)
	}
	const begin = "name: mcp-gates\n"
	_, want, _ := strings.Cut(string(example), begin)
	_, got, found := strings.Cut(workflow, begin)
	if !found || got != want {
		t.Errorf("internal/cli/init_workflow.yml is not examples/workflows/pull-request.yml:\n%s", diff.Diff("want", []byte(want), "got", []byte(got)))
	}
}

// TestInitSnapshotJob holds that the second job of init is that of the examples, but for its comment.
func TestInitSnapshotJob(t *testing.T) {
	example, err := os.ReadFile("../../examples/workflows/snapshot.yml")
	if err != nil {
		t.Fatal(err)
	}
	const begin = "\n  snapshot:\n"
	_, want, _ := strings.Cut(string(example), begin)
	_, got, found := strings.Cut(snapshotJob, begin)
	if !found || got != want {
		t.Errorf("internal/cli/init_snapshot_job.yml is not the job of examples/workflows/snapshot.yml:\n%s", diff.Diff("want", []byte(want), "got", []byte(got)))
	}
	for _, part := range []string{installLine, workdir, checkLine} {
		if strings.Count(snapshotJob, part) != 1 {
			t.Errorf("the job has %q %d times, want it once", part, strings.Count(snapshotJob, part))
		}
	}
}
