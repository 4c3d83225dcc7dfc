package catalog

import (
	"bytes"
	"cmp"
	"slices"
)

// Diff is the difference between two catalogs. Its lists are sorted by server and name, each reference once.
type Diff struct {
	Added, Removed, Hidden, Changed []Ref // Hidden: tools that the new catalog still has, but hides from models
}

// Empty reports whether there is no difference.
func (d Diff) Empty() bool {
	return len(d.Added)+len(d.Removed)+len(d.Hidden)+len(d.Changed) == 0
}

// Compare returns the difference of new from old in the parts that go into [Catalog.SHA256]. A nil catalog has no
// tools.
func Compare(old, new *Catalog) Diff {
	old, new = cmp.Or(old, &Catalog{}), cmp.Or(new, &Catalog{})
	before, after, hidden := canonicalByRef(old), canonicalByRef(new), firstByRef(new.Hidden)
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

// canonicalByRef returns the canonical form of each tool. If several tools have the same server and name, their forms follow one
// another.
func canonicalByRef(c *Catalog) map[Ref][]byte {
	byRef := map[Ref][]byte{}
	for _, t := range c.Tools {
		byRef[t.Ref()] = append(byRef[t.Ref()], canonical(t.appendHashed(nil))...)
	}
	return byRef
}
