// Package catalog holds the tools that MCP servers list, each with its place in the file.
//
// [Read] accepts the common forms of a saved tools/list result and keeps every field of a tool as it was written, so
// that token counts and hashes are those of the real catalog.
package catalog

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/schema"
	"github.com/org/mcp-gates/internal/source"
)

// Catalog is a list of tools in the order in which the server listed them.
type Catalog struct {
	File   string  // workspace-relative; a folder or glob for several files; "" if it has no file of its own
	Tools  []*Tool // tools for models
	Hidden []*Tool // tools for apps only, which models do not see; see [Tool.ForAppsOnly]

	Instructions []Instructions // instructions of the servers that have some

	Paths    []string // sorted paths of its files if File is a folder or a glob; otherwise nil
	Variants []*Tool  // tools that an earlier file of Paths already has; they do not count

	Manifest *Manifest // the first of its files that is a manifest; nil for none
}

// New returns a catalog of tools, with the tools for apps only in Hidden.
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

// All returns every tool of the catalog, hidden tools last.
func (c *Catalog) All() []*Tool {
	if len(c.Hidden) == 0 {
		return c.Tools
	}
	return slices.Concat(c.Tools, c.Hidden)
}

// Tool is one tool of a catalog. Its JSON values may be parts of one file's text: code that reformats a value (Compact,
// Indent and Canonicalize write in place) must copy it first.
type Tool struct {
	Server string // "" if the catalog names no server
	Name   string

	// Description is the text as written, not trimmed; "" if missing or null.
	Description string

	// Title is the text as written; "" if missing or not a text.
	Title string

	// InputSchema, OutputSchema, Annotations and Meta (the field "_meta") are as written, or nil if missing. A JSON null or a
	// value of another kind is kept.
	InputSchema  jsontext.Value
	OutputSchema jsontext.Value
	Annotations  jsontext.Value
	Meta         jsontext.Value

	// SchemaUnknown means that the tool comes from a manifest, which has only names and descriptions. Title, InputSchema,
	// OutputSchema, Annotations and Meta do not count.
	SchemaUnknown bool

	appsOnly bool // see [Tool.ForAppsOnly]

	// Raw is the whole tool object as written.
	Raw jsontext.Value

	Pos            source.Pos // position of the name
	DescriptionPos source.Pos // position of the description, or of the name if there is no description

	// emptyDescription is null or "" if the description is written so; nil otherwise. In the canonical form, both differ from a
	// missing description.
	emptyDescription jsontext.Value

	lines *lineIndex // index of the file that contains Raw; nil without a file
	start int        // offset of Raw in the file

	inputAt int // offset of InputSchema in the file

	input func() *schema.Node // decodes InputSchema once; nil without a file
}

// At returns a copy of the tool with other positions, for a tool whose JSON has lines that users never see.
func (t *Tool) At(name, description source.Pos) *Tool {
	return &Tool{
		Server: t.Server, Name: t.Name, Description: t.Description, Title: t.Title,
		InputSchema: t.InputSchema, OutputSchema: t.OutputSchema, Annotations: t.Annotations, Meta: t.Meta,
		SchemaUnknown: t.SchemaUnknown, appsOnly: t.appsOnly, Raw: t.Raw, Pos: name, DescriptionPos: description,
	}
}

// Ref names a tool of a server.
type Ref struct {
	Server string `json:"server,omitempty"` // "" if the recording names no server
	Name   string `json:"name"`
}

// ID returns the qualified id, server.name, or only the name if there is no server.
func (r Ref) ID() string {
	if r.Server == "" {
		return r.Name
	}
	return r.Server + "." + r.Name
}

// Ref returns the tool's server and name.
func (t *Tool) Ref() Ref { return Ref{t.Server, t.Name} }
