package catalog

import (
	"bytes"
	"slices"
)

// Diff says how one catalog differs from another. Its lists are sorted by server and name, each reference once.
type Diff struct {
	Added, Removed, Hidden, Changed []Ref // Hidden are those that the other still has, and that no model is offered
}

// Empty reports whether there is no difference.
func (d Diff) Empty() bool {
	return len(d.Added)+len(d.Removed)+len(d.Hidden)+len(d.Changed) == 0
}

// Compare returns how new differs from old in what goes into [Catalog.SHA256]. A nil catalog has no tools.
func Compare(old, new *Catalog) Diff {
	before, after, hidden := contents(old), contents(new), hiddenByRef(new)
	var d Diff
	for ref, content := range after {
		switch was, ok := before[ref]; {
		case !ok:
			d.Added = append(d.Added, ref)
		case !bytes.Equal(was, content):
			d.Changed = append(d.Changed, ref)
		}
	}
	for ref := range before {
		switch _, ok := after[ref]; {
		case ok:
		case hidden[ref] != nil:
			d.Hidden = append(d.Hidden, ref)
		default:
			d.Removed = append(d.Removed, ref)
		}
	}
	for _, refs := range [][]Ref{d.Added, d.Removed, d.Hidden, d.Changed} {
		slices.SortStableFunc(refs, CompareRefs)
	}
	return d
}

// contents returns the canonical form of each tool, of all in turn where several have one server and name.
func contents(c *Catalog) map[Ref][]byte {
	byRef := map[Ref][]byte{}
	if c == nil {
		return byRef
	}
	for _, t := range c.Tools {
		byRef[t.Ref()] = append(byRef[t.Ref()], canonical(t.compose(nil))...)
	}
	return byRef
}
