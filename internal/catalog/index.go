package catalog

import (
	"bytes"
	"cmp"
	"slices"
)

// CompareRefs orders tools by server and name.
func CompareRefs(a, b Ref) int {
	return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Name, b.Name))
}

// Index finds tools by the names in suites and calls: bare or qualified.
type Index map[string][]Ref

// IndexOf returns the index of a catalog's tools. A nil catalog has no tools.
func IndexOf(c *Catalog) Index {
	index := Index{}
	if c == nil {
		return index
	}
	for _, t := range c.Tools {
		index.Add(t.Ref())
	}
	return index
}

// Add adds a tool under its bare and its qualified name.
func (n Index) Add(ref Ref) {
	n[ref.Name] = append(n[ref.Name], ref)
	if id := ref.ID(); id != ref.Name {
		n[id] = append(n[id], ref)
	}
}

// Called returns the tools that a call may mean.
func (n Index) Called(ref Ref) []Ref {
	return slices.DeleteFunc(slices.Clone(n[ref.Name]), func(one Ref) bool { return !one.Matches(ref) })
}

// FindHidden returns the hidden tool that a suite names by ref; nil if there is none, or if the catalog is nil.
func (c *Catalog) FindHidden(ref Ref) *Tool {
	if c == nil {
		return nil
	}
	for _, t := range c.Hidden {
		if ref.Matches(t.Ref()) || ref == (Ref{Name: t.Ref().ID()}) {
			return t
		}
	}
	return nil
}

// ReadsTheSame reports whether two tools have the same text for an agent: name, description and input schema. Either
// tool may be nil.
func ReadsTheSame(a, b *Tool) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Name == b.Name && a.Description == b.Description && SameSchema(a, b)
}

// SameSchema reports whether two tools have the same input schema.
func SameSchema(a, b *Tool) bool {
	if bytes.Equal(a.InputSchema, b.InputSchema) {
		return true
	}
	schemaOf := func(t *Tool) *Catalog { return &Catalog{Tools: []*Tool{{InputSchema: t.InputSchema}}} }
	return Compare(schemaOf(a), schemaOf(b)).Empty()
}

// SameTools reports whether two catalogs hold the same tools, byte for byte.
func SameTools(a, b *Catalog) bool {
	return a == b || slices.EqualFunc(a.Tools, b.Tools, func(a, b *Tool) bool {
		return a.Server == b.Server && a.Name == b.Name && len(a.Raw) > 0 && bytes.Equal(a.Raw, b.Raw)
	})
}
