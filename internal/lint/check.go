package lint

import (
	"cmp"
	"slices"
	"sort"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
)

// Check applies the rules to a catalog, which may be nil, once for all configurations. A flaw that several
// configurations report is one finding, at its worst severity. Without configurations, the rules have their defaults.
// [Result.UnusedIgnores] lists entries of the first configuration. The score of a tool does not depend on configs, and no
// figure depends on the order of the tools.
func Check(cat *catalog.Catalog, configs ...Config) Result {
	return new(Checker).Check(cat, configs...)
}

// Checker checks one catalog after another, and takes less time than as many calls of [Check]. The zero value is ready.
// Its results do not depend on the catalogs that it has checked before. It is not safe for concurrent use.
type Checker struct {
	stems lexical.Stems
}

// Check returns the same as the function [Check].
func (k *Checker) Check(cat *catalog.Catalog, configs ...Config) Result {
	if len(configs) == 0 {
		configs = []Config{{}}
	}
	if cat == nil {
		cat = &catalog.Catalog{}
	}
	clients := Configs(configs).clients()
	views := make([]*View, len(cat.Tools))
	for i, t := range cat.Tools {
		views[i] = newView(t)
		views[i].stems, views[i].clients = &k.stems, clients
	}
	c := newCollector(configs, views)
	c.applyRules(views)
	c.res.Findings = c.sorted(views)
	c.res.UnusedIgnores = c.ignores[0].unused(cat.All())
	c.res.setScores(views)
	return c.res
}

// maxFindings bounds the number of findings of each severity that are kept, because a catalog can be made to have millions. Further
// findings are only counted. Each severity has its own bound, so that warnings cannot hide a critical finding.
const maxFindings = 100_000

type collector struct {
	configs  Configs
	ignores  []ignores     // entries of each configuration that ignore findings
	placeOf  map[*View]int // place of the tool in the catalog
	flawed   []bool        // by place of the tool: it has a finding
	findings []sortedFinding
	counted  map[Severity]int // number of findings
	res      Result
}

// sortedFinding is a finding with its sort keys.
type sortedFinding struct {
	Finding
	tool, rule, nth int
}

func newCollector(configs Configs, views []*View) *collector {
	c := &collector{
		configs: configs,
		ignores: lists.Map(configs, newIgnores),
		placeOf: make(map[*View]int, len(views)),
		flawed:  make([]bool, len(views)),
		counted: make(map[Severity]int),
		res:     Result{Smells: make(map[string]int)},
	}
	for i, v := range views {
		c.placeOf[v] = i
	}
	return c
}

func (c *collector) applyRules(views []*View) {
	for i, rule := range Rules {
		if c.configs.worst(rule, nil) == Pass {
			continue
		}
		if rule.CheckAll != nil {
			rule.CheckAll(rule.viewsFor(views), func(v *View) Report { return c.reportOf(i, v) })
			continue
		}
		for _, v := range views {
			if rule.appliesTo(v.Tool) {
				rule.Check(v, c.reportOf(i, v))
			}
		}
	}
}

func (r *Rule) viewsFor(views []*View) []*View {
	if r.Reads == Texts {
		return views
	}
	return slices.DeleteFunc(slices.Clone(views), func(v *View) bool { return v.Tool.SchemaUnknown })
}

func (c *collector) reportOf(index int, v *View) Report {
	return func(n Note) { c.addFinding(index, v, n) }
}

func (c *collector) addFinding(index int, v *View, n Note) {
	rule := Rules[index]
	severity := c.configs.worst(rule, func(i int) bool { return c.ignores[i].ignoresFinding(rule.ID, v.Tool) })
	if severity == Pass {
		return
	}
	c.flawed[c.placeOf[v]] = true
	c.res.Counts.add(rule.family(), severity)
	if rule.Smell != "" {
		c.res.Smells[rule.Smell]++
	}
	c.counted[severity]++
	if c.counted[severity] > maxFindings {
		return
	}
	c.findings = append(c.findings, sortedFinding{
		Finding: Finding{rule.ID, severity, v.Tool, ArgumentName(n.Path), n.Message, n.Suggestion, n.Doubtful, positionOf(v.Tool, n)},
		tool:    c.placeOf[v],
		rule:    index,
		nth:     len(c.findings),
	})
}

func positionOf(t *catalog.Tool, n Note) source.Pos {
	switch {
	case len(n.Path) > 0:
		return t.ArgumentPos(n.Path...)
	case n.AtName:
		return t.Pos
	}
	return t.DescriptionPos
}

// sorted returns the findings, worst first, with a Pass for each tool without findings.
func (c *collector) sorted(views []*View) []Finding {
	found := c.findings
	for i, v := range views {
		if !c.flawed[i] {
			pass := Finding{Rule: PassRule, Severity: Pass, Tool: v.Tool, Message: v.noFindings(), Pos: v.Tool.Pos}
			found = append(found, sortedFinding{Finding: pass, tool: i})
		}
	}
	sort.SliceStable(found, func(i, j int) bool {
		a, b := &found[i], &found[j]
		return cmp.Or(
			cmp.Compare(b.Severity, a.Severity),
			cmp.Compare(a.tool, b.tool),
			cmp.Compare(a.rule, b.rule),
			cmp.Compare(a.nth, b.nth),
		) < 0
	})
	return lists.Map(found, func(f sortedFinding) Finding { return f.Finding })
}

func (v *View) noFindings() string {
	if v.Tool.SchemaUnknown {
		return "no rule on names and descriptions finds anything"
	}
	return "no rule finds anything"
}

func (c *Counts) add(family string, s Severity) {
	critical, warning := &c.Critical, &c.Warning
	switch family {
	case "SCH":
		critical, warning = &c.SchemaCritical, &c.SchemaWarning
	case "MCP":
		critical, warning = &c.ConformanceCritical, &c.ConformanceWarning
	}
	if s == Critical {
		*critical++
		return
	}
	*warning++
}
