package mock

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/org/mcp-gates/internal/catalog"
)

// Definition describes a mock server. It never changes after it is made, so servers may share it.
type Definition struct {
	name         string
	version      string
	instructions string
	pageSize     int // 0: everything on one page
	tools        []*tool
	resources    []*resource
	prompts      []*prompt
}

// tool is a tool with its answers. A tool without responses answers with its name and arguments.
type tool struct {
	name      string
	raw       jsontext.Value // the tool's JSON in the list of tools
	responses []response     // responses, in the order in which they are tried
}

// response is one answer of a tool.
type response struct {
	when    tree // the arguments of the calls that get this response; all calls if it has no keys
	result  tree // result of the call, with variables in its texts
	isError bool
}

type resource struct {
	listed  mcp.Resource
	content mcp.ResourceContents
}

type prompt struct {
	listed   mcp.Prompt
	messages tree // messages with variables in their texts
}

// defaultName is the name of a server whose file has no name.
const defaultName = "mock"

// FromCatalog returns a server with the tools and the instructions of a catalog from [catalog.Read]. The tools are exactly as written
// and have the catalog's order, but tools that only apps see come last. A tool that occurs twice is listed twice. The server has the
// name of the catalog's only server. If the catalog has several servers, the name is "mock".
func FromCatalog(cat *catalog.Catalog) *Definition {
	d := &Definition{name: defaultName, version: defaultVersion}
	if len(cat.Instructions) == 1 { // a server can have only one text of instructions
		d.instructions = cat.Instructions[0].Text
	}
	all := cat.All()
	for i, t := range all {
		d.tools = append(d.tools, &tool{name: t.Name, raw: t.Raw})
		switch {
		case i == 0 && t.Server != "":
			d.name = t.Server
		case t.Server != all[0].Server:
			d.name = defaultName
		}
	}
	return d
}

// answerCall returns the result of a call of the tool with the arguments in raw.
func (t *tool) answerCall(raw json.RawMessage, args map[string]any) (*mcp.CallToolResult, error) {
	if len(t.responses) == 0 {
		return t.echo(raw), nil
	}
	for _, r := range t.responses {
		if r.when.matchesObject(args) {
			return r.fillAnswer(args)
		}
	}
	return toolError("no response of the manifest matches these arguments"), nil
}

func (t *tool) echo(args json.RawMessage) *mcp.CallToolResult {
	if len(args) == 0 || string(args) == "null" {
		args = json.RawMessage("{}")
	}
	text := append(appendQuoted([]byte(`{"name":`), t.name), `,"args":`...)
	text = append(append(text, args...), '}')
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}
}

// fillAnswer returns the scripted answer, with its variables replaced by the arguments.
func (r response) fillAnswer(args map[string]any) (*mcp.CallToolResult, error) {
	e := &expansion{args: args}
	result := &mcp.CallToolResult{}
	text := r.result.appendTo(nil, e.expand)
	if e.err != nil {
		return toolError(e.err.Error()), nil
	}
	if err := json.Unmarshal(text, result); err != nil {
		return nil, err
	}
	result.IsError = r.isError
	if structured, ok := r.result.get("structuredContent"); ok {
		// Decoding would lose the order of the keys.
		result.StructuredContent = json.RawMessage(structured.appendTo(nil, (&expansion{args: args}).expand))
	}
	return result, nil
}

// toolError returns an answer that explains the error to the model.
func toolError(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: true}
}
