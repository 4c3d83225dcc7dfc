package html

import (
	"slices"
	"strings"
)

// table is a table of the page. The script of the page can sort it by its columns and filter its rows.
type table struct {
	label   markup // for screen readers: "cases"
	columns []markup
	rows    [][]markup // each with a cell for every column
	left    int        // number of rows that are left out
	class   markup     // class of the HTML element; "" for none
	folds   bool       // rows after the first few hundred are folded; false for tables inside folded entries
}

// folding returns the table with folding turned on, see folded.
func (t table) folding() table {
	t.folds = true
	return t
}

// isNumber reports whether the title of a column ends in a colon, which means numbers, and returns the title without the colon.
// Each cell of such a column begins with the number by which it is sorted.
func isNumber(column markup) (title markup, ok bool) {
	text, ok := strings.CutSuffix(string(column), ":")
	return markup(text), ok
}

// newTable returns a table with a row for each of n entries. most bounds the number of rows.
func newTable(label markup, columns []markup, n, most int, row func(i int) []markup) table {
	t := table{label: label, columns: columns, rows: make([][]markup, min(n, most)), left: n - min(n, most)}
	for i := range t.rows {
		t.rows[i] = row(i)
	}
	return t
}

// write returns the table without its empty columns; "" if it has no rows.
func (t table) write() markup {
	if len(t.rows) == 0 {
		return ""
	}
	used := t.used()
	var b strings.Builder
	b.WriteString("<div class=scroll><table")
	if t.class != "" {
		b.WriteString(" class=" + string(t.class))
	}
	b.WriteString(" data-of=\"" + string(t.label) + "\">\n<thead><tr>")
	for _, i := range used {
		title, numeric := isNumber(t.columns[i])
		b.WriteString("<th" + string(classOf(numeric)) + ">" + string(title))
	}
	b.WriteString("\n<tbody>\n")
	rows, hidden := t.written(used)
	b.WriteString(string(rows) + "</table></div>\n" + string(withoutScript(hidden)))
	if t.left > 0 {
		b.WriteString("<p class=dim>and " + string(count(t.left)) + " more, which the JSON report has\n")
	}
	return markup(b.String())
}

func (t table) written(used []int) (text markup, hidden int) {
	rows := make([]markup, len(t.rows))
	for at, row := range t.rows {
		rows[at] = "<tr>"
		for _, i := range used {
			_, numeric := isNumber(t.columns[i])
			rows[at] += "<td" + classOf(numeric) + ">" + row[i]
		}
		if t.folds && at == atOnce-1 {
			rows[at] += "</tr>" // an unclosed row would take what follows into its last cell
		}
		rows[at] += "\n"
	}
	if t.folds {
		return folded(rows)
	}
	return join("", rows...), 0
}

func classOf(numeric bool) markup {
	if numeric {
		return " class=n"
	}
	return ""
}

func (t table) used() []int {
	var used []int
	for i := range t.columns {
		if slices.ContainsFunc(t.rows, func(row []markup) bool { return row[i] != "" }) {
			used = append(used, i)
		}
	}
	return used
}
