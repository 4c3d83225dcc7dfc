package catalog

import (
	"slices"

	"github.com/org/mcp-gates/internal/source"
)

// Instructions are the text in which a server explains its use as a whole, from its answer to initialize.
type Instructions struct {
	Server string
	Text   string     // "" if the server has none
	Pos    source.Pos // position of the text; zero without a file
}

// InstructionsOf returns the instructions of a server. known is false if the catalog does not have them.
func (c *Catalog) InstructionsOf(server string) (of Instructions, known bool) {
	if c == nil {
		return Instructions{}, false
	}
	i := slices.IndexFunc(c.Instructions, func(one Instructions) bool { return one.Server == server })
	if i < 0 {
		return Instructions{}, false
	}
	return c.Instructions[i], true
}

// KeepsInstructions reports whether the catalog has the instructions of every server whose tools it has.
func (c *Catalog) KeepsInstructions() bool {
	known := map[string]bool{}
	for _, one := range c.Instructions {
		known[one.Server] = true
	}
	return len(known) > 0 && !slices.ContainsFunc(c.All(), func(t *Tool) bool { return !known[t.Server] })
}

// readInstructions reads the instructions of a server. A value that is not a text, which other programs may write, is
// skipped.
func (p *parser) readInstructions(server string) {
	at := p.r.Offset()
	if p.r.Kind() != '"' {
		return
	}
	one := Instructions{Server: server}
	one.Text, _ = p.r.Word(`"instructions"`)
	if p.lines != nil {
		one.Pos = p.lines.pos(int(at))
	}
	if !slices.ContainsFunc(p.instructions, func(other Instructions) bool { return other.Server == server }) {
		p.instructions = append(p.instructions, one)
	}
}
