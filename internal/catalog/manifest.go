package catalog

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/jsonread"
	"github.com/org/mcp-gates/internal/schema"
)

// Manifest is a manifest.json of an MCP bundle (MCPB, before that DXT). It lists tools for people who look for a server: their names and
// descriptions, and no schemas. See https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md, of which 0.4 is the newest version.
type Manifest struct {
	Key       string // manifest_version or dxt_version, by which it is known
	Version   string // "" where it is not text
	Generated bool   // tools_generated: the server makes further tools when it runs
}

// Unlisted reports whether the server may have tools that the catalog does not list.
func (c *Catalog) Unlisted() bool { return c.Manifest != nil && c.Manifest.Generated }

// SchemasUnknown returns how many tools have no known schema.
func (c *Catalog) SchemasUnknown() int {
	n := 0
	if c == nil {
		return n
	}
	for _, t := range c.Tools {
		if t.SchemaUnknown {
			n++
		}
	}
	return n
}

// IsPartial reports whether the catalog is not all that a server sends: nobody can be offered its tools, or be held to them.
func (c *Catalog) IsPartial() bool { return c.Unlisted() || c.SchemasUnknown() > 0 }

// PartialNotice says what a catalog lacks that only a manifest has, and what has it; to follow its name.
const PartialNotice = `is a manifest, which has no schemas of tools, expected all that the server sends; ` + snapshotWrites

// ofManifest are the keys of a manifest that say more of its tools; others are skipped.
type ofManifest struct {
	Manifest
	isFound bool
}

// manifestKeys are those by which a manifest is known.
var manifestKeys = []string{"manifest_version", "dxt_version"}

func (m *ofManifest) member(r *jsonread.Reader, key string) {
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

// list notes that tools stand in a manifest. One with an input schema is known nevertheless.
func (m *ofManifest) list(c *parser, tools []*Tool) {
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

// WithoutSchema returns the tool as a manifest has it.
func (t *Tool) WithoutSchema() *Tool {
	one := *t
	one.forgetSchema()
	return &one
}

func (t *Tool) forgetSchema() {
	t.SchemaUnknown, t.appsOnly = true, false
	t.InputSchema, t.OutputSchema, t.Annotations, t.Meta, t.Title = nil, nil, nil, nil, ""
	t.input, t.Raw = nil, t.compose(nil)
}
