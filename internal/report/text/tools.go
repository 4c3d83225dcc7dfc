package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/report"
)

// toolChanges lists the tools that differ, in what they differ, and what breaks their callers.
func (t *writer) toolChanges(c *report.Comparison) {
	title := fmt.Sprintf("CHANGED TOOLS, surface %d → %d tokens", c.Totals[0].Surface, c.Totals[1].Surface)
	t.p.list(title, "tool", len(c.Tools), mostChanges, func(i int) {
		one := &c.Tools[i]
		t.p.line("  ", t.p.place(one.Path, one.Line), toolLine(one))
		for j := range one.Parts {
			t.p.line("    ", t.p.part(&one.Parts[j]))
		}
	})
	t.p.list("BREAKS CALLERS", "change", len(c.Breaking), mostChanges, func(i int) { t.p.breaking("  ", c.Breaking[i], red) })
	t.p.list("MAY BREAK CALLERS", "change", len(c.MayBreak), mostChanges, func(i int) { t.p.breaking("  ", c.MayBreak[i], yellow) })
	if len(c.ServersGone) > 0 {
		t.p.line("no catalog has a tool of ", safeNames(c.ServersGone), " any more")
	}
	if c.Undescribed && len(c.Tools) > 0 {
		t.p.line("the base is a saved report without descriptions: renames, differing parts and broken callers are not known")
	}
}

// breaking writes a change that breaks callers, or that may.
func (p *printer) breaking(indent string, b report.Breaking, colour style) {
	about := toolID(b.Server, b.Tool)
	if b.Argument != "" {
		about += " " + report.Safe(string(b.Argument))
	}
	p.line(indent, p.place(b.Path, b.Line), p.paint(colour, about), ": ", report.Safe(b.Message))
}

// toolLine says in one line what became of a tool.
func toolLine(c *report.ToolChange) string {
	line := toolID(c.Server, c.Name) + " " + report.Safe(c.Kind)
	if c.Kind == report.Hidden {
		line += " from models"
	}
	if c.Was != "" {
		line = toolID(c.Server, string(c.Was)) + " is called " + report.Safe(c.Name) + " now"
	}
	line += fmt.Sprintf(": %d → %d tokens", c.Base, c.Head)
	if c.Probably != "" {
		line += ", probably now " + report.Safe(string(c.Probably))
	}
	for _, a := range c.Alike {
		line += fmt.Sprintf(", reads like %s (%d %%)", toolID(a.Server, a.Name), a.Percent)
	}
	return line
}

// part says in one line how a part of a tool differs.
func (p *printer) part(c *report.ToolPart) string {
	of := ""
	if c.Argument != "" {
		of = report.Safe(string(c.Argument)) + ": "
	}
	switch c.Aspect {
	case change.Description:
		return of + "description " + p.described(c)
	case change.ArgumentAdded:
		return of + "argument added, " + report.Safe(string(c.Head))
	case change.ArgumentGone:
		return of + "argument removed"
	case change.Requirement:
		return of + report.Safe(string(c.Head)) + " now"
	}
	line := of + report.Safe(string(c.Aspect))
	if c.Base == "" && c.Head == "" {
		return line + " changed"
	}
	return line + " " + orNone(c.Base) + " → " + orNone(c.Head)
}

func orNone(value report.Optional) string {
	if value == "" {
		return "none"
	}
	return report.Safe(string(value))
}

// described writes the word diff of a description: [-removed-] and {+added+}, in colours where there are some.
func (p *printer) described(c *report.ToolPart) string {
	if len(c.Diff) == 0 {
		if c.Base != c.Head {
			return "rewritten"
		}
		return "differs in white space"
	}
	parts := make([]string, len(c.Diff))
	for i, part := range c.Diff {
		text := report.Safe(part.Text)
		switch part.Change {
		case lexical.Removed:
			text = p.paint(red, "[-"+text+"-]")
		case lexical.Added:
			text = p.paint(green, "{+"+text+"+}")
		case lexical.LeftOut:
			text = "…"
		}
		parts[i] = text
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}
