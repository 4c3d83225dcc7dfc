package table

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"github.com/org/mcp-gates/internal/source"
)

// commaReader reads the records of a CSV file (RFC 4180) with their positions.
type commaReader struct {
	*csv.Reader
	file  string
	names []string // names of the columns, from the header
	lines [][]byte
	to    *Table
	errs  *source.Errors
}

func (t *Table) readCSV(data []byte, errs *source.Errors) {
	r := &commaReader{Reader: csv.NewReader(bytes.NewReader(data)), file: t.File, lines: bytes.Split(data, []byte("\n")), to: t, errs: errs}
	r.FieldsPerRecord = -1
	header, ok := r.readRecord()
	if !ok {
		errs.Addf(startOf(t.File), "is empty, expected a header with the names of the columns")
		return
	}
	if len(header) > maxColumns {
		errs.Addf(startOf(t.File), "%s", tooManyColumns(len(header)))
		return
	}
	for i, name := range header {
		cell := Cell{Pos: r.pos(i), Text: strings.TrimSpace(name)}
		r.names = append(r.names, cell.Text)
		if !t.addColumn(cell) && cell.Text != "" {
			errs.Addf(cell.Pos, "column %q is given twice, first at %s", source.Shorten(cell.Text, 80), t.Columns[t.column[cell.Text]].Pos)
		}
	}
	for {
		record, ok := r.readRecord()
		if !ok || !r.addRecord(record) {
			return
		}
	}
}

// readRecord returns the next record. It reports records with mistakes, such as a quote in the wrong place.
func (r *commaReader) readRecord() (record []string, ok bool) {
	for {
		record, err := r.Read()
		var broken *csv.ParseError
		switch {
		case err == nil:
			return record, true
		case errors.Is(err, io.EOF):
			return nil, false
		case errors.As(err, &broken):
			r.errs.Addf(r.place(broken.Line, broken.Column), "is not valid CSV: %s", advice(broken.Err))
		default:
			r.errs.Addf(source.Pos{File: r.file}, "cannot be read: %s", err)
			return nil, false
		}
	}
}

// advice returns the text of a mistake, with advice on how to correct it.
func advice(err error) string {
	switch {
	case errors.Is(err, csv.ErrBareQuote):
		return `a quote in a cell without quotes around it; put the cell in quotes, and write each quote in it twice`
	case errors.Is(err, csv.ErrQuote):
		return `a quote that ends no cell, or one that is missing; write each quote in a cell twice`
	}
	return err.Error()
}

// addRecord adds a record, which is the reader's last one, and reports whether reading continues.
func (r *commaReader) addRecord(record []string) bool {
	row := Row{Pos: r.pos(0), Cells: map[string]Cell{}}
	if len(record) != len(r.names) {
		r.errs.Addf(row.Pos, "the row has %s, expected %d as in the header", cells(len(record)), len(r.names))
		return true
	}
	for i, name := range r.names {
		row.Cells[name] = Cell{Pos: r.pos(i), Text: record[i]}
	}
	return r.to.addRow(row, r.errs)
}

// pos returns the position of a cell of the last record.
func (r *commaReader) pos(cell int) source.Pos { return r.place(r.FieldPos(cell)) }

// place returns a position with its column counted in characters.
func (r *commaReader) place(line, col int) source.Pos {
	at := source.Pos{File: r.file, Line: line, Col: 1}
	if line < 1 || line > len(r.lines) {
		return at
	}
	text := r.lines[line-1]
	return at.After(text[:min(max(col-1, 0), len(text))])
}
