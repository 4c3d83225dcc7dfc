package annotation

import (
	"testing"

	"github.com/org/mcp-gates/internal/report"
)

// TestNamesThatHoldSeparators pins that findings of other tools have other fingerprints, and are new, whatever is in a name.
func TestNamesThatHoldSeparators(t *testing.T) {
	reportOf := func(tool, argument string) *report.Report {
		f := report.Finding{Rule: "DESC-001", Severity: "critical", Server: "s", Tool: tool, Argument: report.Optional(argument), Path: "w.json", Line: 1}
		return &report.Report{Catalogs: []report.Catalog{{Path: "w.json", Findings: []report.Finding{f}}}}
	}
	for _, test := range []struct{ tool, argument, otherTool, otherArgument string }{
		{"a\x00b", "c", "a", "b\x00c"},
		{"a\x010b", "c", "a\x00b", "c"},
		{"a\x01", "0c", "a", "\x00c"},
	} {
		base, head := reportOf(test.tool, test.argument), reportOf(test.otherTool, test.otherArgument)
		was, is := Of(base, Options{}), Of(head, Options{})
		if Fingerprints(was[:1])[0] == Fingerprints(is[:1])[0] {
			t.Errorf("%q: two findings have one fingerprint", test)
		}
		if fresh := Of(head, Options{Base: base}); len(fresh) == 0 || fresh[0].Tool != is[0].Tool || fresh[0].Key != is[0].Key {
			t.Errorf("%q: the finding is not new: %v", test, fresh)
		}
	}
}
