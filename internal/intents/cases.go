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
	c := &casesReader{reader: r, json: jsonread.NewBytes(data), data: data, known: r.start()}
	found := false
	switch {
	case c.json.Kind() == '[':
		found = true
		c.readList()
	default:
		c.json.Object("the file", func(key string) {
			if !slices.Contains(casesKeys, key) {
				c.json.Skip()
				return
			}
			found = true
			c.readList()
		})
	}
	c.json.End()
	r.errs = append(r.errs, c.json.Errors(r.list.File, bytes.NewReader(data))...)
	if !found && len(r.errs) == 0 {
		r.errs.Addf(r.start(), `"test_cases" is missing, expected a list of cases there`)
	}
}

type casesReader struct {
	*reader
	json   *jsonread.Reader
	data   []byte
	known  source.Pos // position at offset
	offset int64
}

// pos returns the position of the next value. Positions must be asked for in the order of the values.
func (c *casesReader) pos() source.Pos {
	c.json.Kind() // moves the offset behind white space
	to := min(c.json.Offset(), int64(len(c.data)))
	if to > c.offset {
		c.known, c.offset = c.known.After(c.data[c.offset:to]), to
	}
	return c.known
}

func (c *casesReader) readList() {
	c.json.Array("the list of cases", func(int) {
		if c.isFull {
			c.json.Skip()
			return
		}
		c.readCase()
	})
}

// readCase reads a case as an intent. A case that continues a conversation is left out, because its query depends on the
// conversation.
func (c *casesReader) readCase() {
	at := c.pos()
	var query yamlread.Str
	var tools []yamlread.Str
	hasContext, isUsable := false, true
	isRead := c.json.Fields("the case", func(key string) {
		switch {
		case slices.Contains(askedKeys, key):
			text, ok := c.readText(`"` + key + `"`)
			query, isUsable = text, isUsable && ok
		case slices.Contains(expectedKeys, key):
			tools = append(tools, c.readTools(key)...)
		case slices.Contains(beforeKeys, key):
			hasContext = c.hasValue()
		default:
			c.json.Skip()
		}
	})
	if !isRead || !isUsable {
		return // the reader has reported the mistake
	}
	if hasContext {
		c.leaveOut(at, continuation)
		return
	}
	c.add(at, query, tools)
}

func (c *casesReader) readText(what string) (text yamlread.Str, ok bool) {
	at := c.pos()
	if c.json.Null() {
		return yamlread.Str{Pos: at}, true
	}
	value, ok := c.json.String(what)
	return yamlread.Str{Value: value, Pos: at}, ok
}

// readTools reads the tools under a key: a list, or a text with | between them.
func (c *casesReader) readTools(key string) (tools []yamlread.Str) {
	if c.json.Kind() != '[' {
		text, ok := c.readText(`"` + key + `"`)
		if !ok {
			return nil
		}
		return anyOf(text.Value, text.Pos)
	}
	c.json.Array(`"`+key+`"`, func(int) {
		if tool, ok := c.readText(`an entry of "` + key + `"`); ok {
			tools = append(tools, tool)
		}
	})
	return tools
}

// hasValue skips a value, and reports whether it is not empty.
func (c *casesReader) hasValue() bool {
	value := bytes.TrimSpace(c.json.Compact())
	return !slices.Contains([]string{"", "null", "[]", "{}", `""`}, string(value))
}
