package yamlread

import (
	"github.com/org/mcp-gates/internal/source"
)

// Given is an entry of a map from a file of another format, such as a row of a table. [Map.Expand] does not apply to its texts.
type Given struct {
	Key   string     // "" for an item of a list
	Pos   source.Pos // position of the value
	Kind  Kind       // TextKind, ListKind or MapKind
	Text  string     // the value of a text
	Parts []Given    // parts of a list or a map
	Over  *Map       // for a map: the map with its other entries; nil if there is none
}

// With returns m with entries of another file before its own. All entries must be from the same file. A key that is asked of m
// or of the result counts as asked of both.
func (m *Map) With(entries ...Given) *Map {
	if m == nil || len(entries) == 0 {
		return m
	}
	doc := &document{file: entries[0].Pos.File, reading: m.doc.reading, isLiteral: true, over: map[*node]*Map{}}
	view := *m
	view.over = doc.newMap(Given{Kind: MapKind, Pos: entries[0].Pos, Parts: entries})
	return &view
}

func (d *document) newMap(g Given) *Map {
	return &Map{doc: d, node: d.buildNode(g), at: placeOf(g.Pos), asked: &askedKeys{own: true}}
}

func (d *document) buildNode(g Given) *node {
	n := &node{kind: g.Kind, text: g.Text, size: 1, depth: 1}
	for _, part := range g.Parts {
		at := placeOf(part.Pos)
		n.entries = append(n.entries, entry{key: part.Key, keyAt: at, value: d.buildNode(part), valueAt: at})
		n.size += n.entries[len(n.entries)-1].value.size
	}
	if g.Over != nil {
		view := *g.Over
		view.over = &Map{doc: d, node: n, at: placeOf(g.Pos), asked: &askedKeys{own: true}}
		d.over[n] = &view
	}
	return n
}

func placeOf(pos source.Pos) place { return place{int32(pos.Line), int32(pos.Col)} }
