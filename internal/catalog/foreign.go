package catalog

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/schema"
)

// snapshotAdvice is advice on how to get the catalog of a server.
const snapshotAdvice = `"mcp-gates snapshot" writes the tools of a server`

// foreignSchema is an object in a tool under a key that MCP does not define. If the object is an input schema, the tool is
// refused, because it would otherwise be judged as a tool without a schema.
type foreignSchema struct {
	key string // "" for none
	at  int    // offset of the key in the file
	raw jsontext.Value
}

func (f foreignSchema) isSchema() bool {
	if slices.Contains([]string{"input_schema", "parameters", "inputschema", "input"}, strings.ToLower(f.key)) {
		return f.raw != nil
	}
	n := schema.Decode(f.raw)
	return n.DescribesObjects()
}

func looksLikeJSON(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	return len(data) > 0 && (data[0] == '{' || data[0] == '[')
}

// maxKeys bounds the number of keys that an error lists. Further keys are only counted.
const maxKeys = 5

func foundKeys(keys []string) string {
	if len(keys) == 0 {
		return "found none"
	}
	list := lists.Map(keys[:min(len(keys), maxKeys)], func(key string) string { return fmt.Sprintf("%.50q", key) })
	return "found " + lists.AndMore(list, len(keys))
}
