package table

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/source"
)

// TestRead pins texts and places of cells: byte order marks, CRLF, quotes, line breaks and characters of several bytes.
func TestRead(t *testing.T) {
	for _, test := range []struct {
		name, file, data string
		want             []string // PLACE NAME=TEXT of each cell in the order of the columns, or mistakes
	}{
		{"mark, CRLF, quotes", "t.csv", "\ufeffprompt, name\r\n\"a \"\"b\"\"\r\nc\",\u00fc\r\n\u00fcx,\"d\"\r\n", []string{
			"t.csv:2:1 prompt=a \"b\"\nc", "t.csv:3:4 name=\u00fc", "t.csv:4:1 prompt=\u00fcx", "t.csv:4:4 name=d",
		}},
		{"only a header", "t.csv", "prompt\n", []string{"t.csv:1:1: has no rows, expected at least one"}},
		{"nothing", "t.csv", "", []string{"t.csv:1:1: is empty, expected a header with the names of the columns"}},
		{"columns twice", "t.csv", "a,,a,\n1,2,3,4\n", []string{`t.csv:1:4: column "a" is given twice, first at t.csv:1:1`}},
		{"no UTF-8", "t.csv", "\ufeffa\n\u00fc\xff\n", []string{"t.csv:2:2: is not valid UTF-8: found byte 0xff"}},
		{"an old break", "t.csv", "a,b\r1,2\r", []string{"t.csv:1:1: has no rows, expected at least one"}},
		{"lines", "t.jsonl", "\ufeff{\"b\": \"\u00fc\", \"a\": [\"x\", [\"y\"]]}\r\n\r\n{\"a\": null}", []string{
			"t.jsonl:1:7 b=\u00fc", "t.jsonl:1:17 a=[x [y]]", "t.jsonl:3:7 a=null!",
		}},
		{"broken lines", "T.NDJSON", "{\"a\": 1}}\n{\"a\": \"\\ud800\"}\n", []string{
			"T.NDJSON:1:9: is not valid JSON: invalid character '}' at start of value (byte 8)",
			"T.NDJSON:2:8: is not valid JSON: invalid surrogate pair `\\ud800\"}` in string (byte 7)",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			found, errs := Read(test.file, []byte(test.data))
			var got []string
			for _, err := range errs {
				got = append(got, err.Error())
			}
			for _, row := range found.Rows {
				for _, name := range found.Names() {
					if c, ok := row.Cells[name]; ok && len(errs) == 0 {
						got = append(got, fmt.Sprintf("%s %s=%s", c.Pos, name, shown(c)))
					}
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%q (-want +got):\n%s", test.data, diff)
			}
		})
	}
}

func shown(c Cell) string {
	if !c.IsList {
		return c.Text + map[bool]string{true: "!"}[c.IsOther]
	}
	var items []string
	for _, item := range c.Items {
		items = append(items, shown(item))
	}
	return fmt.Sprint(items)
}

// TestBounds pins that a table past its bounds is refused.
func TestBounds(t *testing.T) {
	for name, data := range map[string]string{
		"rows.csv":      "a\n" + strings.Repeat("x\n", MaxRows+1),
		"rows.jsonl":    strings.Repeat("{\"a\": \"x\"}\n", MaxRows+1),
		"columns.csv":   strings.Repeat("a,", maxColumns) + "b\n",
		"columns.jsonl": wide(maxColumns + 1),
	} {
		found, errs := Read(name, []byte(data))
		if len(errs) != 1 || len(found.Rows) > MaxRows {
			t.Errorf("%s: got %d rows and mistakes %v, want one mistake", name, len(found.Rows), errs)
		}
	}
}

func wide(columns int) string {
	var keys []string
	for i := range columns {
		keys = append(keys, fmt.Sprintf(`"k%d": "x"`, i))
	}
	return "{" + strings.Join(keys, ", ") + "}\n"
}

// FuzzRead pins that every cell and every mistake has a place in the file.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", "a\n\"x\ny\"\n", "{\"a\": [\"b\", []]}\n", "\ufeffa\r\n\"\r\n", "{\n\"a\"\n}", "a\n\"x\"y\n,\n"} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, data string, comma bool) {
		file := map[bool]string{true: "t.csv", false: "t.jsonl"}[comma]
		found, errs := Read(file, []byte(data))
		lines := strings.Split(data, "\n")
		check := func(at source.Pos) {
			if at.File != file || at.Line < 0 || at.Line > len(lines) || at.Line > 0 && at.Col > len([]rune(lines[at.Line-1]))+1 {
				t.Errorf("%q has no place %s", data, at)
			}
		}
		for _, err := range errs {
			check(err.Pos)
		}
		for _, row := range found.Rows {
			check(row.Pos)
			for _, c := range row.Cells {
				check(c.Pos)
			}
		}
		if len(found.Rows) == 0 && len(errs) == 0 {
			t.Errorf("%q has neither rows nor mistakes", data)
		}
	})
}
