package gates

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// qualityPlan configures tool_quality as the YAML says.
func qualityPlan(t *testing.T, yaml string, snapshot []*catalog.Tool) judge.Plan {
	t.Helper()
	var errs source.Errors
	plan := ToolQuality.Configure(yamlread.Parse("s.yml", []byte(yaml), &errs), judge.Context{Snapshot: snapshot})
	if len(errs) > 0 {
		t.Fatalf("%s: %v", yaml, errs.Err())
	}
	return plan
}

// FuzzToolQuality requires that figures are in range, that counts agree with one another, and that the order of the tools
// changes none of them.
func FuzzToolQuality(f *testing.F) {
	f.Add("get", "Fetch it. Returns a list.", `{"type": "object", "properties": {"a": {}}}`, "true")
	f.Add("", "above", `{"required": ["x"]}`, `{"readOnlyHint": 1}`)
	f.Fuzz(func(t *testing.T, name, description, schema, annotations string) {
		tools := []*catalog.Tool{
			{Name: name, Description: description, InputSchema: []byte(schema), Annotations: []byte(annotations)},
			{Name: description, Description: name},
			{Name: "other", Description: "Lists others.", InputSchema: []byte(schema)},
		}
		plan := qualityPlan(t, "name: x", nil)
		tokens := []int64{5, 9, 1}
		m := plan.Measure(&trace.Trace{Catalog: &catalog.Catalog{Tools: tools}, ToolTokens: tokens, Surface: trace.Known(15)})
		smells := 0
		for _, smell := range lint.Smells {
			smells += int(m.Values[smellPrefix+smell].Rat.Num().Int64())
		}
		if total := m.Values[smellTotalTarget]; total.Cmp(judge.Int(smells, judge.Number)) != 0 {
			t.Errorf("smell_total %s, want %d", total.Format(), smells)
		}
		if found := m.Counts["critical"] + m.Counts["warning"]; found != smells {
			t.Errorf("%d DESC findings, want %d as the smells have it", found, smells)
		}
		low, mean := m.Values[minScoreTarget].Rat, m.Values[meanScoreTarget].Rat
		if low.Sign() < 0 || low.Cmp(mean) > 0 || mean.Cmp(big.NewRat(1, 1)) > 0 {
			t.Errorf("scores %s lowest, %s mean, want 0 <= lowest <= mean <= 1", low, mean)
		}
		slices.Reverse(tools)
		slices.Reverse(tokens)
		again := plan.Measure(&trace.Trace{Catalog: &catalog.Catalog{Tools: tools}, ToolTokens: tokens, Surface: trace.Known(15)})
		if diff := cmp.Diff(printed(m), printed(again)); diff != "" {
			t.Errorf("the order of the tools changes figures (-before +after):\n%s", diff)
		}
	})
}

func printed(m judge.Measurement) map[string]string {
	figures := map[string]string{}
	for target, v := range m.Values {
		figures[target] = v.Format()
	}
	return figures
}

// TestRulesUses pins which entries of ignore: are of use: for a catalog that is not known the best is assumed.
func TestRulesUses(t *testing.T) {
	const yaml = `
rules:
  ignore:
    - {rule: DESC-001, tool: bare, reason: r}
    - {rule: DESC-002, tool: bare, reason: r}
    - {rule: DESC-001, tool: gone, reason: r}
`
	describe := func(uses []IgnoreUse) (lines []string) {
		for _, u := range uses {
			lines = append(lines, fmt.Sprintf("%s %s at %s known %v used %v", u.Rule, u.Tool, u.Pos, u.KnownTool, u.Used))
		}
		return lines
	}
	got := describe(usesOf(qualityPlan(t, yaml, []*catalog.Tool{{Name: "bare"}})))
	want := []string{
		"DESC-001 bare at s.yml:4:30 known true used true",
		"DESC-002 bare at s.yml:5:30 known true used false",
		"DESC-001 gone at s.yml:6:30 known false used false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("uses (-want +got):\n%s", diff)
	}
	one := qualityPlan(t, "rules: {ignore: [{rule: DESC-001, tool: bare, reason: r}]}", []*catalog.Tool{{Name: "bare"}})
	if got := describe(usesOf(one)); !slices.Equal(got, []string{"DESC-001 bare at s.yml:1:41 known true used true"}) {
		t.Errorf("one entry: %q", got)
	}
	if got := one.Measurer.(judge.Mentioner).Mentions(); !slices.Equal(got, []string{"bare"}) {
		t.Errorf("one entry mentions %q, want its tool", got)
	}
	if rules, _ := one.Measurer.(Ruler).Rules(); rules.Pos.String() != "s.yml:1:1" {
		t.Errorf("the rules are at %s, want the place of their key", rules.Pos)
	}
	for _, use := range usesOf(qualityPlan(t, yaml, nil)) {
		if !use.KnownTool || !use.Used {
			t.Errorf("without a catalog: %+v, want it known and used", use)
		}
	}
}

// TestToolFigureWithoutOrder pins that a figure of one tool is the same in whatever order the tools stand, also where two
// share a name.
func TestToolFigureWithoutOrder(t *testing.T) {
	plan := qualityPlan(t, `{name: x, expect: ['tool["a"].score': {">=": 0.5}, 'tool["b"].score': {">=": 0.5}, 'tool["b"].tokens': {"<=": 5}]}`, nil)
	tools := []*catalog.Tool{
		{Server: "one", Name: "a", Description: "Lists others."}, {Server: "two", Name: "a"},
		{Server: "one", Name: "b"}, {Server: "one", Name: "b", Description: "Lists others."},
	}
	tokens := []int64{1, 2, 3, 4}
	one := plan.Measure(&trace.Trace{Catalog: &catalog.Catalog{Tools: tools}, ToolTokens: tokens})
	if got := one.Detail[`tool["b"].score`]; got != "" {
		t.Errorf("a tool without a place: %q, want no text", got)
	}
	slices.Reverse(tools)
	slices.Reverse(tokens)
	other := plan.Measure(&trace.Trace{Catalog: &catalog.Catalog{Tools: tools}, ToolTokens: tokens})
	if diff := cmp.Diff(printed(one), printed(other)); diff != "" {
		t.Errorf("figures differ when the tools are reversed:\n%s", diff)
	}
	if diff := cmp.Diff(one.Absent, other.Absent); diff != "" {
		t.Errorf("what is absent differs when the tools are reversed:\n%s", diff)
	}
}

// usesOf returns of what use the entries of ignore: are.
func usesOf(plan judge.Plan) []IgnoreUse {
	_, uses := plan.Measurer.(Ruler).Rules()
	return uses
}
