package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lexical"
)

var twinDescriptions = &Rule{
	ID: "MCP-008", Severity: Warning, Reads: Texts,
	Title: "two tools have the same description, or nearly so",
	Why: `An agent cannot distinguish tools with the same or nearly the same description. Descriptions are the same if they differ only in
letter case and white space. They are nearly the same if the lexical cosine of their words is at least 0.95. In the order of names,
all tools but the first are reported. DESC-001 reports missing descriptions.`,
	Bad: `[{"name": "search_a", "description": "Searches the knowledge base and returns pages."},
 {"name": "search_b", "description": "Searches the knowledge base and returns pages."}]`,
	Good: `[{"name": "search_pages", "description": "Searches the wiki and returns pages."},
 {"name": "search_tickets", "description": "Searches support tickets and returns their numbers."}]`,
	Source:      "Model Context Protocol, tools",
	Fix:         "say in each description how the tool differs from its twin, or merge the two",
	Recommended: true,
	Trial:       Trial{Found: 9, Judged: 9, Right: 9},
	CheckAll: func(views []*View, to func(*View) Report) {
		described := slices.DeleteFunc(slices.Clone(views), func(v *View) bool { return v.Text == "" })
		slices.SortStableFunc(described, compareViews)
		first := make(map[string]*View)
		var texts []string
		var distinct []*View
		for _, v := range described {
			key := normalized(v.Text)
			if twin, ok := first[key]; ok {
				to(v)(twinNote(v, twin, "the same as"))
				continue
			}
			first[key] = v
			texts, distinct = append(texts, v.Text), append(distinct, v)
		}
		if len(texts) < 2 {
			return
		}
		for i, twin := range lexical.Twins(texts, distinct[0].stems) {
			if twin != lexical.NoTwin {
				note := twinNote(distinct[i], distinct[twin], "nearly the same as")
				note.Doubtful = true // a few words can be difference enough for an agent ("a policy", "a policy rule")
				to(distinct[i])(note)
			}
		}
	},
}

func normalized(text string) string { return strings.Join(strings.Fields(strings.ToLower(text)), " ") }

func twinNote(v, twin *View, how string) Note {
	return Note{
		Message:    fmt.Sprintf("the description %s is %s that of %s", quoted(v.Text), how, quoted(twin.Tool.Ref().ID())),
		Suggestion: fmt.Sprintf("say in both when to use this one and when %s, or merge the two", quoted(twin.Tool.Name)),
	}
}
