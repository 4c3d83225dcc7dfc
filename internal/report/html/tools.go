package html

import (
	"cmp"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/report/tell"
)

// These constants bound the tables of tools and findings.
const (
	maxTools    = 2000
	maxFindings = 2000
)

type sizedTool struct {
	server, name, path string
	line               int
	score              report.Optional
	base, head         report.Count
	kind               string // kind of the change; "" for an unchanged tool
}

func (d *document) tools() markup {
	list, largest := d.sizedTools(), report.Count(0)
	for _, t := range list {
		largest = max(largest, t.base, t.head)
	}
	kinds, before := markup(""), markup("Base:")
	if d.c != nil {
		kinds = "Change"
	}
	columns := []markup{"Tool", kinds, "Tokens:", before, "Difference:", "", "Score:", "Place"}
	return d.catalogs() + newTable("tools", columns, len(list), maxTools, func(i int) []markup {
		t := list[i]
		was, more := markup(""), markup("")
		if d.c != nil && t.base != t.head {
			was = tokens(t.base)
			if by, ok := t.head.Minus(t.base); ok {
				more = markup(tell.Signed(int(by)))
			}
		}
		return []markup{name(report.ToolID(t.server, t.name)), changeKind(t.kind), tokens(t.head), was, more, bar(t, largest), score(t.score), place(t.path, t.line)}
	}).folding().write()
}

// sizedTools returns the tools: first those whose tokens changed, the biggest change first, then the others, the largest first.
func (d *document) sizedTools() []sizedTool {
	type key struct{ server, name, path string }
	changed := map[key]*report.ToolChange{}
	var list []sizedTool
	if d.c != nil {
		for i := range d.c.Tools {
			t := &d.c.Tools[i]
			if t.Kind == report.Removed || t.Kind == report.Hidden {
				list = append(list, sizedTool{t.Server, t.Name, t.Path, t.Line, "", t.Base, 0, t.Kind})
				continue
			}
			changed[key{t.Server, t.Name, t.Path}] = t
		}
	}
	for _, c := range d.r.Catalogs {
		for _, t := range c.Tools {
			one := sizedTool{t.Server, t.Name, c.PathOf(t.Path), t.Line, t.Score, t.Tokens, t.Tokens, ""}
			if change := changed[key{t.Server, t.Name, c.PathOf(t.Path)}]; change != nil {
				one.base, one.kind = change.Base, change.Kind
			}
			list = append(list, one)
		}
	}
	distance := func(t *sizedTool) int64 {
		by, _ := t.head.Minus(t.base)
		return max(by, -by)
	}
	lists.SortStable(list, func(a, b *sizedTool) int {
		return cmp.Or(cmp.Compare(distance(b), distance(a)), cmp.Compare(max(b.base, b.head), max(a.base, a.head)), cmp.Compare(a.server, b.server), cmp.Compare(a.name, b.name))
	})
	return list
}

// changeKind returns the word for a kind of change. An unknown kind, which only a saved report can have, is written as a name.
func changeKind(kind string) markup {
	switch kind {
	case report.Hidden:
		return "hidden from models"
	case "", report.Added, report.Removed, report.Renamed, report.Changed:
		return markup(kind)
	}
	return name(kind)
}

// bar draws the tokens of a tool as a share of the largest tool. A line marks the tokens that the tool had in the base.
func bar(t sizedTool, largest report.Count) markup {
	if largest <= 0 || !t.head.IsKnown() {
		return ""
	}
	width := func(tokens report.Count) int { return int(min(max(tokens, 0)*100/largest, 100)) }
	text := "<svg class=bar viewBox=\"0 0 100 8\" aria-hidden=true><rect width=" + number(width(t.head)) + " height=8 />"
	if t.base != t.head && t.base.IsKnown() {
		text += "<path d=\"M" + number(width(t.base)) + " 0V8\"/>"
	}
	return text + "</svg>"
}

// tokens returns a number of tokens; "" if it is unknown.
func tokens(n report.Count) markup {
	if !n.IsKnown() {
		return ""
	}
	return markup(n.Text())
}

// score returns a score with its decimals; "" for an empty catalog.
func score(s report.Optional) markup {
	if s == "" {
		return ""
	}
	return figure(s)
}

func (d *document) catalogScore(c *report.Catalog, of string, now report.Optional) markup {
	m := d.c.ScoreOf(c, of)
	if m == nil {
		return score(now)
	}
	return score(m.Base) + " → " + score(m.Head) + " (" + shown(m.Why) + ")"
}

// catalogPlace returns the place of a catalog. The name of the server follows if the catalog has no file of its own.
func catalogPlace(c *report.Catalog, suites map[string]bool) markup {
	at := place(c.Path, 0)
	if c.Path == "" || suites[c.Path] {
		at = join(" ", at, "server "+name(c.Name))
	}
	return at
}

func (d *document) catalogs() markup {
	list, suites := d.r.Catalogs, d.r.Suites()
	columns := []markup{"Catalog", "Tools:", "Tokens:", "Lowest score:", "Mean score:", "Critical:", "Warnings:"}
	table := newTable("catalogs", columns, len(list), maxTools, func(i int) []markup {
		c := &list[i]
		return []markup{catalogPlace(c, suites), count(len(c.Tools)) + markup(report.BesidesHidden(len(c.Hidden))), tokens(c.SurfaceTokens), d.catalogScore(c, report.FigureMinScore, c.MinScore), d.catalogScore(c, report.FigureMeanScore, c.MeanScore),
			count(c.Counts.All(true)), count(c.Counts.All(false))}
	}).write()
	for i := range list[:min(len(list), maxTools)] {
		for _, line := range tell.Unknown(list[i].Manifest, len(list[i].Tools)) {
			table += "<p class=dim>" + place(list[i].Path, 0) + ": " + d.line(line) + "\n"
		}
	}
	return table + d.costs(list[:min(len(list), maxTools)], suites)
}

func (d *document) costs(list []report.Catalog, suites map[string]bool) markup {
	var rows [][]markup
	var counted []*report.Cost
	for i := range list {
		c := &list[i]
		at := markup("")
		if len(list) > 1 {
			at = catalogPlace(c, suites)
		}
		for _, row := range tell.Costs(c.Cost, d.c.CostOf(c)) {
			cells := []markup{at, d.line(row.Way)}
			for _, cell := range row.Cells {
				cells = append(cells, escaped(cell))
			}
			rows = append(rows, cells)
		}
		counted = append(counted, c.Cost)
	}
	if len(rows) == 0 {
		return ""
	}
	columns := []markup{"Catalog"}
	for _, title := range tell.CostColumns {
		columns = append(columns, markup(title))
	}
	text := "<p>" + markup(tell.CostTitle) + ":\n" + newTable("costs", columns, len(rows), len(rows), func(i int) []markup { return rows[i] }).folding().write()
	for _, note := range tell.CostNotes(counted...) {
		text += "<p class=dim>" + d.line(note) + "\n"
	}
	return text
}

// findings returns the table of the findings of the rules, the worst first. With a base, new findings are marked, and fixed
// findings are counted.
func (d *document) findings() markup {
	list := compare.Extra(d.r.Catalogs, nil)
	text := markup("")
	if d.c != nil && d.c.FindingsChanged() {
		text = "<p>" + counted(len(d.c.New), "new finding") + ", " + count(len(d.c.Fixed)) + " fixed.\n"
	}
	fresh := d.newFindings()
	columns := []markup{"Severity", "Rule", "Tool", "Argument", "What", "Suggestion", "Place"}
	return text + newTable("findings", columns, len(list), maxFindings, func(i int) []markup {
		f := list[i]
		argument, isNew := markup(""), markup("")
		if f.Argument != "" {
			argument = name(string(f.Argument))
		}
		if fresh[f] {
			isNew = " <b class=mark>new</b>"
		}
		return []markup{severity(f.Severity) + isNew, "<span class=rule>" + name(f.Rule) + "</span>", name(report.ToolID(f.Server, f.Tool)), argument,
			message(f.Message), message(f.Suggestion), place(f.Path, f.Line)}
	}).folding().write()
}

func (d *document) newFindings() map[report.Finding]bool {
	fresh := map[report.Finding]bool{}
	if d.c != nil {
		for _, f := range d.c.New {
			fresh[f] = true
		}
	}
	return fresh
}

func severity(s string) markup {
	if s == "critical" {
		return "<b class=fail>critical</b>"
	}
	return "<b class=skipped>warning</b>"
}
