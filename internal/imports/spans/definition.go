package spans

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

// offer adds the tools of a definition that a model was given: one tool, or a server with several.
func offer(s *logs.Session, raw jsontext.Value) {
	tool, isTool := definition(raw, 0)
	var of struct {
		Type  word           `json:"type"`
		Name  word           `json:"name"`
		Tools jsontext.Value `json:"tools"`
	}
	_ = json.Unmarshal(objectIn(raw), &of, logs.Lenient) // any other value has no type
	switch {
	case of.Type == "namespace":
		for _, one := range logs.ElementsOf(of.Tools) {
			if inner, ok := definition(one, 0); ok {
				inner.Server = string(of.Name)
				s.Offer(inner)
			}
		}
	case of.Type == "mcp" || of.Type == "mcp_toolset": // the list does not contain their tools
		if logs.Defers(objectIn(raw)) {
			s.DeferSome()
		} else if of.Type == "mcp_toolset" {
			s.Offer(logs.Offered{}) // the list is unknown
		}
	case strings.HasPrefix(string(of.Type), "tool_search"):
	case isTool:
		s.Offer(tool)
	}
}

// definition returns an offered tool in MCP's form, from the forms of the providers and of the conventions; ok is false if raw
// is not a tool.
func definition(raw jsontext.Value, depth int) (tool logs.Offered, ok bool) {
	var d struct {
		Deferred    truth          `json:"defer_loading"`
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
		return tool, false
	}
	for _, inner := range []jsontext.Value{d.Function, d.Tool} {
		if inner.Kind() == '{' {
			tool, ok = definition(inner, depth+1)
			tool.Deferred = tool.Deferred || bool(d.Deferred)
			return tool, ok
		}
	}
	if d.Name == "" {
		tool, ok = definition(d.Schema, depth+1)
		tool.Deferred = tool.Deferred || bool(d.Deferred)
		return tool, ok
	}
	tool.Deferred = bool(d.Deferred)
	for _, schema := range []jsontext.Value{d.Parameters, d.Input, d.Schema} {
		if schema.Kind() == '"' {
			schema = jsonIn(logs.Unquote(schema))
		}
		if schema.Kind() == '{' {
			tool.Tool = logs.Tool(string(d.Name), string(d.Description), schema)
			return tool, tool.Tool != nil
		}
	}
	tool.Tool = logs.Tool(string(d.Name), string(d.Description), nil)
	return tool, tool.Tool != nil
}
