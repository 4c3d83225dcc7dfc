package intents

import (
	"bytes"
	"slices"

	"github.com/org/mcp-gates/internal/jsonread"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// The keys of a test case: what is asked, which tools are expected, and what was said before.
var (
	askedKeys    = []string{"query", "question", "prompt"}
	expectedKeys = []string{"expectedTools", "expected_tools", "expectedTool", "expected_tool"}
	beforeKeys   = []string{"context", "history"}
)

// readCases reads a JSON list of test cases, or an object that holds one.
func (r *reader) readCases(data []byte) {
	c := &casesReader{reader: r, r: jsonread.NewBytes(data), data: data, at: r.start()}
	found := false
	switch {
	case c.r.Kind() == '[':
		found = true
		c.list()
	default:
		c.r.Object("the file", func(key string) {
			if !slices.Contains(casesKeys, key) {
				c.r.Skip()
				return
			}
			found = true
			c.list()
		})
	}
	c.r.End()
	r.errs = append(r.errs, c.r.Errors(r.list.File, bytes.NewReader(data))...)
	if !found && len(r.errs) == 0 {
		r.errs.Addf(r.start(), `"test_cases" is missing, expected a list of cases there`)
	}
}

// casesReader reads a list of test cases.
type casesReader struct {
	*reader
	r      *jsonread.Reader
	data   []byte
	at     source.Pos // position of the offset up to which places are known
	offset int64
}

// pos returns the position of the next value. Positions must be asked for in the order of the values.
func (c *casesReader) pos() source.Pos {
	c.r.Kind() // moves the offset behind white space
	to := min(c.r.Offset(), int64(len(c.data)))
	if to > c.offset {
		c.at, c.offset = c.at.After(c.data[c.offset:to]), to
	}
	return c.at
}

func (c *casesReader) list() {
	c.r.Array("the list of cases", func(int) {
		if c.full {
			c.r.Skip()
			return
		}
		c.readCase()
	})
}

// readCase reads a case as an intent. A case that continues a conversation is left out, because its query depends on that.
func (c *casesReader) readCase() {
	at := c.pos()
	var query yamlread.Str
	var tools []yamlread.Str
	before, usable := false, true
	read := c.r.Fields("the case", func(key string) {
		switch {
		case slices.Contains(askedKeys, key):
			text, ok := c.text(`"` + key + `"`)
			query, usable = text, usable && ok
		case slices.Contains(expectedKeys, key):
			tools = append(tools, c.tools(key)...)
		case slices.Contains(beforeKeys, key):
			before = c.isSome()
		default:
			c.r.Skip()
		}
	})
	switch {
	case !read || !usable:
	case before:
		c.leaveOut(at, goesOn)
	default:
		c.add(at, query, tools)
	}
}

func (c *casesReader) text(what string) (text yamlread.Str, ok bool) {
	at := c.pos()
	if c.r.Null() {
		return yamlread.Str{Pos: at}, true
	}
	value, ok := c.r.String(what)
	return yamlread.Str{Value: value, Pos: at}, ok
}

// tools reads the tools under a key: a list, or a text with | between them.
func (c *casesReader) tools(key string) (tools []yamlread.Str) {
	if c.r.Kind() != '[' {
		text, ok := c.text(`"` + key + `"`)
		if !ok {
			return nil
		}
		return anyOf(text.Value, text.Pos)
	}
	c.r.Array(`"`+key+`"`, func(int) {
		if tool, ok := c.text(`an entry of "` + key + `"`); ok {
			tools = append(tools, tool)
		}
	})
	return tools
}

// isSome passes a value over, and reports whether it holds anything.
func (c *casesReader) isSome() bool {
	value := bytes.TrimSpace(c.r.Compact())
	return !slices.Contains([]string{"", "null", "[]", "{}", `""`}, string(value))
}
