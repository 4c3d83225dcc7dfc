package markdown

import (
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

func (d *document) costs(list []report.Catalog, suites map[string]bool) string {
	var rows [][]string
	var counted []*report.Cost
	for i := range list {
		c := &list[i]
		place := ""
		if len(list) > 1 {
			place = d.catalogPlace(c, suites)
		}
		for _, row := range tell.Costs(c.Cost, d.c.CostOf(c)) {
			rows = append(rows, append([]string{place, d.line(row.Way)}, row.Cells[:]...))
			place = ""
		}
		counted = append(counted, c.Cost)
	}
	if len(rows) == 0 {
		return ""
	}
	columns := append([]string{"Catalog"}, tell.CostColumns[:]...)
	text := "\n" + tell.CostTitle + ":\n\n" + tableOf(columns, len(rows), len(rows), "", func(i int) []string { return rows[i] })
	for _, note := range tell.CostNotes(counted...) {
		text += "\n" + d.line(note) + "\n"
	}
	return text
}
