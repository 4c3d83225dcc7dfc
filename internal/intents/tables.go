package intents

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/table"
	"github.com/org/mcp-gates/internal/yamlread"
)

// The possible names of a column. If a table has several of them, the first in the list counts.
var (
	queryColumns = []string{"query", "prompt"}
	goldColumns  = []string{"gold", "expected_tool"}
)

func (r *reader) readTable(data []byte, read func(string, []byte) (*table.Table, source.Errors)) {
	t, errs := read(r.list.File, data)
	r.errs = append(r.errs, errs...)
	query, gold := r.findColumn(t, queryColumns), r.findColumn(t, goldColumns)
	if query == "" || gold == "" {
		return
	}
	for _, row := range t.Rows {
		asked, hasText := r.textOf(row.Cells[query], query)
		tools, hasTools := r.toolsOf(row.Cells[gold], gold)
		if hasText && hasTools && !r.add(row.Pos, asked, tools) {
			return
		}
	}
}

// findColumn returns the first of the names that is a column of a table. If none is, it reports a mistake and returns "".
func (r *reader) findColumn(t *table.Table, names []string) string {
	if at := slices.IndexFunc(names, t.Has); at >= 0 {
		return names[at]
	}
	if len(t.Columns) > 0 {
		r.errs.Addf(t.Columns[0].Pos, "the table has no column %q or %q%s", names[0], names[1], source.DidYouMean(names[0], t.Names()))
	}
	return ""
}

// textOf returns the text of a cell; "" if the cell is missing. ok is false if the value of the cell is not a text.
func (r *reader) textOf(c table.Cell, column string) (text yamlread.Str, ok bool) {
	if isNothing(c) {
		return yamlread.Str{Pos: c.Pos}, true
	}
	if c.IsList || c.IsOther {
		r.errs.Addf(c.Pos, "%q must be a text, found %s", column, describe(c))
		return text, false
	}
	return yamlread.Str{Value: c.Text, Pos: c.Pos}, true
}

// toolsOf returns the tools in a cell: a list of them, or one text with | between them.
func (r *reader) toolsOf(c table.Cell, column string) (tools []yamlread.Str, ok bool) {
	if isNothing(c) {
		return nil, true
	}
	if !c.IsList && !c.IsOther {
		return anyOf(c.Text, c.Pos), true
	}
	for _, item := range c.Items {
		if item.IsList || item.IsOther {
			r.errs.Addf(item.Pos, "%q must hold names of tools, found %s", column, describe(item))
			return nil, false
		}
		tools = append(tools, yamlread.Str{Value: item.Text, Pos: item.Pos})
	}
	if c.IsOther {
		r.errs.Addf(c.Pos, "%q must be a text or a list of texts, found %s", column, describe(c))
	}
	return tools, !c.IsOther
}

func isNothing(c table.Cell) bool { return c.IsOther && strings.TrimSpace(c.Text) == "null" }

func describe(c table.Cell) string {
	if c.IsList {
		return "a list"
	}
	return source.Shorten(c.Text, 80)
}
