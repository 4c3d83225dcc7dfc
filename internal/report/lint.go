package report

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/lists"
)

// lintVersion is the version of the JSON forms of [Lint] and [LintDiff].
const lintVersion = 1

// FailLevel selects the findings that make a lint fail.
type FailLevel string

// These are the levels: critical findings, any finding, no finding.
const (
	FailCritical FailLevel = "critical"
	FailWarning  FailLevel = "warning"
	FailNever    FailLevel = "never"
)

// FailLevels lists the levels, the default first.
var FailLevels = []FailLevel{FailCritical, FailWarning, FailNever}

func (l FailLevel) failing(findings []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f Finding) bool {
		fails := f.Severity == "critical" && l != FailNever || f.Severity == "warning" && l == FailWarning
		return !fails
	})
}

// Lint has the findings of the description rules in some catalogs.
type Lint struct {
	Version   int           `json:"lint"`
	Tool      Tool          `json:"tool"`
	FailLevel FailLevel     `json:"fail_level"`
	Verdict   judge.Verdict `json:"verdict"`         // pass or fail
	Preset    lint.Preset   `json:"preset"`          // the preset whose findings are in Catalogs; counts and scores cover all rules
	Since     string        `json:"since,omitempty"` // the revision or file whose findings are left out; "" if none are
	Catalogs  []Catalog     `json:"catalogs"`
	Failing   []Finding     `json:"-"` // findings that decide the verdict, whether they are shown or not
	Hidden    []RuleCount   `json:"-"` // number of findings by rule that the preset does not show, the most frequent rule first
	Silent    int           `json:"-"` // number of tools whose findings are all hidden by the preset
}

// RuleCount is the number of findings of a rule.
type RuleCount struct {
	Rule     string
	Findings int
	Doubtful bool // the rule is in the preset, but these findings are doubtful
}

// NewLint returns the findings of catalogs with their verdict.
func NewLint(tool Tool, level FailLevel, catalogs []Catalog) *Lint {
	l := &Lint{Version: lintVersion, Tool: tool, FailLevel: level, Preset: lint.PresetAll, Catalogs: catalogs}
	l.SetVerdict()
	return l
}

// SetVerdict sets the verdict by the shown findings.
func (l *Lint) SetVerdict() {
	failing := func(c Catalog) []Finding { return l.FailLevel.failing(c.Findings) }
	l.Verdict, l.Failing = judge.Pass, slices.Concat(lists.Map(l.Catalogs, failing)...)
	if len(l.Failing) > 0 {
		l.Verdict = judge.Fail
	}
}

// Show removes the findings that are not in a preset. It does not change the verdict.
func (l *Lint) Show(preset lint.Preset) {
	l.Preset = preset
	hidden := map[string]int{}
	for i := range l.Catalogs {
		c := &l.Catalogs[i]
		var silent int
		c.Findings, silent = splitFindings(c, preset, hidden)
		l.Silent += silent
	}
	for rule, n := range hidden {
		l.Hidden = append(l.Hidden, RuleCount{rule, n, preset.Holds(rule)})
	}
	lists.SortStable(l.Hidden, func(a, b *RuleCount) int {
		return cmp.Or(cmp.Compare(b.Findings, a.Findings), cmp.Compare(a.Rule, b.Rule))
	})
}

// splitFindings returns the findings of a catalog that are in a preset, and a pass for each tool without such a finding. It counts
// the hidden findings by rule. silent is the number of tools with only hidden findings.
func splitFindings(c *Catalog, preset lint.Preset, hidden map[string]int) (list []Finding, silent int) {
	type id struct{ server, name string }
	hasShown, hasHidden := map[id]bool{}, map[id]bool{}
	list = []Finding{}
	for _, f := range c.Findings {
		if !preset.Shows(f.Rule, f.Severity == "critical", f.Doubtful) {
			hidden[f.Rule]++
			hasHidden[id{f.Server, f.Tool}] = true
			continue
		}
		hasShown[id{f.Server, f.Tool}] = true
		list = append(list, f)
	}
	for _, t := range c.Tools {
		tool := id{t.Server, t.Name}
		if hasShown[tool] {
			continue
		}
		hasShown[tool] = true // a catalog can list a tool twice
		if hasHidden[tool] {
			silent++
		}
		list = append(list, Finding{
			Rule: lint.PassRule, Severity: lint.Pass.String(), Server: t.Server, Tool: t.Name,
			Message: "no finding is listed", Path: c.PathOf(t.Path), Line: t.Line,
		})
	}
	return list, silent
}
