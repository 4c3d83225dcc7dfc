package check

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
)

// wordsGroup is a group of cases that have the same tools, today and in the base. Tools are ranked for all their prompts at once.
type wordsGroup struct {
	today, before *catalog.Catalog // before is nil without a base
	cases         []int            // indexes among the selected cases
	prompts       []string
}

// byWords ranks the tools by the words of each prompt, without a model. It notes in the report if a right tool came first among the
// base's tools and none does today, and changes no verdict.
func (c *checker) byWords(selected []selectedCase, r *report.Report) {
	if c.isLive() {
		return
	}
	for _, g := range wordsGroups(selected) {
		changed := g.before != nil && !catalog.SameTools(g.before, g.today)
		if changed || c.options.ByWords {
			g.addRows(selected, r, c.options.ByWords)
		}
	}
	lists.SortStable(r.Words, func(a, b *report.WordsRow) int { return cmp.Compare(a.Index, b.Index) })
}

func wordsGroups(selected []selectedCase) (order []*wordsGroup) {
	type key struct {
		suite, base *suite.Suite
		servers     string
	}
	groups := map[key]*wordsGroup{}
	for i, s := range selected {
		canRank := s.Kind == suite.AgentTest && s.HasPrompt && len(rightNames(s.Case)) > 0 && s.Snapshots() != nil
		if !canRank {
			continue
		}
		k := key{suite: s.Suite, servers: strings.Join(s.ServerNames, "\n")} // no name contains a line break
		if s.Was != nil {
			k.base = s.Was.Suite
		}
		g := groups[k]
		if g == nil {
			g = &wordsGroup{today: s.Snapshots()}
			if k.base != nil {
				g.before = k.base.Snapshots(s.ServerNames)
			}
			groups[k], order = g, append(order, g)
		}
		g.cases, g.prompts = append(g.cases, i), append(g.prompts, s.Prompt)
	}
	return order
}

// addRows selects a tool for each prompt, once among today's tools and once among the base's. If all is true, it adds a row for
// each case to the report.
func (g *wordsGroup) addRows(selected []selectedCase, r *report.Report, all bool) {
	picksNow, picksBefore := firstTools(g.today, g.prompts), firstTools(g.before, g.prompts)
	for n, index := range g.cases {
		s := selected[index]
		now, before := picksNow[n], picksBefore[n]
		row := report.WordsRow{Index: index, ID: s.ID, First: nameOf(now)}
		right := rightNames(s.Case)
		row.Right = now != nil && includesTool(right, now)
		if g.before != nil {
			rightBefore := rightNames(s.Was.Case)
			row.Before, row.WasRight = nameOf(before), before != nil && includesTool(rightBefore, before)
			row.Gone = goneWords(g.prompts[n], before, namedDocs(right, g.today))
		}
		if row.WasRight && !row.Right {
			r.Cases[index].ByWords = &report.ByWords{First: row.First, Gone: row.Gone}
		} else {
			row.Gone = nil
		}
		if all {
			r.Words = append(r.Words, row)
		}
	}
}

// rightNames returns the names of the tools that are right: class members and expected tools.
func rightNames(c *suite.Case) (names []string) {
	for _, check := range c.Checks {
		if check.Gate == gates.Distractors {
			continue // correct tools of distractors are a choice: any one of them is right
		}
		for _, m := range check.Plan.Members {
			names = append(names, m.Name)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

func includesTool(names []string, t *catalog.Tool) bool {
	return slices.Contains(names, t.Name) || slices.Contains(names, t.Ref().ID())
}

func docOf(t *catalog.Tool) lexical.Doc { return lexical.Doc{Name: t.Name, Description: t.Description} }

func namedDocs(names []string, cat *catalog.Catalog) (docs []lexical.Doc) {
	for _, t := range cat.Tools {
		if includesTool(names, t) {
			docs = append(docs, docOf(t))
		}
	}
	return docs
}

// firstTools returns the first-ranked tool for each prompt. The tool is nil if no tool shares a word with the prompt.
func firstTools(cat *catalog.Catalog, prompts []string) []*catalog.Tool {
	first := make([]*catalog.Tool, len(prompts))
	if cat == nil || len(cat.Tools) == 0 {
		return first
	}
	docs := lists.Map(cat.Tools, docOf)
	for i, pick := range lexical.NewSelector(docs, prompts).Picks() {
		if pick != lexical.None {
			first[i] = cat.Tools[pick]
		}
	}
	return first
}

func nameOf(t *catalog.Tool) report.Optional {
	if t == nil {
		return ""
	}
	return report.Optional(t.Ref().ID())
}

// goneWords returns the words that a prompt shares with the base's first tool, but with none of today's right tools.
func goneWords(prompt string, before *catalog.Tool, right []lexical.Doc) []string {
	gone := []string{}
	if before == nil {
		return gone
	}
	kept := lexical.SharedWords(prompt, right)
	for _, word := range lexical.SharedWords(prompt, []lexical.Doc{docOf(before)}) {
		if !slices.Contains(kept, word) {
			gone = append(gone, word)
		}
	}
	return gone
}
