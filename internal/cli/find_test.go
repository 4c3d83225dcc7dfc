package cli

import (
	"strings"
	"testing"
)

// TestFindPage holds what docs/find.md shows of its first command to what it prints.
func TestFindPage(t *testing.T) {
	t.Parallel()
	page := read(t, "docs/find.md")
	args := commandsIn(page)[0]
	args[2] = strings.Replace(args[2], "=", "="+repository+"/", 1)
	var stdout, stderr strings.Builder
	status := run(args, noEnvironment, strings.NewReader(""), &stdout, &stderr)
	if status != 0 || !strings.Contains(page, "```text\n"+stdout.String()+"```\n") {
		t.Errorf("%q: exit status %d, and docs/find.md does not show this output:\n%s%s", args, status, stdout.String(), stderr.String())
	}
}
