package text

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
)

// maxCritical bounds the number of critical findings of a rule that the table shows; [Options].All overrides it. For a rule of
// warnings, the table always shows one finding.
const maxCritical = 8

// ruleFindings has the findings of one rule in all catalogs.
type ruleFindings struct {
	rule     string
	critical bool
	findings []*report.Finding
	tools    int // number of tools with a finding
	about    int // number of findings that are about an argument
}

// ruleGroups returns the findings of all catalogs by rule. Critical rules come first, then the rules with findings in the most
// tools.
func (t *lintText) ruleGroups() []ruleFindings {
	var all []*report.Finding
	for i := range t.l.Catalogs {
		for j := range t.l.Catalogs[i].Findings {
			if f := &t.l.Catalogs[i].Findings[j]; f.IsReal() {
				all = append(all, f)
			}
		}
	}
	groups := lists.Map(byRule(all), newRuleFindings)
	lists.SortStable(groups, func(a, b *ruleFindings) int {
		if a.critical != b.critical {
			if a.critical {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.tools, a.tools), cmp.Compare(b.about, a.about), cmp.Compare(a.rule, b.rule))
	})
	return groups
}

func newRuleFindings(findings []*report.Finding) ruleFindings {
	type id struct{ path, server, tool string }
	tools := map[id]bool{}
	g := ruleFindings{rule: findings[0].Rule, critical: findings[0].Severity == "critical", findings: findings}
	for _, f := range findings {
		tools[id{f.Path, f.Server, f.Tool}] = true
		if f.Argument != "" {
			g.about++
		}
	}
	g.tools = len(tools)
	return g
}

// writeRuleTable writes for each rule: the number of tools and arguments with findings, an example, and what to do about all of
// them.
func (t *lintText) writeRuleTable() {
	groups := t.ruleGroups()
	if len(groups) > 0 {
		t.p.line()
		t.p.line(t.p.paint(bold, fmt.Sprintf("%-8s  %-8s  %5s  %9s", "severity", "rule", "tools", "arguments")))
	}
	for i := range groups {
		t.writeRuleRow(&groups[i])
	}
	t.writeHidden(false, "not in the preset "+report.Safe(string(t.l.Preset)))
	t.writeHidden(true, "doubtful, and not listed above")
}

// writeHidden writes the number of findings that the preset does not show: doubtful findings if doubtful is set, otherwise findings
// of rules that the preset leaves out.
func (t *lintText) writeHidden(doubtful bool, title string) {
	var parts []string
	for _, h := range t.l.Hidden {
		if h.Doubtful == doubtful {
			parts = append(parts, fmt.Sprintf("%s %d", report.Safe(h.Rule), h.Findings))
		}
	}
	if len(parts) > 0 {
		t.p.line()
		t.p.line(t.p.paint(dim, title+" (--preset all shows them): "+strings.Join(parts, ", ")))
	}
}

func (t *lintText) writeRuleRow(g *ruleFindings) {
	severity := t.p.paint(yellow, fmt.Sprintf("%-8s", "warning"))
	most := 1
	if g.critical {
		severity, most = t.p.paint(red, fmt.Sprintf("%-8s", "critical")), t.p.limit(len(g.findings), maxCritical)
	}
	about := ""
	if g.about > 0 {
		about = strconv.Itoa(g.about)
	}
	title, fix := "", ""
	if rule, ok := lint.Find(g.rule); ok {
		title, fix = rule.Title, rule.Fix
	}
	row := fmt.Sprintf("  %-8s  %5d  %9s  ", report.Safe(g.rule), g.tools, about)
	t.p.line(severity, row, title)
	for _, f := range g.findings[:min(most, len(g.findings))] {
		t.p.line("  ", t.p.place(f.Path, f.Line), toolID(f.Server, f.Tool), ": ", report.Safe(f.Message))
	}
	if g.critical {
		t.p.writeRest("  ", len(g.findings)-most, "finding")
	}
	t.p.line("  ", t.p.paint(dim, "do: "), fix)
}

func (t *lintText) writeByRule() {
	for _, g := range t.ruleGroups() {
		t.p.writeList(report.Safe(g.rule), "", len(g.findings), maxOfRule, func(i int) {
			t.p.writeToolFinding("  ", g.findings[i])
			if t.p.all {
				t.p.writeSuggestion(g.findings[i])
			}
		})
	}
}

// writeByTool writes the findings of each tool. In a catalog, the worst tool comes first.
func (t *lintText) writeByTool() {
	for i := range t.l.Catalogs {
		c := &t.l.Catalogs[i]
		tools := flawed(lintedTools(c))
		shown := t.p.limit(len(tools), t.most)
		for _, g := range tools[:shown] {
			t.writeTool(c, g)
		}
		if left := len(tools) - shown; left > 0 {
			t.p.line()
			t.p.writeRest("", left, "tool")
		}
	}
}

// flawed returns the tools with findings, which must be the first in the list.
func flawed(tools []*lintedTool) []*lintedTool {
	end := slices.IndexFunc(tools, func(g *lintedTool) bool { return g.critical+g.warning == 0 })
	if end < 0 {
		return tools
	}
	return tools[:end]
}

func (t *lintText) writeWorst() {
	type placed struct {
		path string
		*lintedTool
	}
	var tools []placed
	clean := 0
	for i := range t.l.Catalogs {
		c := &t.l.Catalogs[i]
		linted := lintedTools(c)
		bad := flawed(linted)
		clean += len(linted) - len(bad)
		for _, g := range bad {
			tools = append(tools, placed{c.PathOf(g.Path), g})
		}
	}
	sort.SliceStable(tools, func(i, j int) bool {
		a, b := &tools[i], &tools[j]
		return worse(a.lintedTool, b.lintedTool) < 0
	})
	shown := min(len(tools), maxWorstTools)
	if shown > 0 {
		t.p.line()
		t.p.line(t.p.paint(bold, "worst tools"))
	}
	for _, g := range tools[:shown] {
		t.p.line("  ", t.p.place(g.path, g.Line), toolID(g.Server, g.Name), t.p.paint(dim, t.scoreAndTokens(g.lintedTool)), ": ",
			rulesOf(g.findings))
	}
	t.writeRest(len(tools)-shown, clean)
}

func (t *lintText) writeRest(left, clean int) {
	if left > 0 && !t.p.all {
		t.p.line("  ", t.p.paint(dim, "and "+judge.CountOf(left, "more tool")+" ("+t.p.hint+")"))
	}
	if clean > 0 {
		t.p.line()
	}
	if clean > t.l.Silent {
		t.p.line(t.p.paint(green, judge.CountOf(clean-t.l.Silent, "tool")), t.withoutPhrase())
	}
	if t.l.Silent > 0 {
		t.p.line(judge.CountOf(t.l.Silent, "tool"), " with findings that are not listed")
	}
}

func (t *lintText) withoutPhrase() string {
	if t.l.Since != "" {
		return " without new findings"
	}
	return " without findings"
}

// rulesOf returns the rules of a tool's findings, each with the number of its findings if there are several.
func rulesOf(findings []*report.Finding) string {
	var parts []string
	for _, ofRule := range byRule(findings) {
		part := report.Safe(ofRule[0].Rule)
		if len(ofRule) > 1 {
			part += " " + strconv.Itoa(len(ofRule))
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}
