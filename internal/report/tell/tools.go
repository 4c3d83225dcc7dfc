package tell

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
)

// Tools holds the tools that were added, removed, renamed or changed.
type Tools struct {
	Servers []Item // changes of a whole server that may break callers
	Rows    []Tool // changed tools; tools that break callers come first
	Notes   []Line
}

// Tool is one tool that differs.
type Tool struct {
	*report.ToolChange
	Name     Line
	Tokens   Line
	Lines    []Line // the change of the tool, its breaking effects, and its differing parts
	Findings []Line // the worst new findings on its descriptions, for media that do not list them visibly elsewhere
}

func (s *Story) changedTools() Tools {
	c := s.compared
	if c == nil {
		return Tools{}
	}
	var t Tools
	for _, b := range c.MayBreak {
		if b.Tool == "" {
			t.Servers = append(t.Servers, Item{Kind: Remark, Mark: Warned, Path: b.Path, Line: b.Line, Case: -1, Text: say("may break callers: ", message(b.Message))})
		}
	}
	list := slices.Clone(c.Tools)
	lists.SortStable(list, func(a, b *report.ToolChange) int {
		return len(breaksOf(c.Breaking, b)) - len(breaksOf(c.Breaking, a))
	})
	for i := range list {
		t.Rows = append(t.Rows, s.toolRow(&list[i]))
	}
	for i := range c.Instructions {
		t.Notes = append(t.Notes, Instructions(&c.Instructions[i]))
	}
	if len(c.ServersGone) > 0 {
		const most = 8
		t.Notes = append(t.Notes, say("No catalog has a tool of ", names(c.ServersGone, most), " any more."))
	}
	if c.Undescribed && len(list) > 0 {
		t.Notes = append(t.Notes, say("The base is a saved report, which has no descriptions: renames, differing parts and broken callers are not known."))
	}
	return t
}

func (s *Story) toolRow(t *report.ToolChange) Tool {
	row := Tool{ToolChange: t, Name: say(linked(report.ToolID(t.Server, t.Name), t.Path, t.Line)), Tokens: tokens(t)}
	if t.Was != "" {
		row.Name = say(name(report.ToolID(t.Server, string(t.Was))), " → ", row.Name)
	}
	if fate := fateOf(t); fate != nil {
		row.Lines = append(row.Lines, fate)
	}
	breaking := breaksOf(s.compared.Breaking, t)
	for _, b := range breaking {
		row.Lines = append(row.Lines, say(strong("breaks callers"), ": ", Broken(b)))
	}
	for _, b := range breaksOf(s.compared.MayBreak, t) {
		row.Lines = append(row.Lines, say(strong("may break callers"), ": ", Broken(b)))
	}
	for i := range t.Parts {
		if !isMentioned(breaking, &t.Parts[i]) {
			row.Lines = append(row.Lines, Part(&t.Parts[i]))
		}
	}
	row.Findings = s.findingsOn(t)
	return row
}

// Instructions returns a line on how the instructions of a server differ.
func Instructions(i *report.InstructionsChange) Line {
	of := linked(cmp.Or(i.Server, i.Path), i.Path, i.Line)
	line := say("Instructions of ", of, ", ", arrow(count(i.Base), count(i.Head)), " tokens: ")
	if len(i.Diff) == 0 {
		return say(line, "changed")
	}
	return say(line, wordDiff(i.Diff))
}

// tokens returns a line with the tokens of a tool; nil if they are not known.
func tokens(t *report.ToolChange) Line {
	isOneSided := t.Kind == report.Added || t.Kind == report.Removed || t.Kind == report.Hidden
	areBothKnown := t.Base.IsKnown() && t.Head.IsKnown()
	areBothUnknown := !t.Base.IsKnown() && !t.Head.IsKnown()
	if areBothUnknown || isOneSided && !areBothKnown {
		return nil
	}
	if isOneSided || t.Base == t.Head {
		return say(Signed(t.Delta()))
	}
	return say(arrow(t.Base.Text(), t.Head.Text()))
}

// fateOf returns a few words on the change of a tool, to follow its name; nil if the tool's parts show the change.
func fateOf(t *report.ToolChange) Line {
	switch t.Kind {
	case report.Added:
		if len(t.Alike) == 0 {
			return say(strong("added"))
		}
		return say(strong("added"), alikeLine(t.Alike), ": agents may confuse them")
	case report.Removed:
		if t.Probably != "" {
			return say("removed, probably it is ", name(string(t.Probably)), " now")
		}
		return say("removed")
	case report.Hidden:
		return say("hidden from models")
	case report.Renamed:
		return say("renamed")
	case report.Changed:
		if len(t.Parts) == 0 {
			return say("changed")
		}
		return nil
	}
	return say(name(t.Kind)) // an unknown kind, from a saved report
}

// isMentioned reports whether a breaking change is about the argument of a part, so that the part need not be shown.
func isMentioned(breaking []report.Breaking, p *report.ToolPart) bool {
	if p.Argument == "" || p.Aspect == change.Description || p.Aspect == change.Default {
		return false
	}
	return slices.ContainsFunc(breaking, func(b report.Breaking) bool { return b.Argument == p.Argument })
}

func (s *Story) findingsOn(t *report.ToolChange) []Line {
	const most = 2
	var lines []Line
	for _, f := range s.compared.New { // the worst first
		if f.Server == t.Server && f.Tool == t.Name && strings.HasPrefix(f.Rule, "DESC-") {
			line := say("new "+severity(f.Severity)+" ", name(f.Rule), ": ", message(f.Message))
			if f.Suggestion != "" {
				line = say(line, "; ", message(f.Suggestion))
			}
			lines = append(lines, line)
		}
	}
	if left := len(lines) - most; left > 0 {
		lines = append(lines[:most], say("and "+judge.CountOf(left, "more finding")))
	}
	return lines
}

// severity returns a severity; any other word, which only a saved report can hold, becomes a warning.
func severity(s string) string {
	if s == "critical" {
		return s
	}
	return "warning"
}

// Part returns a line on how a part of a tool differs.
func Part(p *report.ToolPart) Line {
	var of Line
	if p.Argument != "" {
		of = say(name(string(p.Argument)))
	}
	switch p.Aspect {
	case change.Description:
		if of != nil {
			of = say(of, " ")
		}
		return say(of, "description ", descriptionChange(p))
	case change.ArgumentAdded:
		return say("argument ", of, " added, ", prose(string(p.Head)))
	case change.ArgumentGone:
		return say("argument ", of, " removed")
	case change.Requirement:
		return say(of, " is ", prose(string(p.Head)), " now")
	case change.Type, change.Values, change.Default:
		return say(of, " "+string(p.Aspect)+" ", difference(p))
	case change.Keyword:
		if of == nil {
			of = say(string(change.InputSchema))
		}
		return say(of, " ", name(string(p.Keyword)), " ", difference(p))
	}
	line := say(name(string(p.Aspect)))
	if p.Base == "" && p.Head == "" {
		return say(line, " changed")
	}
	return say(line, " ", value(p.Base), " → ", value(p.Head))
}

// maxListed bounds the number of members of a list that are named.
const maxListed = 5

// difference returns a line on how a value differs: gains and losses of a list, or the old and the new value.
func difference(p *report.ToolPart) Line {
	switch {
	case len(p.Gains) > 0 && len(p.Loses) > 0:
		return say("gains ", names(p.Gains, maxListed), " and loses ", names(p.Loses, maxListed))
	case len(p.Gains) > 0:
		return say("gains ", names(p.Gains, maxListed))
	case len(p.Loses) > 0:
		return say("loses ", names(p.Loses, maxListed))
	case p.Base == "" && p.Head == "":
		return say("changed")
	}
	return say(value(p.Base), " → ", value(p.Head))
}

func value(o report.Optional) Line {
	if o == "" {
		return say("none")
	}
	return say(name(string(o)))
}

func descriptionChange(p *report.ToolPart) Line {
	if len(p.Diff) == 0 {
		if p.Base != "" && p.Head != "" && p.Base != p.Head {
			return say("rewritten")
		}
		return say("differs in white space")
	}
	return wordDiff(p.Diff)
}

// WordDiff returns the difference of two texts, word by word.
func WordDiff(before, after string) Line {
	diff, _ := lexical.WordDiff(before, after)
	if len(diff) == 0 {
		return say("changed")
	}
	return wordDiff(diff)
}

func wordDiff(diff []lexical.DiffPart) Line {
	var line Line
	for i, part := range diff {
		if i > 0 {
			line = say(line, " ")
		}
		switch part.Change {
		case lexical.Removed:
			line = say(line, Span{Style: Deleted, Text: part.Text})
		case lexical.Added:
			line = say(line, Span{Style: Inserted, Text: part.Text})
		case lexical.LeftOut:
			line = say(line, "…")
		default:
			line = say(line, prose(part.Text))
		}
	}
	return line
}
