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
		tuple = nil
		if items := n.Get("items"); items.IsList() {
			tuple = items
		}
	}
	value := of.get(n, key)
	isTupleKey := key == "prefixItems" || key == "items" && value.IsList()
	switch {
	case isTupleKey:
		if value == tuple && i < len(value.List()) {
			return value.Items[i]
		}
	case key == "additionalItems" && tuple == nil:
		// additionalItems counts only beside a tuple.
	case i >= len(tuple.List()) && isSchema(value):
		return value
	}
	return nil
}

var itemKeywords = []string{"prefixItems", "items", "additionalItems"}

func (s *set) itemSchemas(i int) []*schema.Node {
	var list []*schema.Node
	for _, n := range s.nodes {
		for _, key := range itemKeywords {
			if one := itemSchema(s.doc, n, i, key); one != nil {
				list = append(list, one)
			}
		}
	}
	return list
}

// tupleLength returns the number of items for which a set has separate schemas.
func (s *set) tupleLength() int {
	longest := 0
	for _, n := range s.nodes {
		for _, key := range itemKeywords[:2] {
			longest = max(longest, len(s.doc.get(n, key).List()))
		}
	}
	return longest
}

func (w *narrowing) compareLists(base, head *set, at *place) {
	if head.hasBranches() { // branches may also describe the items
		w.besideBranches++
		defer func() { w.besideBranches-- }()
	}
	before := w.differences
	most, bounded := w.narrowestEdge(base, "maxItems", true)
	last := max(base.tupleLength(), head.tupleLength()) // all items from this index on have the same schema
	for i := 0; i <= last && w.spend(1) && !w.mayStop(before); i++ {
		if bounded && most.at.Cmp(big.NewRat(int64(i), 1)) <= 0 {
			break
		}
		old, now := w.resolve(base.doc, base.itemSchemas(i)...), w.resolve(head.doc, head.itemSchemas(i)...)
		if old.types == 0 {
			break // no list of base is longer
		}
		if now.types == 0 {
			w.addBreak(Narrowed, at, "takes fewer items now")
			break
		}
		w.compare(old, now, at.member(schema.Items))
	}
	for _, node := range head.nodes {
		rest := head.doc.get(node, "unevaluatedItems")
		refusesItems := isSchema(rest) && !rest.Is('t')
		if !refusesItems || w.hasSchema(base, head.doc, node) {
			continue
		}
		resolved := w.resolve(head.doc, node).nodes
		coversAllItems := slices.ContainsFunc(resolved, func(n *schema.Node) bool { return isSchema(n.Get("items")) })
		if !coversAllItems {
			w.addPossibleBreak(at, "may take fewer items now")
		}
	}
}

// unbounded is the largest number of fitting items if there is no bound.
const unbounded = -1

func (w *narrowing) checkContains(g goal) {
	contained := g.head.doc.get(g.node, "contains")
	if !isSchema(contained) {
		return
	}
	now := w.resolve(g.head.doc, contained)
	least, most := containsBounds(g.head.doc, g.node)
	leastHolds, mostHolds := least == 0, most == unbounded
	for _, n := range g.base.nodes {
		oldContained := g.base.doc.get(n, "contains")
		if !isSchema(oldContained) {
			continue
		}
		old := w.resolve(g.base.doc, oldContained)
		oldLeast, oldMost := containsBounds(g.base.doc, n)
		if !leastHolds && oldLeast >= least {
			leastHolds = w.proves(old, now, g.at)
		}
		if !mostHolds && oldMost != unbounded && oldMost <= most {
			mostHolds = w.provesForAnyNames(now, old, g.at)
		}
	}
	isUnsure := len(g.base.get("contains")) > 0 || w.splitDepth > 0
	w.whileUnsure(isUnsure, func() {
		if !leastHolds {
			w.addBreak(Narrowed, g.at, "must have certain items now, by contains")
		}
		if !mostHolds {
			w.addBreak(Narrowed, g.at, "must have no more than so many of certain items now, by maxContains")
		}
	})
}

// containsBounds returns how many items must fit the keyword contains of a schema; most can be unbounded.
func containsBounds(doc *document, n *schema.Node) (least, most int64) {
	return count(doc.get(n, "minContains"), 1), count(doc.get(n, "maxContains"), unbounded)
}

// count returns the value of a node, or absent if the value is not a whole number of at least 0.
func count(n *schema.Node, absent int64) int64 {
	if r := numberOf(n); r != nil && r.IsInt() && r.Num().IsInt64() && r.Sign() >= 0 {
		return r.Num().Int64()
	}
	return absent
}
