package catalog

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/schema"
)

// ForAppsOnly reports whether a server advertises the tool for the user interfaces of MCP Apps and not for models: its
// _meta.ui.visibility is a list that lacks "model". The extension has it that a host "MUST NOT include tools in the
// agent's tool list when their visibility does not include "model"", and that both may use a tool without the list.
func (t *Tool) ForAppsOnly() bool { return t.appsOnly }

// Hides reports whether a catalog has a tool, by its name or its qualified id, that no model is offered.
func (c *Catalog) Hides(name string) bool {
	return slices.ContainsFunc(c.Hidden, func(t *Tool) bool { return t.Name == name || t.Ref().ID() == name })
}

// ListsNone says that a catalog has no tool that models are offered, to follow its name.
func (c *Catalog) ListsNone() string {
	if len(c.Hidden) > 0 {
		return fmt.Sprintf("lists no tools that models are offered, expected at least one; %d are hidden from models", len(c.Hidden))
	}
	return "lists no tools, expected at least one"
}

// hidesFromModels reports whether the _meta of a tool hides it from models. A value that is not a list hides nothing.
func hidesFromModels(meta jsontext.Value) bool {
	if !bytes.Contains(meta, []byte("visib")) && !bytes.Contains(meta, []byte(`\u`)) {
		return false // most have none, and need not be decoded
	}
	visibility := schema.Decode(meta).Get("ui").Get("visibility")
	isModel := func(n *schema.Node) bool { return n.IsString() && n.Text == "model" }
	return visibility.IsList() && !slices.ContainsFunc(visibility.Items, isModel)
}
