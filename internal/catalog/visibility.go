package catalog

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/schema"
)

// ForAppsOnly reports whether a server lists the tool only for the user interfaces of MCP Apps, not for models: its
// _meta.ui.visibility is a list without "model". The extension requires that a host "MUST NOT include tools in the agent's tool
// list when their visibility does not include "model"". A tool without the list is visible to models.
func (t *Tool) ForAppsOnly() bool { return t.appsOnly }

// Hides reports whether a catalog has a hidden tool with this name or qualified id.
func (c *Catalog) Hides(name string) bool {
	return slices.ContainsFunc(c.Hidden, func(t *Tool) bool { return t.Name == name || t.Ref().ID() == name })
}

// ListsNone returns the message that a catalog has no tools for models. It follows the catalog's name.
func (c *Catalog) ListsNone() string {
	if len(c.Hidden) > 0 {
		return fmt.Sprintf("lists no tools that models are offered, expected at least one; %d are hidden from models", len(c.Hidden))
	}
	return "lists no tools, expected at least one"
}

// hidesFromModels reports whether the _meta of a tool hides the tool from models. A value that is not a list hides
// nothing.
func hidesFromModels(meta jsontext.Value) bool {
	if !bytes.Contains(meta, []byte("visib")) && !bytes.Contains(meta, []byte(`\u`)) {
		return false // most tools have no visibility, and are not decoded
	}
	visibility := schema.Decode(meta).Get("ui").Get("visibility")
	isModel := func(n *schema.Node) bool { return n.IsString() && n.Text == "model" }
	return visibility.IsList() && !slices.ContainsFunc(visibility.Items, isModel)
}
