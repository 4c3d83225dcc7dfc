package cli

import (
	"slices"
	"strings"
	"testing"
)

// TestFindPage holds what docs/find.md shows of its first commands to what they print.
func TestFindPage(t *testing.T) {
	t.Parallel()
	page := read(t, "docs/find.md")
	var shown []string
	for _, args := range commandsIn(page) {
		if last := len(args) - 1; strings.HasPrefix(args[last], "desk=") {
			args[last] = strings.Replace(args[last], "=", "="+repository+"/", 1)
			shown = append(shown, args[0])
			var stdout, stderr strings.Builder
			status := run(args, noEnvironment, strings.NewReader(""), &stdout, &stderr)
			if status != 0 || !strings.Contains(page, "```text\n"+stdout.String()+"```\n") {
				t.Errorf("%q: exit status %d, and docs/find.md does not show this output:\n%s%s", args, status, stdout.String(), stderr.String())
			}
		}
	}
	if want := []string{"find", "cost"}; !slices.Equal(shown, want) {
		t.Errorf("commands %q, want %q", shown, want)
	}
}
