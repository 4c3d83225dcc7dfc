package change

import (
	"encoding/binary"
	"slices"

	"github.com/org/mcp-gates/internal/schema"
)

// shape identifies a JSON value regardless of the order of keys.
type shape struct {
	id              int
	isSelfContained bool // the schema has no reference, so its meaning does not depend on the document
}

// shapeOf returns the shape of a value. A nil value has a shape of its own.
func (w *narrowing) shapeOf(n *schema.Node) shape {
	if n == nil {
		return shape{isSelfContained: true}
	}
	if known, ok := w.shapes[n]; ok {
		return known
	}
	text, plain := w.outline(n)
	if w.shapeIDs[text] == 0 {
		w.shapeIDs[text] = len(w.shapeIDs) + 1
	}
	known := shape{w.shapeIDs[text], plain}
	w.shapes[n] = known
	return known
}

// outline returns a text that is the same for equal values. The order of keys and the spelling of numbers do not matter. plain
// reports whether the value has no reference.
func (w *narrowing) outline(n *schema.Node) (text string, plain bool) {
	out := []byte{byte(n.Kind)}
	switch {
	case n.Is('0'):
		if r := numberOf(n); r != nil {
			return string(append(out, r.RatString()...)), true
		}
		return string(append(out, n.Text...)), true
	case !n.IsObject() && !n.IsList():
		return string(append(out, n.Text...)), true
	}
	plain = true
	var members []string
	for i, member := range n.Items {
		inner := w.shapeOf(member)
		plain = plain && inner.isSelfContained
		text := ""
		if n.IsObject() {
			text = n.Keys[i]
			plain = plain && text != "$ref" && text != "$dynamicRef" && text != "$recursiveRef"
		}
		members = append(members, string(binary.BigEndian.AppendUint64([]byte(text), uint64(inner.id))))
	}
	if n.IsObject() {
		slices.Sort(members)
	}
	for _, member := range members {
		out = append(binary.BigEndian.AppendUint64(out, uint64(len(member))), member...)
	}
	return string(out), plain
}

func (w *narrowing) hasAllSchemas(s, other *set) bool {
	isMissing := func(n *schema.Node) bool { return !w.hasSchema(s, other.doc, n) }
	return len(s.nodes) == len(other.nodes) && !slices.ContainsFunc(other.nodes, isMissing)
}

func (w *narrowing) hasSchema(s *set, doc *document, node *schema.Node) bool {
	if s.doc.dialect != doc.dialect || !w.shapeOf(node).isSelfContained {
		return false
	}
	id := w.shapeOf(node).id
	return slices.ContainsFunc(s.nodes, func(n *schema.Node) bool { return w.shapeOf(n).id == id })
}
