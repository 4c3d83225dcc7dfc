package catalog

import (
	"bytes"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/schema"
	"github.com/org/mcp-gates/internal/source"
)

type toolReader struct {
	*parser
	tool          *Tool
	what          string   // how messages name the tool
	hasServer     bool     // the tool belongs to a named server, even if it names another server
	unknown       []string // unknown keys before the name
	nameAt        int      // offset of the name, -1 before it was read
	descriptionAt int      // offset of the description, -1 before it was read
	foreign       foreignSchema
	functionSpan  [2]int                 // start and end offset of the object in which chat completions keep a tool; 0 if there is none
	spelled       map[string]spelledName // values under other programs' keys, by MCP's key
}

// spelledName is the value of an MCP field under another program's key.
type spelledName struct {
	key   string
	at    int
	value jsontext.Value
}

// spellings are the names that other programs have for fields of MCP: Anthropic's API and "fastmcp inspect" write
// input_schema, OpenAI's APIs parameters. If a tool has several keys for a field, MCP's own key counts, otherwise the
// first in this list.
var spellings = []struct{ field, key string }{
	{"inputSchema", "input_schema"},
	{"inputSchema", "parameters"},
	{"outputSchema", "output_schema"},
}

// readTool reads the next tool. It belongs to server or, if server is "", to the server that the tool names.
func (p *parser) readTool(what, server string) {
	start := int(p.r.Offset())
	t := &toolReader{
		parser: p, tool: &Tool{Server: server, lines: p.lines, start: start},
		what: what, hasServer: server != "", nameAt: -1, descriptionAt: -1,
	}
	if !p.r.Fields(what, t.readMember) {
		return
	}
	switch {
	case t.nameAt < 0:
		p.r.Mistakef(int64(start), `%s has no "name"%s`, what, similarKeyHint(t.unknown, []string{"name"}))
		return
	case t.hasNameOutsideFunction():
		p.r.Mistakef(int64(t.functionSpan[0]), `%s has a "function" beside its "name", expected one of them`, what)
		return
	case t.lacksSchema() && t.foreign.isSchema():
		p.r.Mistakef(int64(t.foreign.at), `%s has its input schema under %q, expected "inputSchema", as MCP's tools/list has it; %s`, what, t.foreign.key, snapshotAdvice)
		return
	}
	t.setDerived()
	p.tools = append(p.tools, t.tool)
}

func (t *toolReader) hasNameOutsideFunction() bool {
	start, end := t.functionSpan[0], t.functionSpan[1]
	return end > 0 && (t.nameAt < start || t.nameAt > end)
}

func (t *toolReader) lacksSchema() bool {
	return t.tool.InputSchema == nil && t.spelled["inputSchema"].key == ""
}

func (t *toolReader) readMember(key string) {
	at := int(t.r.Offset())
	switch key {
	case "name":
		t.tool.Name, _ = t.r.Word(`"name" of ` + t.what)
		t.nameAt = at
	case "description":
		t.readDescription(at)
	case "inputSchema":
		t.tool.InputSchema, t.tool.inputAt = t.r.Raw(), at
	case "outputSchema":
		t.tool.OutputSchema = t.r.Raw()
	case "annotations":
		t.tool.Annotations = t.r.Raw()
	case "server":
		if !t.hasServer && t.r.Kind() == '"' {
			t.tool.Server, _ = t.r.Word(`"server" of ` + t.what)
		}
	case "_meta":
		t.tool.Meta = t.r.Raw()
		t.tool.appsOnly = hidesFromModels(t.tool.Meta)
	case "title":
		if t.r.Kind() == '"' {
			t.tool.Title, _ = t.r.String(`"title" of ` + t.what)
		} else {
			t.r.Skip() // any other value counts as missing, and a second title as given twice
		}
	case "execution":
		// The value is skipped, because it is never a schema.
	case "function":
		if t.lines != nil && t.r.Kind() == '{' {
			t.r.Fields(`"function" of `+t.what, t.readMember)
			t.functionSpan = [2]int{at, int(t.r.Offset())}
		}
	default:
		if t.readSpelled(key, at) {
			return
		}
		if t.nameAt < 0 {
			t.unknown = append(t.unknown, key)
		}
		if t.lines != nil && t.foreign.key == "" && t.r.Kind() == '{' {
			t.foreign = foreignSchema{key, at, t.r.Raw()}
		}
	}
}

// readSpelled keeps the value of another program's key for a field of MCP. Only an object can be a schema.
func (t *toolReader) readSpelled(key string, at int) bool {
	for _, s := range spellings {
		if s.key != key || t.lines == nil || t.r.Kind() != '{' {
			continue
		}
		if t.spelled == nil {
			t.spelled = map[string]spelledName{}
		}
		if t.spelled[s.field].key == "" || key == "input_schema" {
			t.spelled[s.field] = spelledName{key, at, t.r.Raw()}
		}
		return true
	}
	return false
}

func (t *toolReader) useSpelled() {
	used := t.functionSpan[1] > 0
	if in := t.spelled["inputSchema"]; t.tool.InputSchema == nil && in.key != "" {
		t.tool.InputSchema, t.tool.inputAt, used = in.value, in.at, true
	}
	if out := t.spelled["outputSchema"]; t.tool.OutputSchema == nil && out.key != "" {
		t.tool.OutputSchema, used = out.value, true
	}
	if used {
		t.tool.Raw = t.tool.asSent()
	}
}

func (t *toolReader) readDescription(at int) {
	t.descriptionAt = at
	if t.r.Null() {
		t.tool.emptyDescription = []byte("null")
		return
	}
	text, ok := t.r.String(`"description" of ` + t.what)
	if len(text) > source.MaxDescription {
		t.r.Mistakef(int64(at), `"description" of %s is %d bytes long, at most %d are read`, t.what, len(text), source.MaxDescription)
	}
	if ok && text == "" {
		t.tool.emptyDescription = []byte(`""`)
	}
	t.tool.Description = text
}

// setDerived sets the fields of the tool that depend on its whole text.
func (t *toolReader) setDerived() {
	// Between the end of the tool and the next item of the list there is white space and at most one comma.
	next := min(int(t.r.Offset()), len(t.data))
	end := bytes.LastIndexByte(t.data[:next], '}') + 1
	if end <= t.tool.start {
		return // a syntax error follows, and the catalog is dropped
	}
	t.tool.Raw = t.data[t.tool.start:end:end]
	if t.lines == nil {
		return
	}
	t.useSpelled()
	input := t.tool.InputSchema
	t.tool.input = sync.OnceValue(func() *schema.Node { return schema.Decode(input) })
	t.tool.Pos = t.lines.pos(t.nameAt)
	t.tool.DescriptionPos = t.tool.Pos
	if t.descriptionAt >= 0 {
		t.tool.DescriptionPos = t.lines.pos(t.descriptionAt)
	}
}
