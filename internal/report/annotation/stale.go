package annotation

import (
	"slices"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// addStale adds one item for each tool whose change made recordings stale. The item names all cases of these recordings.
func (c *collector) addStale() {
	var order []report.StaleTool
	cases := map[report.StaleTool][]*report.Case{}
	for i := range c.report.Cases {
		one := &c.report.Cases[i]
		if !isStaleByChange(one.Freshness) {
			continue
		}
		for _, tool := range one.Freshness.Tools {
			if tool.Change == report.Outdated { // addOutdated adds this tool, at its place in the code
				continue
			}
			if cases[tool] == nil {
				order = append(order, tool)
			}
			cases[tool] = append(cases[tool], one)
		}
	}
	for _, tool := range order {
		c.addStaleTool(tool, cases[tool])
	}
}

func isStaleByChange(f *report.Freshness) bool {
	return f != nil && (f.State == report.Affected || f.State == report.Broken) && f.Since == report.SinceChange
}

func (c *collector) addStaleTool(t report.StaleTool, cases []*report.Case) {
	line := t.Line
	if line == 0 && c.hasCatalog(t.Path) {
		line = 1 // a removed tool has no line in the snapshot
	}
	if line == 0 {
		return
	}
	name := t.Name
	if t.Now != "" {
		name = string(t.Now)
	}
	older, advice := tell.Older(&t, cases)
	c.add(stale, Item{
		Rule: StaleEvidence, Path: t.Path, Line: line, Level: Warning, Title: "stale evidence: " + t.Name,
		Message: lines(older.Text(), advice.Text()), Tool: c.tools[toolKey{t.Path, t.Server, name}],
	}, t.Server, t.Name, t.Change)
}

func (c *collector) hasCatalog(path string) bool {
	return slices.ContainsFunc(c.report.Catalogs, func(one report.Catalog) bool { return one.Path == path })
}

// addOutdated adds the tools whose descriptions in the code differ from their snapshots, each at its place in the code.
func (c *collector) addOutdated() {
	if c.report.Baseline == nil {
		return
	}
	for i := range c.report.Baseline.Outdated {
		t := &c.report.Baseline.Outdated[i]
		at := t.Source
		if at.Line == 0 { // the code no longer has the description
			at = report.Place{Path: t.Path, Line: t.Line}
		}
		c.add(stale, Item{
			Rule: StaleEvidence, Path: at.Path, Line: at.Line, Level: Warning, Title: "stale evidence: " + t.Name,
			Message: lines(tell.OutdatedTool(t).Text(), tell.UpdateOf(t).Text()),
		}, t.Server, t.Name, report.Outdated)
	}
}
