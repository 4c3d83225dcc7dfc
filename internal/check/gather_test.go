package check

import (
	"context"
	"reflect"
	"testing"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
)

// TestEvidenceStaysAsGathered pins that neither the comparison with the tools of today nor the gates change what was gathered, by a
// case that is refused and one that is judged: another case, or the base's suite, is judged by the same evidence.
func TestEvidenceStaysAsGathered(t *testing.T) {
	files := workspace("mcp-gates.yml", deskSuite,
		"desk.json", `{"tools": [`+deskGet+`, `+deskClose+`]}`,
		"c.json", `{"cassette": 1, "catalog": {"desk": {"tools": [`+deskSearch+`, `+deskGet+`]}}, "runs": [{"tool_calls": [{"server": "desk", "name": "search"}]}]}`,
		"other.json", `{"cassette": 1, "catalog": {"desk": {"tools": [`+deskGet+`]}}, "runs": [{"tool_calls": [{"server": "desk", "name": "get_ticket"}]}]}`)
	c := newChecker(context.Background(), files, Options{FailOnStale: suite.StaleFail})
	r := &report.Report{}
	selected := c.choose(c.load(r), r)
	refused := 0
	for _, s := range selected {
		e, again := c.gather(s), c.gather(s)
		a := c.assess(s, e)
		refused += len(a.refused)
		c.judge(s, a)
		if !reflect.DeepEqual(e, again) {
			t.Errorf("%s: the evidence is %+v, and was gathered as %+v", s.Name, e, again)
		}
	}
	if len(selected) != 2 || refused == 0 {
		t.Errorf("%d cases, %d reasons to refuse evidence, want 2 and some: %v", len(selected), refused, r.Problems)
	}
}
