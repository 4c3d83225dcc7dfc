package imports

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/trace"
)

// mcpTool is a tool in MCP's form, its keys in the order in which they are written.
type mcpTool struct {
	Name         string         `json:"name"`
	Description  string         `json:"description,omitzero"`
	InputSchema  jsontext.Value `json:"inputSchema,omitzero"`
	OutputSchema jsontext.Value `json:"outputSchema,omitzero"`
	Annotations  jsontext.Value `json:"annotations,omitzero"`
}

// Tool returns a tool in MCP's form, as [Session.Offer] takes it. The schema is nil where the log has none.
func Tool(name, description string, schema jsontext.Value) jsontext.Value {
	text, err := json.Marshal(mcpTool{Name: name, Description: description, InputSchema: schema}, lenient)
	if err != nil {
		return nil // the schema is no JSON
	}
	return text
}

// offered returns the server and the name of an offered tool, and the tool under this name. ok is false for what is no
// tool, and for the agent's own tools.
func (a *assembly) offered(t offered) (catalog.Ref, jsontext.Value, bool) {
	var tool mcpTool
	t.Tool = readable(t.Tool)
	if len(t.Tool) == 0 || json.Unmarshal(t.Tool, &tool, lenient) != nil || tool.Name == "" {
		a.in.account.leaveOut(outOffered)
		return catalog.Ref{}, nil, false
	}
	ref := a.in.names.ref(a.session.sink.format, t.Server, tool.Name)
	if ref.Server == trace.BuiltinServer {
		return ref, nil, false
	}
	if ref.Name == tool.Name {
		return ref, t.Tool, true
	}
	tool.Name = ref.Name
	text, err := json.Marshal(tool, lenient)
	return ref, text, err == nil
}

// definition returns a tool that a model was offered in MCP's form, from the forms of the providers and of the conventions;
// nil for what is none.
func definition(raw jsontext.Value, depth int) jsontext.Value {
	var d struct {
		Name        word           `json:"name"`
		Description word           `json:"description"`
		Function    jsontext.Value `json:"function"`
		Tool        jsontext.Value `json:"tool"` // of OpenInference
		Parameters  jsontext.Value `json:"parameters"`
		Schema      jsontext.Value `json:"json_schema"`
		Input       jsontext.Value `json:"input_schema"`
		MCPInput    jsontext.Value `json:"inputSchema"`
	}
	if raw.Kind() == '"' {
		raw = jsonIn(unquote(raw))
	}
	if depth > maxWrapped || raw.Kind() != '{' || json.Unmarshal(raw, &d, lenient) != nil {
		return nil
	}
	for _, inner := range []jsontext.Value{d.Function, d.Tool} {
		if inner.Kind() == '{' {
			return definition(inner, depth+1)
		}
	}
	if d.Name == "" {
		return definition(d.Schema, depth+1)
	}
	for _, schema := range []jsontext.Value{d.Parameters, d.Input, d.MCPInput, d.Schema} {
		if schema.Kind() == '"' {
			schema = jsonIn(unquote(schema))
		}
		if schema.Kind() == '{' {
			return Tool(string(d.Name), string(d.Description), schema)
		}
	}
	return Tool(string(d.Name), string(d.Description), nil)
}
