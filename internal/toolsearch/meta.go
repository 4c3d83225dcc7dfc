package toolsearch

import (
	"bytes"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/schema"
)

// Keys of a tool's _meta that Claude Code reads.
const (
	alwaysLoad = "alwaysLoad"
	searchHint = "searchHint"
)

func alwaysLoads(t *catalog.Tool) bool {
	value := metaOf(t, alwaysLoad)
	return value != nil && value.Kind == 't'
}

func hintOf(t *catalog.Tool) string {
	if value := metaOf(t, searchHint); value.IsString() {
		return cutUnits(value.Text)
	}
	return ""
}

// metaOf returns the value of one of Anthropic's keys, or nil. Few tools have such keys, and other tools are not
// decoded.
func metaOf(t *catalog.Tool, key string) *schema.Node {
	if !bytes.Contains(t.Meta, []byte(key)) && !bytes.Contains(t.Meta, []byte(`\u`)) {
		return nil
	}
	return schema.DecodeObject(t.Meta).Get("anthropic/" + key)
}
