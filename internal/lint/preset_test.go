package lint

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/lint/english"
)

// TestRecommended pins what the preset recommended is made of: the critical rules, and rules that were right at least 95 times
// of 100.
func TestRecommended(t *testing.T) {
	for _, rule := range Rules {
		if rule.Fix == "" {
			t.Errorf("%s does not say what to do once for all tools", rule.ID)
		}
		trial := rule.Trial
		if trial.Right > trial.Judged || trial.Judged > min(trial.Found, 100) || trial.Judged < min(trial.Found, 100) {
			t.Errorf("%s: %+v, want up to 100 findings judged", rule.ID, trial)
		}
		if rule.Recommended && !trial.isPrecise() {
			t.Errorf("%s is recommended, and right %d times of %d", rule.ID, trial.Right, trial.Judged)
		}
		if rule.Severity == Critical && !PresetRecommended.has(rule) {
			t.Errorf("%s is critical and not in the preset", rule.ID)
		}
	}
}

func TestPresets(t *testing.T) {
	tests := []struct {
		preset   Preset
		rule     string
		critical bool
		doubtful bool
		want     bool
	}{
		{PresetRecommended, "DESC-001", true, false, true},
		{PresetRecommended, "DESC-001", false, false, true}, // a suite made it a warning
		{PresetRecommended, "SCH-004", false, false, false},
		{PresetRecommended, "SCH-004", true, false, true}, // a suite made it critical
		{PresetRecommended, PassRule, false, false, true},
		{PresetRecommended, "DESC-007", false, false, true},
		{PresetRecommended, "DESC-007", false, true, false},
		{PresetRecommended, "DESC-007", true, true, true},
		{PresetAll, "DESC-007", false, true, true},
		{PresetAll, "SCH-004", false, false, true},
	}
	for _, test := range tests {
		if got := test.preset.Shows(test.rule, test.critical, test.doubtful); got != test.want {
			t.Errorf("%s shows %s, critical %t: %t, want %t", test.preset, test.rule, test.critical, got, test.want)
		}
	}
	for rule, want := range map[string]bool{"DESC-010": true, "SCH-004": false, "MCP-001": true, "MCP-004": true} {
		if got := Annotates(rule, false, false); got != want {
			t.Errorf("Annotates(%s) is %t, want %t", rule, got, want)
		}
	}
}

// TestFormTrials holds that the preset shows a finding of DESC-013 by its form, and that docs/rules/precision.md has the figures.
func TestFormTrials(t *testing.T) {
	page, err := os.ReadFile(precisionPage)
	if err != nil {
		t.Fatal(err)
	}
	forms := map[english.Form]string{
		english.Labelled:   "allowed values: low, high",
		english.OneOf:      "one of open, closed, or pending",
		english.Barred:     "asc|desc",
		english.QuotedList: "must be 'a' or 'b'",
		english.Either:     "either user or team",
	}
	for _, form := range english.Forms {
		text, trial := forms[form], formTrials[form]
		cat := readCatalog(t, "c.json", fmt.Sprintf(`[{"name": "t", "inputSchema": {"properties": {"v": {"type": "string", "description": %q}}}}]`, text))
		shown := "no"
		for _, f := range Check(cat).Findings {
			if f.Rule == valuesInProse.ID && PresetRecommended.Shows(f.Rule, false, f.Doubtful) {
				shown = "yes"
			}
		}
		row := fmt.Sprintf("| %s | %d/%d of %d | %s |\n", strings.ReplaceAll(text, "|", `\|`), trial.Right, trial.Judged, trial.Found, shown)
		if !strings.Contains(string(page), row) {
			t.Errorf("%s lacks the row %q", precisionPage, row)
		}
	}
}
