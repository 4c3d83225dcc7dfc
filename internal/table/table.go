// Package table reads tables of texts, CSV and JSON Lines, and knows where each cell stands.
//
// [Read] returns the rows of a file, each with the cells that its caller asks for by the name of their column. All mistakes of a file
// are found at once. A format is one function that fills a [Table].
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

// maxColumns bounds the columns of a table: messages list them.
const maxColumns = 200

// Table is a file that was read.
type Table struct {
	File    string
	Columns []Cell // the names of the columns; of JSON Lines those of all rows, each where it first stands
	Rows    []Row

	column map[string]int // by name
}

// Row is a row of a table.
type Row struct {
	Pos   source.Pos
	Cells map[string]Cell // by the name of the column
}

// Cell is a text. In JSON Lines it can be a list of texts and of lists of texts, too.
type Cell struct {
	Pos     source.Pos
	Text    string // of a value that is neither text nor list: as it is written
	Items   []Cell
	IsList  bool
	IsOther bool // it is neither text nor list
}

// Reads reports whether the name of a file has one of those endings.
func Reads(file string) bool {
	return slices.Contains([]string{".csv", ".jsonl", ".ndjson"}, ending(file))
}

func ending(file string) string { return strings.ToLower(path.Ext(file)) }

// Formats are the endings of the files that are read.
const Formats = ".csv, .jsonl or .ndjson"

// Read reads a table; the ending of file says which format it has. Rows with mistakes are left out.
func Read(file string, data []byte) (*Table, source.Errors) {
	if ending(file) == ".csv" {
		return ReadCSV(file, data)
	}
	return ReadLines(file, data)
}

// ReadCSV is [Read] of CSV, whatever the file is called.
func ReadCSV(file string, data []byte) (*Table, source.Errors) {
	return read(file, data, (*Table).readCSV)
}

// ReadLines is [Read] of JSON Lines, whatever the file is called.
func ReadLines(file string, data []byte) (*Table, source.Errors) {
	return read(file, data, (*Table).readLines)
}

func read(file string, data []byte, rows func(*Table, []byte, *source.Errors)) (*Table, source.Errors) {
	t := &Table{File: file, column: map[string]int{}}
	var errs source.Errors
	if at := InvalidUTF8(data); at >= 0 {
		errs.Addf(start(file).After(trim(data[:at])), "is not valid UTF-8: found byte %#x", data[at])
		return t, errs
	}
	rows(t, trim(data), &errs)
	if len(t.Rows) == 0 && len(errs) == 0 {
		errs.Addf(start(file), "has no rows, expected at least one")
	}
	return t, errs.Sorted()
}

// trim takes away a byte order mark, which spreadsheets write.
func trim(data []byte) []byte { return bytes.TrimPrefix(data, []byte(source.ByteOrderMark)) }

func start(file string) source.Pos { return source.Pos{File: file, Line: 1, Col: 1} }

// InvalidUTF8 returns the offset of the first byte that is not part of a character; -1 when there is none.
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

// addColumn notes a column, and reports whether it is a new one.
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

// addRow adds a row, unless there are too many, and reports whether more are read.
func (t *Table) addRow(row Row, errs *source.Errors) bool {
	if len(t.Rows) == MaxRows {
		errs.Addf(row.Pos, "holds more than %d rows", MaxRows)
		return false
	}
	t.Rows = append(t.Rows, row)
	return true
}

// tooMany says that a table has too many columns.
func tooMany(n int) string {
	return fmt.Sprintf("has %d columns, at most %d are read", n, maxColumns)
}
