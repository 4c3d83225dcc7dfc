package catalog

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/lists"
)

// Matches reports whether two references can mean the same tool: the names are equal, and the servers are equal or one
// of them is unknown.
func (r Ref) Matches(other Ref) bool {
	return r.Name == other.Name && (r.Server == other.Server || r.Server == "" || other.Server == "")
}

// Lookup returns the first tool that ref means; see [Ref.Matches]. A nil catalog has no tools.
func (c *Catalog) Lookup(ref Ref) (*Tool, bool) {
	if c == nil {
		return nil, false
	}
	for _, t := range c.Tools {
		if t.Ref().Matches(ref) {
			return t, true
		}
	}
	return nil, false
}

// Named returns a copy of the catalog in which every tool without a server belongs to server.
func (c *Catalog) Named(server string) *Catalog {
	name := func(t *Tool) *Tool {
		named := *t
		named.Server = cmp.Or(named.Server, server)
		return &named
	}
	said := slices.Clone(c.Instructions)
	for i := range said {
		said[i].Server = cmp.Or(said[i].Server, server)
	}
	tools, hidden := lists.Map(c.Tools, name), lists.Map(c.Hidden, name)
	return &Catalog{File: c.File, Tools: tools, Hidden: hidden, Instructions: said, Paths: c.Paths, Manifest: c.Manifest}
}

// Without returns a copy of the catalog without the tools that refs name.
func (c *Catalog) Without(refs []Ref) *Catalog {
	byName := map[string][]Ref{}
	for _, ref := range refs {
		byName[ref.Name] = append(byName[ref.Name], ref)
	}
	rest := &Catalog{File: c.File, Hidden: c.Hidden, Instructions: c.Instructions, Manifest: c.Manifest}
	for _, t := range c.Tools {
		if !slices.ContainsFunc(byName[t.Name], t.Ref().Matches) {
			rest.Tools = append(rest.Tools, t)
		}
	}
	return rest
}

// Merge returns one catalog with the tools of all catalogs in order; nil catalogs are skipped, and the result is nil if
// all are nil. It keeps the file if all catalogs have the same file.
func Merge(cats ...*Catalog) *Catalog {
	var merged *Catalog
	for _, c := range cats {
		switch {
		case c == nil:
			continue
		case merged == nil:
			merged = &Catalog{File: c.File}
		case merged.File != c.File:
			merged.File = ""
		}
		merged.Tools = append(merged.Tools, c.Tools...)
		merged.Hidden = append(merged.Hidden, c.Hidden...)
		merged.Instructions = append(merged.Instructions, c.Instructions...)
		merged.noteManifest(c.Manifest)
	}
	return merged
}
