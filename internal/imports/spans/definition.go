package spans

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

// offerDefinition adds the tools of a definition that a model was given. A definition is one tool, or a server with several tools.
func offerDefinition(s *logs.Session, raw jsontext.Value) {
	tool, isTool := readDefinition(raw, 0)
	var entry struct {
		Type  word           `json:"type"`
		Name  word           `json:"name"`
		Tools jsontext.Value `json:"tools"`
	}
	_ = json.Unmarshal(objectIn(raw), &entry, logs.Lenient) // any other value has no type
	switch {
	case entry.Type == "namespace":
		for _, one := range logs.ElementsOf(entry.Tools) {
			if inner, ok := readDefinition(one, 0); ok {
				inner.Server = string(entry.Name)
				s.Offer(inner)
			}
		}
	case entry.Type == "mcp" || entry.Type == "mcp_toolset": // a server, whose tools the definition does not list
		if logs.Defers(objectIn(raw)) {
			s.DeferSome()
		} else if entry.Type == "mcp_toolset" {
			s.Offer(logs.Offered{}) // makes the list of offered tools unknown
		}
	case strings.HasPrefix(string(entry.Type), "tool_search"): // the search itself is not a tool of a server
	case isTool:
		s.Offer(tool)
	}
}

// readDefinition returns an offered tool in MCP's form, from the forms of the providers and of the conventions; ok is false if raw
// is not a tool.
func readDefinition(raw jsontext.Value, depth int) (tool logs.Offered, ok bool) {
	var d struct {
		Deferred    truth          `json:"defer_loading"`
		Name        word           `json:"name"`
		Description word           `json:"description"`
		Function    jsontext.Value `json:"function"`
		Tool        jsontext.Value `json:"tool"` // written by OpenInference
		Parameters  jsontext.Value `json:"parameters"`
		Schema      jsontext.Value `json:"json_schema"`
		Input       jsontext.Value `json:"input_schema,case:ignore"` // or inputSchema
	}
	raw = objectIn(raw)
	if depth > maxWrapped || raw == nil || json.Unmarshal(raw, &d, logs.Lenient) != nil {
		return tool, false
	}
	for _, inner := range []jsontext.Value{d.Function, d.Tool} {
		if inner.Kind() == '{' {
			tool, ok = readDefinition(inner, depth+1)
			tool.Deferred = tool.Deferred || bool(d.Deferred)
			return tool, ok
		}
	}
	if d.Name == "" {
		tool, ok = readDefinition(d.Schema, depth+1)
		tool.Deferred = tool.Deferred || bool(d.Deferred)
		return tool, ok
	}
	tool.Deferred = bool(d.Deferred)
	for _, schema := range []jsontext.Value{d.Parameters, d.Input, d.Schema} {
		if schema = objectIn(schema); schema != nil {
			tool.Tool = logs.Tool(string(d.Name), string(d.Description), schema)
			return tool, tool.Tool != nil
		}
	}
	tool.Tool = logs.Tool(string(d.Name), string(d.Description), nil)
	return tool, tool.Tool != nil
}
