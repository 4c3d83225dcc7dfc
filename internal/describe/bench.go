package describe

import (
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/org/mcp-gates/internal/gates"
)

func bench() *jsonschema.Schema {
	inline := key{name: "catalog", doc: "The tools in place.", of: either(inlineTools(), inlineCatalog())}
	keys := []key{schemaKey(), inline}
	for _, name := range []string{"catalog_path", "intents", "mutations", "min_accuracy", "min_wilson_lower"} {
		keys = append(keys, keyOf(gates.ToolBench, name))
	}
	s := object(keys...)
	s.Title = "A description benchmark of mcp-gates"
	s.OneOf = []*jsonschema.Schema{{Required: []string{"catalog"}}, {Required: []string{"catalog_path"}}}
	return s
}
