package catalog

import (
	"slices"

	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/source"
)

// Instructions are the text by which a server says how it is used as a whole, as it answers initialize.
type Instructions struct {
	Server string
	Text   string     // "" for a server that has none
	Pos    source.Pos // of the text; zero without a file
}

// InstructionsOf returns the instructions of a server. They are not known where the catalog does not keep them.
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

// KeepsInstructions reports whether the catalog keeps the instructions of each server that it has tools of.
func (c *Catalog) KeepsInstructions() bool {
	known := map[string]bool{}
	for _, one := range c.Instructions {
		known[one.Server] = true
	}
	return len(known) > 0 && !slices.ContainsFunc(c.All(), func(t *Tool) bool { return !known[t.Server] })
}

// instructions reads the instructions of a server. Another program may write a value of another kind there, which is skipped.
func (p *parser) instructions(server string) {
	at := p.r.Offset()
	if p.r.Kind() != '"' {
		return
	}
	one := Instructions{Server: server}
	one.Text, _ = p.r.Word(`"instructions"`)
	if p.lines != nil {
		one.Pos = p.lines.pos(int(at))
	}
	if !slices.ContainsFunc(p.said, func(other Instructions) bool { return other.Server == server }) {
		p.said = append(p.said, one)
	}
}

func redactedInstructions(list []Instructions, r *redact.Redactor) []Instructions {
	list = slices.Clone(list)
	for i := range list {
		list[i].Text = r.Text(list[i].Text)
	}
	return list
}
