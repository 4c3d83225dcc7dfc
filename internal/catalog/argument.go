package catalog

import (
	"github.com/org/mcp-gates/internal/schema"
	"github.com/org/mcp-gates/internal/source"
)

// ArgumentPos returns the position of the argument at path in the input schema. The path begins with the outermost name, and "[]"
// means the items of a list: "a", "b", "[]", "c" for a.b[].c. If the schema does not declare the argument, the position is that
// of the innermost declared argument around it, or of the description if there is none. The first call reads the schema.
func (t *Tool) ArgumentPos(path ...string) source.Pos {
	at := t.DescriptionPos
	if t.input == nil {
		return at
	}
	node := t.input()
	for _, name := range path {
		if items := node.Get("items"); name == schema.Items && items != nil {
			node = items
			continue
		}
		if node = node.Get("properties").Get(name); node == nil {
			break
		}
		at = t.lines.pos(t.inputAt + int(node.KeyAt))
	}
	return at
}

// Input returns the decoded input schema; nil if it is missing or cannot be read. The result must not be changed: a tool that was
// read from a file decodes its schema only once.
func (t *Tool) Input() *schema.Node {
	if t.input == nil {
		return schema.Decode(t.InputSchema)
	}
	return t.input()
}
