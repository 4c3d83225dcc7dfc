package trace

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
)

// MaxDeferred bounds the number of deferred tools of a cassette, and of results of one search: it is many times the number of
// tools that clients have.
const MaxDeferred = 50_000

func (r *reader) readRefs(what, one string, most int) []catalog.Ref {
	if r.json.Null() {
		return nil
	}
	list := []catalog.Ref{}
	offset := r.json.Offset()
	r.json.Array(what, func(i int) {
		if i == most {
			r.json.Fatalf(offset, "%s has too many tools, at most %d are read", what, most)
		}
		at := r.json.Offset()
		if ref, ok := r.readRef(one); ok && r.countPart(at) {
			list = append(list, ref)
		}
	})
	return list
}

func (r *reader) readRef(what string) (catalog.Ref, bool) {
	var ref catalog.Ref
	offset, named := r.json.Offset(), false
	ok := r.json.Fields(what, func(key string) {
		switch key {
		case "server":
			ref.Server = r.readName(`"server"`)
		case "name":
			named = true
			ref.Name = r.readBounded(`"name"`, MaxName)
		}
	})
	if ok && !named {
		r.json.Mistakef(offset, `%s has no "name"`, what)
	}
	return ref, ok
}

// UnionOf returns the tools of two lists, sorted by server and name and without repeats; nil if both are nil. More than
// [MaxDeferred] tools become an empty list, which means that the names are unknown.
func UnionOf(a, b []catalog.Ref) []catalog.Ref {
	switch {
	case a == nil && b == nil:
		return nil
	case len(a) > 0 && slices.Equal(a, b): // saves memory, because the runs of an agent mostly have the same tools
		b = nil
	}
	all := append(append([]catalog.Ref{}, a...), b...)
	slices.SortStableFunc(all, catalog.CompareRefs)
	if all = slices.Compact(all); len(all) > MaxDeferred {
		return []catalog.Ref{}
	}
	return all
}

// NamedOnly returns the deferred tools whose definitions the recording lacks, sorted.
func (h *Header) NamedOnly() []catalog.Ref {
	if len(h.Deferred) == 0 {
		return nil
	}
	known := map[catalog.Ref]bool{}
	if h.Recorded != nil {
		for _, t := range h.Recorded.All() {
			known[t.Ref()] = true
		}
	}
	return slices.DeleteFunc(UnionOf(h.Deferred, nil), func(ref catalog.Ref) bool { return known[ref] })
}

// MergeOffered joins two catalogs that differ only in deferred tools that one of them lacks: a log has the definition of a
// deferred tool only if a search returned it. ok is false if they have other differences.
func MergeOffered(a, b *catalog.Catalog, deferred []catalog.Ref) (merged *catalog.Catalog, ok bool) {
	toolsOf := func(c *catalog.Catalog) []*catalog.Tool {
		if c == nil {
			return nil
		}
		return c.Tools
	}
	isDeferred := map[catalog.Ref]bool{}
	for _, ref := range deferred {
		isDeferred[ref] = true
	}
	inA, inB := map[catalog.Ref]*catalog.Tool{}, map[catalog.Ref]bool{}
	for _, t := range toolsOf(a) {
		inA[t.Ref()] = t
	}
	out := &catalog.Catalog{Tools: slices.Clone(toolsOf(a)), Hidden: cmp.Or(a, b, &catalog.Catalog{}).Hidden}
	for _, t := range toolsOf(b) {
		ref := t.Ref()
		inB[ref] = true
		switch counterpart := inA[ref]; {
		case counterpart != nil && !sameTool(counterpart, t):
			return nil, false
		case counterpart != nil:
		case !isDeferred[ref]:
			return nil, false
		default:
			out.Tools = append(out.Tools, t)
		}
	}
	for ref := range inA {
		if !inB[ref] && !isDeferred[ref] {
			return nil, false
		}
	}
	if len(out.All()) == 0 {
		return nil, true
	}
	slices.SortStableFunc(out.Tools, func(a, b *catalog.Tool) int { return catalog.CompareRefs(a.Ref(), b.Ref()) })
	return out, true
}

func sameTool(a, b *catalog.Tool) bool {
	one := func(t *catalog.Tool) *catalog.Catalog { return &catalog.Catalog{Tools: []*catalog.Tool{t}} }
	return string(a.JSON()) == string(b.JSON()) || one(a).SHA256() == one(b).SHA256()
}
