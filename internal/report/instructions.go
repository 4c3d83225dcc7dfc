package report

import (
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/trace"
)

// NewInstructions returns the instructions of a catalog in the form of a report. count counts the tokens of a text.
func NewInstructions(cat *catalog.Catalog, path string, count func(string) int) (list []Instructions) {
	for _, said := range cat.Instructions {
		one := Instructions{Server: said.Server, Tokens: count(said.Text), SHA256: trace.PromptSHA256(said.Text), Line: said.Pos.Line, Text: said.Text}
		if said.Pos.File != path {
			one.Path = Optional(said.Pos.File)
		}
		list = append(list, one)
	}
	return list
}

// DiffInstructions returns the servers whose instructions differ, in the order of new. path is the place of the new instructions.
// Servers that old or new lacks are left out. A saved report has no texts, so if old comes from one, Diff is empty unless the old
// instructions are empty.
func DiffInstructions(old, new []Instructions, path string, redact func(string) string) []InstructionsChange {
	before := map[string]*Instructions{}
	for i := range old {
		before[old[i].Server] = &old[i]
	}
	var list []InstructionsChange
	for i := range new {
		now := &new[i]
		was := before[now.Server]
		if was == nil || was.SHA256 == now.SHA256 {
			continue
		}
		one := InstructionsChange{Server: now.Server, Path: path, Line: now.Line, Base: was.Tokens, Head: now.Tokens}
		if now.Path != "" {
			one.Path = string(now.Path)
		}
		if was.Text != "" || was.Tokens == 0 {
			one.Diff, _ = lexical.WordDiff(redact(was.Text), redact(now.Text))
		}
		list = append(list, one)
	}
	return list
}
