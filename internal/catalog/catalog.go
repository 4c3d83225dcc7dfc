// Package catalog holds what MCP servers advertise: their tools, each with the place where it stands in the file.
//
// [Read] accepts the shapes in which people keep a tools/list result and keeps every field of a tool as it was
// written, so that token counts and hashes are of the catalog itself and not of our idea of it.
package catalog

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/schema"
	"github.com/org/mcp-gates/internal/source"
)

// Catalog is a list of tools in the order in which they were advertised.
type Catalog struct {
	File   string  // workspace-relative, or the folder or glob of several; "" when it did not come from a file of its own
	Tools  []*Tool // that models are offered
	Hidden []*Tool // that are for apps alone, and that no model is offered; see [Tool.ForAppsOnly]

	Instructions []Instructions // of the servers of which they are known

	Paths    []string // of its files, sorted, where File is a folder or a glob; nil otherwise
	Variants []*Tool  // that an earlier one of Paths has, too, and that do not count

	Manifest *Manifest // the first of its files that is one; nil for none
}

// New returns a catalog of tools, with those that no model is offered apart.
func New(file string, tools []*Tool) *Catalog {
	c := &Catalog{File: file, Tools: tools}
	if !slices.ContainsFunc(tools, (*Tool).ForAppsOnly) {
		return c
	}
	c.Tools = nil
	for _, t := range tools {
		if t.appsOnly {
			c.Hidden = append(c.Hidden, t)
		} else {
			c.Tools = append(c.Tools, t)
		}
	}
	return c
}

// All returns every tool that the catalog holds, those that no model is offered last.
func (c *Catalog) All() []*Tool {
	if len(c.Hidden) == 0 {
		return c.Tools
	}
	return slices.Concat(c.Tools, c.Hidden)
}

// Tool is one advertised tool. Its JSON values may be parts of one file's text: whoever reformats one (Compact, Indent
// and Canonicalize write in place) does so on a copy.
type Tool struct {
	Server string // "" when the catalog keeps no server
	Name   string

	// Description is as written, not trimmed; "" when missing or null.
	Description string

	// Title is as written, "" when missing or not a text.
	Title string

	// InputSchema, OutputSchema, Annotations and Meta, its "_meta", are as written, or nil when missing. A JSON null or a value of
	// another kind is kept: whether it counts is the reader's to decide.
	InputSchema  jsontext.Value
	OutputSchema jsontext.Value
	Annotations  jsontext.Value
	Meta         jsontext.Value

	// SchemaUnknown: the tool stands in a manifest, which has names and descriptions. Nothing else of it is known, and what the
	// fields above hold does not count.
	SchemaUnknown bool

	appsOnly bool // see [Tool.ForAppsOnly]

	// Raw is the whole tool object as written.
	Raw jsontext.Value

	Pos            source.Pos // of the name
	DescriptionPos source.Pos // of the description; of the name when there is none

	// noText is a description without text as written, null or "": in the canonical form it differs from a missing one.
	noText jsontext.Value

	lines *lineIndex // of the file that Raw is a part of; nil when it has no file
	start int        // offset of Raw in the file

	inputAt int // offset of InputSchema in the file

	input func() *schema.Node // decodes InputSchema once; nil when the tool has no file
}

// At returns the tool as one that stands elsewhere than in the JSON that it was read from, whose lines nobody sees.
func (t *Tool) At(name, description source.Pos) *Tool {
	return &Tool{
		Server: t.Server, Name: t.Name, Description: t.Description, Title: t.Title,
		InputSchema: t.InputSchema, OutputSchema: t.OutputSchema, Annotations: t.Annotations, Meta: t.Meta,
		SchemaUnknown: t.SchemaUnknown, appsOnly: t.appsOnly, Raw: t.Raw, Pos: name, DescriptionPos: description,
	}
}

// Ref names a tool of a server.
type Ref struct {
	Server string `json:"server,omitempty"` // "" when the recording kept no server
	Name   string `json:"name"`
}

// ID returns the qualified id, server.name, or the name alone where there is no server.
func (r Ref) ID() string {
	if r.Server == "" {
		return r.Name
	}
	return r.Server + "." + r.Name
}

// Ref returns the tool's server and name.
func (t *Tool) Ref() Ref { return Ref{t.Server, t.Name} }
