package yamlread

import "encoding/json"

// Written returns the value as JSON with every scalar in its written form: [Map.Expand] does not apply, and a number becomes
// the text of its characters. Comments, styles and the order of keys make no difference.
func (v Value) Written() string {
	text, err := json.Marshal(v.node.written())
	if err != nil {
		return "" // unreachable: the value is made of texts, lists and maps
	}
	return string(text)
}

func (n *node) written() any {
	switch n.kind {
	case ListKind:
		list := make([]any, 0, len(n.entries))
		for _, e := range n.entries {
			list = append(list, e.value.written())
		}
		return list
	case MapKind:
		object := make(map[string]any, len(n.entries))
		for _, e := range n.entries {
			object[e.key] = e.value.written()
		}
		return object
	case NullKind:
		return nil
	}
	return n.text
}
