package tell

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/report"
)

// CostTitle is the title of the table of what tools cost.
const CostTitle = "What the tools cost a model, in tokens: all in full, and with clients that search for them"

// CostColumns are the titles of the parts of a [CostRow]; a title of a column of numbers ends in a colon.
var CostColumns = [6]string{"A model has", "Before any search:", "Tools:", "Names or servers:", "Search tool:", "A search loads:"}

// CostRow is a row for a way in which a model gets the tools of a catalog, with the tokens now and in the base.
type CostRow struct {
	Way   Line
	Cells [5]string // "" for a part that does not exist
}

// Costs returns the rows for the cost of a catalog's tools; nil if the cost was not counted or there are no tools. base is nil if the
// base has the same cost.
func Costs(now, base *report.Cost) []CostRow {
	was := cmp.Or(base, now)
	if now == nil || now.Tools == 0 && was.Tools == 0 {
		return nil
	}
	full := arrow(report.Thousands(was.Surface), report.Thousands(now.Surface))
	rows := []CostRow{{say("all tools in full"), [5]string{full, full}}}
	for i := range now.Clients {
		one := &now.Clients[i]
		before := cmp.Or(was.With(one.Client, one.Version), one)
		rows = append(rows, CostRow{say(name(one.Client)), [5]string{
			arrow(atLeast(before.Upfront, before), atLeast(one.Upfront, one)),
			arrow(report.Thousands(before.Eager), report.Thousands(one.Eager)),
			arrow(atLeast(before.Listed, before), atLeast(one.Listed, one)),
			arrow(report.Thousands(before.SearchTool), report.Thousands(one.SearchTool)),
			arrow(orUnknown(before.Loaded), orUnknown(one.Loaded)),
		}})
	}
	rows = append(rows, CostRow{say("instructions, in addition"), [5]string{arrow(orUnknown(was.Instructions), orUnknown(now.Instructions))}})
	if was.WithOutput > 0 || now.WithOutput > 0 {
		rows = append(rows, CostRow{say("output schemas"), [5]string{arrow(report.Thousands(was.OutputSchemas), report.Thousands(now.OutputSchemas))}})
	}
	return rows
}

// CostLine returns the cost in one line.
func CostLine(now, base *report.Cost) Line {
	var parts []Line
	for _, row := range Costs(now, base) {
		part := say(row.Way, ": "+row.Cells[0])
		if loads := row.Cells[4]; loads != "" {
			part = say(part, " before any search, which loads "+loads)
		}
		parts = append(parts, part)
	}
	return joinLines(parts, "; ")
}

// CostNotes returns notes that explain the counts of catalogs; nil if there are no counts.
func CostNotes(costs ...*report.Cost) []Line {
	var quotes []string
	for _, c := range costs {
		if c == nil {
			continue
		}
		for i := range c.Clients {
			if one := &c.Clients[i]; one.AtLeast && !slices.Contains(quotes, one.Client) {
				quotes = append(quotes, one.Client)
			}
		}
	}
	if len(quotes) == 0 {
		return nil
	}
	return []Line{say("+ is a count without instructions, which ", names(quotes, maxMembers), verb(len(quotes), " quotes", " quote"), ": a new snapshot keeps them, and a catalog here does not")}
}

func atLeast(n int64, one *report.ClientCost) string {
	if one.AtLeast {
		return report.Thousands(n) + "+"
	}
	return report.Thousands(n)
}

func orUnknown(n *int64) string {
	if n == nil {
		return "unknown"
	}
	return report.Thousands(*n)
}
