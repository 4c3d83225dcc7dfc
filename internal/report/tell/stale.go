package tell

import (
	"slices"

	"github.com/org/mcp-gates/internal/report"
)

// staleItems returns an item for each cause of stale recordings. It leaves out what other items show: the tools that this change
// changes, which are in causes, and the tools of outdated snapshots.
func (s *Story) staleItems(causes []cause) []Item {
	var list []Item
	for _, one := range s.report.StaleCauses() {
		isTold := slices.ContainsFunc(causes, func(c cause) bool { return one.Since == report.SinceChange && c.isAbout(one.Tool) })
		if isTold || one.Tool.Change == report.Outdated { // the snapshot already has an item
			continue
		}
		text := say(sentence(one.Says), ": ", listLine(len(one.Cases), maxNamedCases, func(i int) any { return CaseName(one.Cases[i]) }), ".")
		list = append(list, Item{Kind: Remark, Mark: Warned, Path: one.Tool.Path, Line: one.Tool.Line, Case: -1, Text: text, Do: advice(renewalOf(one.Cases...).sentence)})
	}
	return shareAdvice(append(list, s.byWords()...))
}

// byWords returns items on the cases whose prompts now lead to another tool by their words alone.
func (s *Story) byWords() []Item {
	var list []Item
	for i := range s.report.Cases {
		c := &s.report.Cases[i]
		isGone := c.Freshness != nil && c.Freshness.State == report.Broken // the right tool is gone
		if c.ByWords == nil || isGone {
			continue
		}
		text := say("By words alone, which is a lexical check and not a model, the prompt of ", CaseName(c), " now leads to ", name(string(c.ByWords.First)))
		if gone := c.ByWords.Gone; len(gone) > 0 {
			text = say(text, "; gone: ", names(gone, maxNamedCases))
		}
		list = append(list, Item{Kind: Remark, Mark: Warned, Path: c.Suite, Line: c.Line, Case: i, Text: say(text, "."), Do: advice(renewalOf(c).sentence)})
	}
	return list
}

// Older returns a line on cases that were recorded before a change of a tool, and the advice.
func Older(t *report.StaleTool, cases []*report.Case) (older, do Line) {
	all := make([]string, len(cases))
	for i, c := range cases {
		all[i] = c.Name
		if c.Model != "" {
			all[i] += " [" + string(c.Model) + "]"
		}
	}
	how, again := " recorded before ", renewalOf(cases...)
	if again != renewals[""] {
		how = " judged by runs from before "
	}
	return say(Count(len(cases), "case")+verb(len(cases), " was", " were")+how, staleChange(t)), say(again.short+": ", names(all, maxNamedCases))
}

func staleChange(t *report.StaleTool) Line {
	switch {
	case t.Change == report.Changed:
		return say(name(t.Name), " changed")
	case t.Change == report.Renamed && t.Now != "":
		return say(name(t.Name), " was renamed to ", name(string(t.Now)))
	case t.Change == report.Added && t.Like != "":
		return say(name(t.Name), " was added, which looks like ", name(string(t.Like)))
	case t.Change == report.Hidden:
		return say(name(t.Name), " was hidden from models")
	}
	return say(name(t.Name), " was ", name(t.Change))
}
