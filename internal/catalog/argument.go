package catalog

import (
	"github.com/org/mcp-gates/internal/schema"
	"github.com/org/mcp-gates/internal/source"
)

// ArgumentPos returns the position of the argument at path in the input schema. The path holds names from the outermost
// on, with "[]" for the items of a list: "a", "b", "[]", "c" for a.b[].c. If the schema does not declare the argument,
// it is the position of the innermost declared argument around it, otherwise of the description. The schema is read at
// the first call.
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

// Input returns the decoded input schema; nil if it is missing or cannot be read. A tool that was read from a file
// decodes it once. It must not be changed.
func (t *Tool) Input() *schema.Node {
	if t.input == nil {
		return schema.Decode(t.InputSchema)
	}
	return t.input()
}
