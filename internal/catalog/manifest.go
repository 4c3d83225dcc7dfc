package catalog

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/jsonread"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/schema"
)

// Manifest is a manifest.json of an MCP bundle (MCPB, formerly DXT). It lists the names and descriptions of tools, without
// schemas, for people who look for a server. See https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md (version
// 0.4).
type Manifest struct {
	Key       string // manifest_version or dxt_version, which identifies a manifest
	Version   string // "" if it is not a text
	Generated bool   // tools_generated: the server offers further tools at run time
}

// Unlisted reports whether the server may have tools that the catalog does not list.
func (c *Catalog) Unlisted() bool { return c.Manifest != nil && c.Manifest.Generated }

// SchemasUnknown returns the number of tools without a known schema.
func (c *Catalog) SchemasUnknown() int {
	if c == nil {
		return 0
	}
	return lists.Count(c.Tools, func(t *Tool) bool { return t.SchemaUnknown })
}

// IsPartial reports whether a server sends more than the catalog has. Agents cannot be offered the tools of a partial
// catalog, or be checked against them.
func (c *Catalog) IsPartial() bool { return c.Unlisted() || c.SchemasUnknown() > 0 }

// PartialNotice follows the name of a catalog that is only a manifest. It names the missing parts, and the way to get them.
const PartialNotice = `is a manifest, which has no schemas of tools, expected all that the server sends; ` + snapshotAdvice

// manifestReader holds the values of a manifest that concern its tools.
type manifestReader struct {
	Manifest
	isFound bool
}

// manifestKeys are the keys that identify a manifest.
var manifestKeys = []string{"manifest_version", "dxt_version"}

func (m *manifestReader) readMember(r *jsonread.Reader, key string) {
	switch {
	case slices.Contains(manifestKeys, key):
		m.isFound, m.Key, m.Version = true, key, textOf(r.Raw())
	case key == "tools_generated":
		m.Generated = r.Kind() == 't'
	}
}

func textOf(value jsontext.Value) string {
	if n := schema.Decode(value); n.IsString() {
		return n.Text
	}
	return ""
}

// markTools marks tools as tools of a manifest. The schema of a tool with an input schema counts as known anyway.
func (m *manifestReader) markTools(c *parser, tools []*Tool) {
	if c.manifest == nil {
		found := m.Manifest
		c.manifest = &found
	}
	c.manifest.Generated = c.manifest.Generated || m.Generated
	for _, t := range tools {
		if len(t.InputSchema) == 0 || t.InputSchema.Kind() == 'n' {
			t.forgetSchema()
		}
	}
}

// WithoutSchema returns a copy of the tool as a manifest would list it.
func (t *Tool) WithoutSchema() *Tool {
	one := *t
	one.forgetSchema()
	return &one
}

func (t *Tool) forgetSchema() {
	t.SchemaUnknown, t.appsOnly = true, false
	t.InputSchema, t.OutputSchema, t.Annotations, t.Meta, t.Title = nil, nil, nil, nil, ""
	t.input, t.Raw = nil, t.appendHashed(nil)
}
