package catalog

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/schema"
)

// bareSchema returns the RFC 8785 form of an input schema without the keywords title and description; arguments with
// these names are kept.
func bareSchema(input *schema.Node) string {
	return string(canonical(input.Without("title", "description").AppendJSON(nil)))
}

func argumentNames(input *schema.Node) []string {
	properties := input.Get("properties")
	if !properties.IsObject() {
		return nil
	}
	return slices.Sorted(slices.Values(properties.Keys))
}

// hints returns the normal form of the hints in a tool's annotations; null counts as absent.
func hints(annotations jsontext.Value) string {
	var text []byte
	all := schema.Decode(annotations)
	for _, key := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
		if value := all.Get(key); !value.Is('n') {
			text = value.AppendJSON(text)
		}
		text = append(text, ',')
	}
	return string(text)
}
