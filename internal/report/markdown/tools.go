package markdown

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/report"
)

// How many rows of the tables on the first screen are open; the others are folded.
const (
	openTools   = 8
	openFigures = 8
	openOthers  = 3 // of figures that only some cases have
)

// tools is the table of tools that were added, removed, renamed or changed, those that break callers first.
func (d *document) tools(most int) string {
	if d.c == nil || most == 0 {
		return ""
	}
	servers := wholeServers("💥 "+strong("breaks callers"), d.c.Breaking) + wholeServers(strong("may break callers"), d.c.MayBreak)
	if len(d.c.Tools) == 0 {
		if servers == "" {
			return ""
		}
		return "**What changed in the tools**\n\n" + servers
	}
	list := slices.Clone(d.c.Tools)
	slices.SortStableFunc(list, func(a, b report.ToolChange) int {
		return len(breaksOf(d.c.Breaking, b)) - len(breaksOf(d.c.Breaking, a))
	})
	shown := list[:min(len(list), most)]
	open := shown[:min(len(shown), openTools)]
	text := "**What changed in the tools**\n\n" + servers + d.toolTable(open)
	if rest := shown[len(open):]; len(rest) > 0 {
		text += "\n" + fold(count(len(rest))+" more tools", d.toolTable(rest))
	}
	text += more(len(list)-len(shown), "tools")
	if len(d.c.ServersGone) > 0 {
		text += "\nNo catalog has a tool of " + codes(d.c.ServersGone, openTools) + " any more.\n"
	}
	if d.c.Undescribed {
		text += "\nThe base is a saved report, which has no descriptions: renames, differing parts and broken callers are not known.\n"
	}
	return text
}

func (d *document) toolTable(list []report.ToolChange) string {
	return tableOf([]string{"Tool", "Change", "Tokens:"}, len(list), len(list), "", func(i int) []string {
		t := list[i]
		return []string{d.toolCell(t), strings.Join(d.changeLines(t), "<br>"), tokensCell(t)}
	})
}

// toolCell is the name of a tool, and the one that it had.
func (d *document) toolCell(t report.ToolChange) string {
	name := d.linked(code(report.ToolID(t.Server, t.Name)), t.Path, t.Line)
	if t.Was != "" {
		return code(report.ToolID(t.Server, string(t.Was))) + " → " + name
	}
	return name
}

func tokensCell(t report.ToolChange) string {
	if t.Kind == report.Added || t.Kind == report.Removed || t.Kind == report.Hidden || t.Delta() == 0 {
		return signed(int64(t.Delta()))
	}
	return arrow(count(t.Base), count(t.Head))
}

// mostParts bounds the lines of one row.
const mostParts = 6

// changeLines are what happened to a tool, what that breaks, and the new findings on it.
func (d *document) changeLines(t report.ToolChange) []string {
	var lines []string
	switch t.Kind {
	case report.Added:
		lines = append(lines, strong("added")+looksLike(t.Alike))
	case report.Removed:
		line := "removed"
		if t.Probably != "" {
			line += ", probably now " + code(string(t.Probably))
		}
		lines = append(lines, line)
	case report.Hidden:
		lines = append(lines, "hidden from models")
	case report.Renamed:
		lines = append(lines, "renamed")
	case report.Changed:
		if len(t.Parts) == 0 {
			lines = append(lines, "changed")
		}
	default:
		lines = append(lines, code(t.Kind)) // of a saved report
	}
	for _, b := range breaksOf(d.c.Breaking, t) {
		lines = append(lines, "💥 "+strong("breaks callers")+": "+broken(b))
	}
	for _, b := range breaksOf(d.c.MayBreak, t) {
		lines = append(lines, strong("may break callers")+": "+broken(b))
	}
	for _, p := range t.Parts {
		if !d.isBroken(t, p) {
			lines = append(lines, partLine(p))
		}
	}
	lines = append(lines, d.findingsOn(t)...)
	if left := len(lines) - mostParts; left > 0 {
		lines = append(lines[:mostParts], "and "+count(left)+" more")
	}
	return lines
}

// findingsOn are the worst new findings on a tool's descriptions.
func (d *document) findingsOn(t report.ToolChange) []string {
	const most = 2
	var lines []string
	for _, f := range d.c.New { // the worst first
		if f.Server == t.Server && f.Tool == t.Name && strings.HasPrefix(f.Rule, "DESC-") {
			lines = append(lines, findingLine(f))
		}
	}
	if left := len(lines) - most; left > 0 {
		lines = append(lines[:most], "and "+judge.CountOf(left, "more finding"))
	}
	return lines
}

func looksLike(alike []report.AlikeTool) string {
	if len(alike) == 0 {
		return ""
	}
	names := make([]string, len(alike))
	for i, a := range alike {
		names[i] = code(report.ToolID(a.Server, a.Name)) + " (" + percent(&a.Percent) + " %)"
	}
	return ", reads like " + strings.Join(names, ", ") + ": agents may confuse them"
}

// wholeServers lists the changes that are about a server and not about one of its tools.
func wholeServers(mark string, all []report.Breaking) string {
	text := ""
	for _, b := range all {
		if b.Tool == "" {
			text += "- " + mark + ": " + message(b.Message) + "\n"
		}
	}
	if text != "" {
		text += "\n"
	}
	return text
}

// breaksOf returns those changes of a list that are a tool's.
func breaksOf(all []report.Breaking, t report.ToolChange) []report.Breaking {
	var list []report.Breaking
	for _, b := range all {
		if b.Tool != "" && b.Server == t.Server && (b.Tool == t.Name || t.Was != "" && b.Tool == string(t.Was)) && (t.Kind != report.Added) {
			list = append(list, b)
		}
	}
	return list
}

// broken says what callers trip over.
func broken(b report.Breaking) string {
	switch b.Kind {
	case change.ToolRemoved:
		return "the tool is gone"
	case change.ToolHidden:
		return "no model is offered it any more"
	case change.ToolRenamed:
		return "it has another name"
	}
	if b.Argument == "" {
		return message(b.Message)
	}
	return code(string(b.Argument)) + " " + message(b.Message)
}

// isBroken reports whether a part is said already by what it breaks.
func (d *document) isBroken(t report.ToolChange, p report.ToolPart) bool {
	if p.Argument == "" || p.Aspect == change.Description || p.Aspect == change.Default {
		return false
	}
	return slices.ContainsFunc(breaksOf(d.c.Breaking, t), func(b report.Breaking) bool { return b.Argument == p.Argument })
}

// partLine says how a part of a tool differs.
func partLine(p report.ToolPart) string {
	of := ""
	if p.Argument != "" {
		of = code(string(p.Argument))
	}
	switch p.Aspect {
	case change.Description:
		return strings.TrimSpace(of+" description ") + " " + described(p)
	case change.ArgumentAdded:
		return "argument " + of + " added, " + prose(string(p.Head))
	case change.ArgumentGone:
		return "argument " + of + " removed"
	case change.Requirement:
		return of + " is " + prose(string(p.Head)) + " now"
	case change.Type, change.Values, change.Default:
		return of + " " + string(p.Aspect) + " " + valueOf(p.Base) + " → " + valueOf(p.Head)
	}
	line := code(string(p.Aspect))
	if p.Base == "" && p.Head == "" {
		return line + " changed"
	}
	return line + " " + valueOf(p.Base) + " → " + valueOf(p.Head)
}

func valueOf(o report.Optional) string {
	if o == "" {
		return "none"
	}
	return code(string(o))
}

// described is the word diff of a description.
func described(p report.ToolPart) string {
	if len(p.Diff) == 0 {
		if p.Base != "" && p.Head != "" && p.Base != p.Head {
			return "rewritten"
		}
		return "differs in white space"
	}
	var parts []string
	for _, part := range p.Diff {
		text := prose(part.Text)
		switch part.Change {
		case lexical.Removed:
			text = "<del>" + text + "</del>"
		case lexical.Added:
			text = "<ins>" + text + "</ins>"
		case lexical.LeftOut:
			text = "…"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

// findingLine is a new finding on a tool.
func findingLine(f report.Finding) string {
	line := "🟡 "
	if f.Severity == "critical" {
		line = "🔴 "
	}
	return line + code(f.Rule) + ": " + message(f.Message) + "; " + message(f.Suggestion)
}
