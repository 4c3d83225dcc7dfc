package report_test

import (
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/html"
	"github.com/org/mcp-gates/internal/report/markdown"
	"github.com/org/mcp-gates/internal/report/text"
)

// costly returns a report with two catalogs, one of a server of the suite. The counts of the other are those of a hostile report.
func costly(base bool) *report.Report {
	loads := int64(1500)
	of := func(client string, upfront int64) *report.Cost {
		return &report.Cost{Tools: 2, Surface: 24000, OutputSchemas: 7, WithOutput: 1, Clients: []report.ClientCost{
			{Client: client, Version: "1", Listed: upfront - 300, SearchTool: 300, Upfront: upfront, AtLeast: true, Searches: 1, Loaded: &loads},
		}}
	}
	r := &report.Report{
		Cases: []report.Case{{ID: "s.yml::a", Suite: "s.yml", Name: "a", Verdict: judge.Pass}},
		Catalogs: []report.Catalog{
			{Name: "tickets", Path: "s.yml", Cost: of("codex", 1483)},
			{Name: "desk", Path: "desk.json", Cost: of("<b>|`::error::x\n", -5)},
		},
	}
	if base {
		r.Baseline = &report.Comparison{Costs: []report.CostMove{{Name: "tickets", Path: "s.yml", Base: *of("codex", 1400)}}}
	}
	return r
}

// TestCosts pins the rows of the table in each medium, and that the change against the base is in them.
func TestCosts(t *testing.T) {
	for _, test := range []struct {
		name  string
		write func(*strings.Builder, *report.Report) error
		base  bool
		want  []string
		not   []string
	}{
		{"markdown", func(b *strings.Builder, r *report.Report) error { return markdown.Report(b, r, markdown.Options{}) }, true, []string{
			"| `s.yml` server `tickets` | all tools in full | 24,000 | 24,000 |", "|  | `codex` | 1,400+ → 1,483+ | 0 | 1,100+ → 1,183+ | 300 | 1,500 |", "|  | output schemas | 7 |", "|  | instructions, in addition | unknown |",
			"| `desk.json` | all tools in full |",
		}, []string{"\n::error", " <b>"}},
		{"html", func(b *strings.Builder, r *report.Report) error { return html.Report(b, r, html.Options{}) }, true, []string{
			"1,400+ → 1,483+", "server <code>tickets</code>", "&lt;b&gt;|`::error::x",
		}, []string{"<b>|"}},
		{"text", func(b *strings.Builder, r *report.Report) error { return text.Report(b, r, text.Options{}) }, true, []string{
			"  cost: all tools in full: 24,000; codex: 1,400+ → 1,483+ before any search, which loads 1,500; instructions, in addition: unknown; output schemas: 7\ncatalog desk.json",
		}, nil},
		{"text without a base", func(b *strings.Builder, r *report.Report) error { return text.Report(b, r, text.Options{}) }, false, nil, []string{"cost:"}},
		{"all text without a base", func(b *strings.Builder, r *report.Report) error { return text.Report(b, r, text.Options{All: true}) }, false, []string{
			"  cost: all tools in full: 24,000; codex: 1,483+ before", `<b>|` + "`" + `::error::x\x0a: `,
		}, []string{"\n::error"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b strings.Builder
			if err := test.write(&b, costly(test.base)); err != nil {
				t.Fatal(err)
			}
			for _, want := range test.want {
				if !strings.Contains(b.String(), want) {
					t.Errorf("got\n%s\nwant %q in it", b.String(), want)
				}
			}
			for _, not := range test.not {
				if strings.Contains(b.String(), not) {
					t.Errorf("got\n%s\nwant no %q in it", b.String(), not)
				}
			}
		})
	}
}
