package change

import (
	"math/big"
	"slices"

	"github.com/org/mcp-gates/internal/schema"
)

// itemSchema returns the schema that a keyword has for the item at an index; nil for none.
func itemSchema(of *document, n *schema.Node, i int, key string) *schema.Node {
	tuple := n.Get("prefixItems")
	if of.dialect < draft2020 {
		if tuple = n.Get("items"); !tuple.IsList() {
			tuple = nil
		}
	}
	value := of.get(n, key)
	switch {
	case key == "prefixItems" || key == "items" && value.IsList():
		if value == tuple && i < len(value.List()) {
			return value.Items[i]
		}
	case key == "additionalItems" && tuple == nil:
		// The value counts only beside a tuple.
	case i >= len(tuple.List()) && isSchema(value):
		return value
	}
	return nil
}

var itemKeywords = []string{"prefixItems", "items", "additionalItems"}

func (s *set) item(i int) []*schema.Node {
	var list []*schema.Node
	for _, n := range s.nodes {
		for _, key := range itemKeywords {
			if one := itemSchema(s.of, n, i, key); one != nil {
				list = append(list, one)
			}
		}
	}
	return list
}

// tuple returns the number of items for which a set has separate schemas.
func (s *set) tuple() int {
	longest := 0
	for _, n := range s.nodes {
		for _, key := range itemKeywords[:2] {
			longest = max(longest, len(s.of.get(n, key).List()))
		}
	}
	return longest
}

func (w *narrowing) lists(l, r *set, at *place) {
	if len(r.get("anyOf"))+len(r.get("oneOf"))+len(r.get("if")) > 0 { // these keywords may also describe the items
		w.below++
		defer func() { w.below-- }()
	}
	before := w.count
	most, bounded := w.edge(l, "maxItems", true)
	last := max(l.tuple(), r.tuple()) // all items from there on have the same schema
	for i := 0; i <= last && w.spend(1) && !w.stopped(before); i++ {
		if bounded && most.at.Cmp(big.NewRat(int64(i), 1)) <= 0 {
			break
		}
		old, now := w.set(l.of, l.item(i)...), w.set(r.of, r.item(i)...)
		if old.types == 0 {
			break // no list is longer
		}
		if now.types == 0 {
			w.addBreak(Narrowed, at, "takes fewer items now")
			break
		}
		w.compare(old, now, at.at(schema.Items))
	}
	for _, b := range r.nodes {
		rest := r.of.get(b, "unevaluatedItems")
		if !isSchema(rest) || rest.Is('t') || w.covered(l, r.of, b) {
			continue
		}
		if !slices.ContainsFunc(w.set(r.of, b).nodes, func(n *schema.Node) bool { return isSchema(n.Get("items")) }) {
			w.tellPossible(at, "may take fewer items now")
		}
	}
}

func (w *narrowing) contains(g goal) {
	some := g.r.of.get(g.b, "contains")
	if !isSchema(some) {
		return
	}
	to := w.set(g.r.of, some)
	least, most := count(g.r.of.get(g.b, "minContains"), 1), count(g.r.of.get(g.b, "maxContains"), -1)
	old := g.l.get("contains")
	for _, n := range g.l.nodes {
		was := g.l.of.get(n, "contains")
		if !isSchema(was) {
			continue
		}
		from := w.set(g.l.of, was)
		if least > 0 && count(g.l.of.get(n, "minContains"), 1) >= least && w.proves(from, to, g.at) {
			least = 0
		}
		if max := count(g.l.of.get(n, "maxContains"), -1); most >= 0 && max >= 0 && max <= most && w.opposite(to, from, g.at) {
			most = -1
		}
	}
	w.whileUnsure(len(old) > 0 || w.split > 0, func() {
		if least > 0 {
			w.addBreak(Narrowed, g.at, "must have certain items now, by contains")
		}
		if most >= 0 {
			w.addBreak(Narrowed, g.at, "must have no more than so many of certain items now, by maxContains")
		}
	})
}

// count returns a whole number, or absent if the value is not one.
func count(n *schema.Node, absent int64) int64 {
	if r := number(n); r != nil && r.IsInt() && r.Num().IsInt64() && r.Sign() >= 0 {
		return r.Num().Int64()
	}
	return absent
}
