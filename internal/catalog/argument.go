package catalog

import (
	"bytes"

	"github.com/org/mcp-gates/internal/jsonread"
	"github.com/org/mcp-gates/internal/source"
)

// ArgumentPos returns where the input schema declares the argument at path, given by its names from the outermost with
// "[]" for the items of a list: "a", "b", "[]", "c" for a.b[].c. Where the schema does not spell the argument out, it is
// the position of the innermost argument around it, else of the description. The schema is searched at the first call.
func (t *Tool) ArgumentPos(path ...string) source.Pos {
	if t.arguments == nil {
		return t.DescriptionPos
	}
	at := -1
	for node := t.arguments(); node != nil && len(path) > 0; path = path[1:] {
		if node = node.inner(path[0]); node != nil && !node.isItems {
			at = node.at
		}
	}
	if at < 0 {
		return t.DescriptionPos
	}
	return t.lines.pos(t.start + at)
}

// argument is a schema that a tool's input schema consists of: that of an argument, of a list's items, or the whole.
type argument struct {
	at         int // offset of the argument's name in the tool
	isItems    bool
	properties map[string]*argument
	items      *argument
}

func (a *argument) inner(name string) *argument {
	if name == "[]" && a.items != nil {
		return a.items
	}
	return a.properties[name]
}

// arguments finds the arguments of the tool in raw.
func arguments(raw []byte) *argument {
	f, whole := &finder{jsonread.NewBytes(raw), raw}, &argument{}
	f.r.Object("the tool", func(key string) {
		if key == "inputSchema" {
			f.schema(whole)
		}
	})
	return whole
}

// finder finds arguments in a tool, which is valid JSON, but whose schema can be anything.
type finder struct {
	r   *jsonread.Reader
	raw []byte
}

// schema reads the schema that comes next into a.
func (f *finder) schema(a *argument) {
	f.object(func(key string) {
		switch key {
		case "properties":
			a.properties = map[string]*argument{}
			f.object(func(name string) {
				property := &argument{at: keyStart(f.raw, int(f.r.Offset()))}
				a.properties[name] = property
				f.schema(property)
			})
		case "items":
			a.items = &argument{isItems: true}
			f.schema(a.items)
		}
	})
}

// object is Reader.Object for a value that need not be one.
func (f *finder) object(member func(key string)) {
	if f.r.Kind() == '{' {
		f.r.Object("the schema", member)
	}
}

// keyStart returns the offset of the key whose value begins at offset value of raw, valid JSON.
func keyStart(raw []byte, value int) int {
	quote := bytes.LastIndexByte(raw[:value], '"')
	for quote > 0 {
		quote = bytes.LastIndexByte(raw[:quote], '"')
		if !escaped(raw, quote) {
			break
		}
	}
	return quote
}

// escaped reports whether an odd number of backslashes precedes the byte at offset at.
func escaped(raw []byte, at int) bool {
	n := at
	for n > 0 && raw[n-1] == '\\' {
		n--
	}
	return (at-n)%2 == 1
}
