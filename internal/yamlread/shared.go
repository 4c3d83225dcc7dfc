package yamlread

import "reflect"

// part is a [Map] or a [Value] of a document.
type part interface{ document() *document }

func (m *Map) document() *document {
	if m == nil {
		return nil
	}
	return m.doc
}

func (v Value) document() *document { return v.doc }

// Shared returns the value of type T that belongs to the file which of is a part of: a zero one the first time, then the
// same. It lives as long as somebody holds it. Readers of many parts keep in it what they count or find over all of them.
func Shared[T any](of part) *T {
	doc := of.document()
	if doc == nil { // a part of no file
		return new(T)
	}
	kind := reflect.TypeFor[T]()
	if shared, have := doc.shared[kind].(*T); have {
		return shared
	}
	if doc.shared == nil {
		doc.shared = map[reflect.Type]any{}
	}
	shared := new(T)
	doc.shared[kind] = shared
	return shared
}
