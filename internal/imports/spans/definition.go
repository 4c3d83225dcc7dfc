package spans

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

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
		Input       jsontext.Value `json:"input_schema,case:ignore"` // or inputSchema
	}
	if raw.Kind() == '"' {
		raw = jsonIn(logs.Unquote(raw))
	}
	if depth > maxWrapped || raw.Kind() != '{' || json.Unmarshal(raw, &d, logs.Lenient) != nil {
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
	for _, schema := range []jsontext.Value{d.Parameters, d.Input, d.Schema} {
		if schema.Kind() == '"' {
			schema = jsonIn(logs.Unquote(schema))
		}
		if schema.Kind() == '{' {
			return logs.Tool(string(d.Name), string(d.Description), schema)
		}
	}
	return logs.Tool(string(d.Name), string(d.Description), nil)
}
