package text

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
)

// These constants bound the entries of each list of a lint; further entries are counted. [Options].All overrides them, except
// maxWorstTools. maxLintedTools is shared by all catalogs, but each may list minLintedTools.
const (
	maxWorstTools  = 10 // tools in the list of the worst tools
	maxLintedTools = 20 // tools with findings that are listed by tool, over all catalogs
	minLintedTools = 3  // tools that each catalog may list at least
	maxLikewise    = 8  // further findings of the same rule about the same tool
	maxOfRule      = 20 // findings of one rule, if they are listed by rule
	maxTokenLines  = 20 // lines in the table of tokens of one catalog
)

// These are the values of [Options].GroupBy.
const (
	ByRule = "rule"
	ByTool = "tool"
)

// Groupings lists the groupings.
var Groupings = []string{ByRule, ByTool}

// Lint writes a lint: a table of what each rule finds and what to do about it, the worst tools, all findings if options ask for
// them, the distribution of scores, and the tokens of the tools.
func Lint(w io.Writer, l *report.Lint, o Options) error {
	t := lintText{p: lintPrinter(w, o), l: l}
	t.most = max(minLintedTools, maxLintedTools/max(1, len(l.Catalogs)))
	for i := range l.Catalogs {
		c := &l.Catalogs[i]
		t.p.line(t.p.place(c.Path, 0), t.summary(c))
		if c.LeftOut != "" {
			t.p.line("  ", report.Safe(string(c.LeftOut)))
		}
		t.p.writeUnknown(c.Manifest, len(c.Tools))
	}
	t.writeRuleTable()
	t.writeWorst()
	switch {
	case o.GroupBy == ByRule:
		t.writeByRule()
	case o.GroupBy == ByTool, o.All:
		t.writeByTool()
	}
	for i := range l.Catalogs {
		t.writeFigures(&l.Catalogs[i])
	}
	t.p.line()
	t.writeFooter()
	return t.p.out.Flush()
}

type lintText struct {
	p    *printer
	l    *report.Lint
	most int // number of tools with findings that are shown of each catalog
}

func lintPrinter(w io.Writer, o Options) *printer {
	p := newPrinter(w, o)
	p.hint = "--verbose shows everything"
	return p
}

// writeFigures writes the scores and tokens of a catalog, below its path if there are several catalogs.
func (t *lintText) writeFigures(c *report.Catalog) {
	if len(c.Tools) == 0 {
		return
	}
	if len(t.l.Catalogs) > 1 {
		t.p.line()
		t.p.line(t.p.paint(bold, report.Safe(c.Path)))
	}
	if c.MeanScore != "" {
		t.writeScores(c)
	}
	if c.SurfaceTokens.IsKnown() {
		t.writeTokens(c)
	}
}

func (t *lintText) summary(c *report.Catalog) string {
	line := judge.CountOf(len(c.Tools), "tool") + report.BesidesHidden(len(c.Hidden))
	if c.SurfaceTokens.IsKnown() {
		line += ", " + judge.CountOf(int(c.SurfaceTokens), "token")
	}
	return line + fmt.Sprintf(", %d critical, %s", c.Counts.All(true), judge.CountOf(c.Counts.All(false), "warning"))
}

type lintedTool struct {
	report.CatalogTool
	findings          []*report.Finding
	critical, warning int
}

// lintedTools returns the tools of a catalog, the worst first, see worse.
func lintedTools(c *report.Catalog) []*lintedTool {
	type id struct{ server, name string }
	byID := map[id]*lintedTool{}
	var tools []*lintedTool
	for _, t := range c.Tools {
		if byID[id{t.Server, t.Name}] == nil {
			g := &lintedTool{CatalogTool: t}
			byID[id{t.Server, t.Name}] = g
			tools = append(tools, g)
		}
	}
	for i := range c.Findings {
		f := &c.Findings[i]
		g := byID[id{f.Server, f.Tool}]
		switch f.Severity {
		case "critical":
			g.critical++
		case "warning":
			g.warning++
		default:
			continue
		}
		g.findings = append(g.findings, f)
	}
	slices.SortStableFunc(tools, worse)
	return tools
}

// worse compares two tools: the one with findings comes first, then the one with more critical findings, the lower score, more
// warnings.
func worse(a, b *lintedTool) int {
	return cmp.Or(
		cmp.Compare(min(1, b.critical+b.warning), min(1, a.critical+a.warning)),
		cmp.Compare(b.critical, a.critical), cmp.Compare(a.Score, b.Score), cmp.Compare(b.warning, a.warning),
		cmp.Compare(a.Server, b.Server), cmp.Compare(a.Name, b.Name),
	)
}

// scoreAndTokens returns a tool's score and tokens, as far as they are known, as a text to follow the tool's name.
func (t *lintText) scoreAndTokens(g *lintedTool) string {
	var about []string
	if g.Score != "" {
		about = append(about, "score "+report.Safe(string(g.Score)))
	}
	if g.Tokens.IsKnown() {
		about = append(about, judge.CountOf(int(g.Tokens), "token"))
	}
	if len(about) == 0 {
		return ""
	}
	return " (" + strings.Join(about, ", ") + ")"
}

func (t *lintText) writeTool(c *report.Catalog, g *lintedTool) {
	t.p.line()
	t.p.line(t.p.place(c.PathOf(g.Path), g.Line), t.p.paint(bold, toolID(g.Server, g.Name)), t.p.paint(dim, t.scoreAndTokens(g)))
	if t.p.all {
		for _, f := range g.findings {
			t.writeFinding(f)
		}
		return
	}
	for _, ofRule := range byRule(g.findings) {
		t.writeFinding(ofRule[0])
		t.writeLikewise(ofRule[1:])
	}
}

// byRule groups findings by rule, in the order in which the rules first occur.
func byRule(findings []*report.Finding) [][]*report.Finding {
	at := map[string]int{}
	var groups [][]*report.Finding
	for _, f := range findings {
		i, ok := at[f.Rule]
		if !ok {
			i = len(groups)
			at[f.Rule] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}

func (t *lintText) writeLikewise(findings []*report.Finding) {
	if len(findings) == 0 {
		return
	}
	shown := min(len(findings), maxLikewise)
	names := make([]string, shown)
	for i, f := range findings[:shown] {
		names[i] = report.Safe(cmp.Or(string(f.Argument), f.Tool))
		if f.Line > 0 { // a finding of a running server has no line
			names[i] += ":" + strconv.Itoa(f.Line)
		}
	}
	t.p.line("    ", t.p.paint(dim, "likewise "), lists.AndMore(names, len(findings)))
}

func toolID(server, name string) string { return report.Safe(report.ToolID(server, name)) }

func (t *lintText) writeFinding(f *report.Finding) {
	t.p.writeFinding("  ", f, "")
	t.p.writeSuggestion(f)
}

func (p *printer) writeSuggestion(f *report.Finding) {
	if f.Suggestion != "" {
		p.line("    ", p.paint(dim, "suggestion: "), report.Safe(f.Suggestion))
	}
}

// writeFinding writes a finding with its place. about describes the finding's tool; "" if the heading names the tool.
func (p *printer) writeFinding(indent string, f *report.Finding, about string) {
	s := yellow
	if f.Severity == "critical" {
		s = red
	}
	p.line(indent, p.place(f.Path, f.Line), p.paint(s, report.Safe(f.Severity)), " ", report.Safe(f.Rule), about, ": ", report.Safe(f.Message))
}

func (p *printer) writeToolFinding(indent string, f *report.Finding) {
	p.writeFinding(indent, f, " "+toolID(f.Server, f.Tool))
}

func (t *lintText) writeFooter() {
	tools, critical, warning := 0, 0, 0
	for _, c := range t.l.Catalogs {
		tools += len(c.Tools)
		critical += c.Counts.All(true)
		warning += c.Counts.All(false)
	}
	t.p.line(t.p.verdict(t.l.Verdict), ": ", judge.CountOf(len(t.l.Catalogs), "catalog"), ", ", judge.CountOf(tools, "tool"), ", ",
		strconv.Itoa(critical), " critical, ", judge.CountOf(warning, "warning"), t.sincePhrase(),
		t.p.paint(dim, " (--explain RULE shows more; --fail-level is "+report.Safe(string(t.l.FailLevel))+")"))
}

func (t *lintText) sincePhrase() string {
	if t.l.Since == "" {
		return ""
	}
	fresh := 0
	for _, c := range t.l.Catalogs {
		for _, f := range c.Findings {
			if f.IsReal() {
				fresh++
			}
		}
	}
	for _, h := range t.l.Hidden {
		fresh += h.Findings
	}
	return "; " + judge.CountOf(fresh, "finding") + " not in " + report.Safe(t.l.Since)
}
