package change

import (
	"encoding/binary"
	"slices"

	"github.com/org/mcp-gates/internal/schema"
)

// shape identifies a JSON value regardless of the order of keys.
type shape struct {
	id    int
	plain bool // the schema has no reference, so its meaning does not depend on the document
}

// shape returns the shape of a value; nil has its own shape.
func (w *narrowing) shape(n *schema.Node) shape {
	if n == nil {
		return shape{plain: true}
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

// outline returns a text that is equal for schemas with the same meaning, apart from the order of keys. plain reports whether
// the schema has no reference.
func (w *narrowing) outline(n *schema.Node) (text string, plain bool) {
	out := []byte{byte(n.Kind)}
	switch {
	case n.Is('0'):
		if r := number(n); r != nil {
			return string(append(out, r.RatString()...)), true
		}
		return string(append(out, n.Text...)), true
	case !n.IsObject() && !n.IsList():
		return string(append(out, n.Text...)), true
	}
	plain = true
	var members []string
	for i, member := range n.Items {
		inner := w.shape(member)
		plain = plain && inner.plain
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

func (w *narrowing) covers(l, r *set) bool {
	if len(l.nodes) != len(r.nodes) {
		return false
	}
	for _, b := range r.nodes {
		if !w.covered(l, r.of, b) {
			return false
		}
	}
	return true
}

func (w *narrowing) covered(l *set, of *document, b *schema.Node) bool {
	if l.of.dialect != of.dialect || !w.shape(b).plain {
		return false
	}
	id := w.shape(b).id
	return slices.ContainsFunc(l.nodes, func(n *schema.Node) bool { return w.shape(n).id == id })
}
