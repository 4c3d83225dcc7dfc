package table

import (
	"bytes"
	"strconv"

	"github.com/org/mcp-gates/internal/jsonread"
	"github.com/org/mcp-gates/internal/source"
)

// readLines reads JSON Lines. Each line is an object, and its keys are the columns.
func (t *Table) readLines(data []byte, errs *source.Errors) {
	number := 0
	for line := range bytes.Lines(data) {
		number++
		text := bytes.TrimRight(line, "\r\n")
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		one := lineReader{r: jsonread.NewBytes(text), text: text, line: number, to: t, errs: errs}
		if !one.readRow() {
			return
		}
	}
}

type lineReader struct {
	r    *jsonread.Reader
	text []byte
	line int
	to   *Table
	errs *source.Errors
}

// readRow adds the row of the line, and reports whether reading continues.
func (l *lineReader) readRow() bool {
	row := Row{Pos: l.pos(), Cells: map[string]Cell{}}
	var columns []Cell
	l.r.Fields("the row", func(key string) {
		columns = append(columns, Cell{Pos: l.posAt(l.r.KeyOffset()), Text: key})
		row.Cells[key] = l.readCell(2)
	})
	l.r.End()
	if !l.r.Clean() {
		for _, err := range l.r.Errors(l.to.File, bytes.NewReader(l.text)) {
			err.Pos.Line = l.line
			l.errs.Addf(err.Pos, "%s", err.Msg)
		}
		return true
	}
	for _, column := range columns {
		l.to.addColumn(column)
	}
	if len(l.to.Columns) > maxColumns {
		l.errs.Addf(row.Pos, "%s", tooManyColumns(len(l.to.Columns)))
		return false
	}
	return l.to.addRow(row, l.errs)
}

// readCell reads the value of a key: a text, or a list that is nested at most depth deep.
func (l *lineReader) readCell(depth int) Cell {
	c := Cell{Pos: l.pos()}
	switch {
	case l.r.Kind() == '[' && depth > 0:
		c.IsList = true
		l.r.Array("the cell", func(int) { c.Items = append(c.Items, l.readCell(depth-1)) })
	case l.r.Kind() == '"':
		c.Text, _ = l.r.String("the cell")
	default: // a mistake only if a caller asks for the column
		c.IsOther, c.Text = true, string(l.r.Raw())
	}
	return c
}

// pos returns the position of the next value.
func (l *lineReader) pos() source.Pos {
	l.r.Kind() // moves the offset past white space
	return l.posAt(l.r.Offset())
}

func (l *lineReader) posAt(offset int64) source.Pos {
	return source.Pos{File: l.to.File, Line: l.line, Col: 1}.After(l.text[:min(max(int(offset), 0), len(l.text))])
}

// cells returns a number of cells in words.
func cells(n int) string {
	if n == 1 {
		return "1 cell"
	}
	return strconv.Itoa(n) + " cells"
}
