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

// Shared returns the value of type T that belongs to the file of a part and to joined files: a zero value the first time, then
// always the same value. Readers keep counts and findings over all parts in it.
func Shared[T any](of part) *T {
	doc := of.document()
	if doc == nil { // a part without a file
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
