// Package table reads tables of texts, as CSV or JSON Lines, with the position of each cell. [Read] returns the rows of a file.
// A cell is found by the name of its column. All mistakes of a file are reported at once. A format is one function that fills a
// [Table].
package table

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/source"
)

// MaxRows bounds the rows of a table.
const MaxRows = 10_000

// maxColumns bounds the columns of a table, because messages list them.
const maxColumns = 200

// Table is a table that was read from a file.
type Table struct {
	File    string
	Columns []Cell // names of the columns; in JSON Lines the keys of all rows, each at its first position
	Rows    []Row

	column map[string]int // by name
}

// Row is a row of a table.
type Row struct {
	Pos   source.Pos
	Cells map[string]Cell // by column name
}

// Cell is a text. In JSON Lines it can also be a list of texts and of lists of texts.
type Cell struct {
	Pos     source.Pos
	Text    string // the text, or the JSON of a value that is neither a text nor a list
	Items   []Cell
	IsList  bool
	IsOther bool // the value is neither a text nor a list
}

// Reads reports whether the name of a file has one of the endings in Formats.
func Reads(file string) bool {
	return slices.Contains([]string{".csv", ".jsonl", ".ndjson"}, ending(file))
}

func ending(file string) string { return strings.ToLower(path.Ext(file)) }

// Formats lists the endings of files that can be read.
const Formats = ".csv, .jsonl or .ndjson"

// Read reads a table in the format of the file's ending. Rows with mistakes are left out.
func Read(file string, data []byte) (*Table, source.Errors) {
	if ending(file) == ".csv" {
		return ReadCSV(file, data)
	}
	return ReadLines(file, data)
}

// ReadCSV does what [Read] does for CSV, whatever the file's name is.
func ReadCSV(file string, data []byte) (*Table, source.Errors) {
	return readTable(file, data, (*Table).readCSV)
}

// ReadLines does what [Read] does for JSON Lines, whatever the file's name is.
func ReadLines(file string, data []byte) (*Table, source.Errors) {
	return readTable(file, data, (*Table).readLines)
}

func readTable(file string, data []byte, rows func(*Table, []byte, *source.Errors)) (*Table, source.Errors) {
	t := &Table{File: file, column: map[string]int{}}
	var errs source.Errors
	if at := InvalidUTF8(data); at >= 0 {
		errs.Addf(startOf(file).After(trim(data[:at])), "is not valid UTF-8: found byte %#x", data[at])
		return t, errs
	}
	rows(t, trim(data), &errs)
	if len(t.Rows) == 0 && len(errs) == 0 {
		errs.Addf(startOf(file), "has no rows, expected at least one")
	}
	return t, errs.Sorted()
}

// trim removes a byte order mark, which spreadsheets write.
func trim(data []byte) []byte { return bytes.TrimPrefix(data, []byte(source.ByteOrderMark)) }

func startOf(file string) source.Pos { return source.Pos{File: file, Line: 1, Col: 1} }

// InvalidUTF8 returns the offset of the first byte that is not part of a character; -1 if there is none.
func InvalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for at := 0; ; {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
}

// addColumn adds a column, and reports whether it is new.
func (t *Table) addColumn(name Cell) bool {
	if _, known := t.column[name.Text]; known {
		return false
	}
	t.column[name.Text] = len(t.Columns)
	t.Columns = append(t.Columns, name)
	return true
}

// Has reports whether the table has a column.
func (t *Table) Has(column string) bool {
	_, ok := t.column[column]
	return ok
}

// Names returns the names of the columns, in their order.
func (t *Table) Names() []string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Text
	}
	return names
}

// addRow adds a row, unless there are too many, and reports whether reading continues.
func (t *Table) addRow(row Row, errs *source.Errors) bool {
	if len(t.Rows) == MaxRows {
		errs.Addf(row.Pos, "holds more than %d rows", MaxRows)
		return false
	}
	t.Rows = append(t.Rows, row)
	return true
}

func tooManyColumns(n int) string {
	return fmt.Sprintf("has %d columns, at most %d are read", n, maxColumns)
}
