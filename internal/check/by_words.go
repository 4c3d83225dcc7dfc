package check

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
)

// wordsGroup is a group of cases that have the same tools, today and in the base. Tools are ranked for all their prompts at once.
type wordsGroup struct {
	today, before *catalog.Catalog // before is nil without a base
	cases         []int            // indexes of its cases in the selected cases
	prompts       []string
}

// byWords ranks the tools by the words of each prompt alone, and notes in the report if a right tool came first among the
// base's tools and none does today. It is a lexical check, not a model, and changes no verdict.
func (c *checker) byWords(selected []selectedCase, r *report.Report) {
	type key struct {
		suite, base *suite.Suite
		servers     string
	}
	groups := map[key]*wordsGroup{}
	var order []*wordsGroup
	for i, s := range selected {
		if s.Kind != suite.AgentTest || !s.HasPrompt || len(rightNames(s.Case)) == 0 || s.Snapshots() == nil || c.isLive() {
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
	for _, g := range order {
		changed := g.before != nil && !catalog.SameTools(g.before, g.today)
		if changed || c.options.ByWords {
			g.rank(selected, r, c.options.ByWords)
		}
	}
	slices.SortFunc(r.Words, func(a, b report.WordsRow) int { return cmp.Compare(a.Index, b.Index) })
}

// rank selects a tool for each prompt, among today's tools and among the base's.
func (g *wordsGroup) rank(selected []selectedCase, r *report.Report, all bool) {
	now, before := picks(g.today, g.prompts), picks(g.before, g.prompts)
	for n, i := range g.cases {
		s := selected[i]
		row := report.WordsRow{Index: i, ID: s.ID, First: nameOf(now[n])}
		right := rightNames(s.Case)
		row.Right = now[n] != nil && mentions(right, now[n])
		if g.before != nil {
			was := rightNames(s.Was.Case)
			row.Before, row.WasRight = nameOf(before[n]), before[n] != nil && mentions(was, before[n])
			row.Gone = goneWords(g.prompts[n], before[n], toolsNamed(right, g.today))
		}
		if row.WasRight && !row.Right {
			r.Cases[i].ByWords = &report.ByWords{First: row.First, Gone: row.Gone}
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
	slices.Sort(names)
	return slices.Compact(names)
}

func mentions(names []string, t *catalog.Tool) bool {
	return slices.Contains(names, t.Name) || slices.Contains(names, t.Ref().ID())
}

func toolsNamed(names []string, cat *catalog.Catalog) (docs []lexical.Doc) {
	for _, t := range cat.Tools {
		if mentions(names, t) {
			docs = append(docs, lexical.Doc{Name: t.Name, Description: t.Description})
		}
	}
	return docs
}

// picks returns the first-ranked tool for each prompt; nil if no tool shares a word with the prompt.
func picks(cat *catalog.Catalog, prompts []string) []*catalog.Tool {
	first := make([]*catalog.Tool, len(prompts))
	if cat == nil || len(cat.Tools) == 0 {
		return first
	}
	docs := make([]lexical.Doc, len(cat.Tools))
	for i, t := range cat.Tools {
		docs[i] = lexical.Doc{Name: t.Name, Description: t.Description}
	}
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
	for _, word := range lexical.SharedWords(prompt, []lexical.Doc{{Name: before.Name, Description: before.Description}}) {
		if !slices.Contains(kept, word) {
			gone = append(gone, word)
		}
	}
	return gone
}
