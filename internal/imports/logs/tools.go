package logs

import (
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/trace"
)

// MCPTool is a tool in MCP's form, its keys in the order in which they are written.
type MCPTool struct {
	Name         string         `json:"name"`
	Description  string         `json:"description,omitzero"`
	InputSchema  jsontext.Value `json:"inputSchema,omitzero"`
	OutputSchema jsontext.Value `json:"outputSchema,omitzero"`
	Annotations  jsontext.Value `json:"annotations,omitzero"`
}

// Tool returns a tool in MCP's form, for [Session.Offer]; nil if it cannot be read. The schema is nil if the log has none.
func Tool(name, description string, schema jsontext.Value) jsontext.Value {
	text, err := json.Marshal(MCPTool{Name: name, Description: description, InputSchema: schema}, Lenient)
	if err != nil {
		return nil // the schema is not JSON
	}
	return text
}

// errOffered is the error for an element of a list of tools that is not a tool.
var errOffered = errors.New("an offered tool cannot be read")

// offeredTool returns the server and the name of an offered tool, and the tool renamed to this name; the tool is nil for the
// agent's own tools.
func (a *assembly) offeredTool(t Offered) (catalog.Ref, jsontext.Value, error) {
	var tool MCPTool
	t.Tool = repairUTF8(t.Tool)
	if len(t.Tool) == 0 || json.Unmarshal(t.Tool, &tool, Lenient) != nil || tool.Name == "" {
		return catalog.Ref{}, nil, errOffered
	}
	ref := a.in.names.ref(a.session.sink.format, t.Server, tool.Name)
	if ref.Server == trace.BuiltinServer {
		return ref, nil, nil
	}
	if ref.Name == tool.Name {
		return ref, t.Tool, nil
	}
	tool.Name = ref.Name
	text, err := json.Marshal(tool, Lenient)
	if err != nil {
		return ref, nil, errOffered
	}
	return ref, text, nil
}
