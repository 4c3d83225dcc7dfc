package suggest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/imports"
	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/trace"
)

// alikePercent is the similarity (cosine, in percent) from which two tools count as similar, as in a comparison of catalogs.
const alikePercent = 90

// maxClassTools bounds the number of tools in the classes of a case, because readers review the classes.
const maxClassTools = 40

// class is a set of tools that probably do the same job.
type class struct {
	name    string
	members []int // indices of the group's tools
	runs    int   // number of properly ended runs that called one of its tools
	reason  string
}

// mistakenTool is a tool that was called, but that no run should have to call.
type mistakenTool struct {
	tool   int // index of the group's tools
	reason string
}

func mistakenOf(g *imports.Group) (list []mistakenTool) {
	for i, t := range g.Tools {
		if !isCandidate(t) {
			continue
		}
		switch {
		case !g.Offers(t.Ref):
			list = append(list, mistakenTool{i, "no server offered it"})
		case t.Failed == t.Calls:
			list = append(list, mistakenTool{i, "every call of it failed"})
		case t.Failed+t.Unmarked == t.Calls:
			list = append(list, mistakenTool{i, "every result of it is an error, or reads like one"})
		}
	}
	return list
}

func isCandidate(t *imports.Use) bool {
	return t.Server != trace.BuiltinServer && t.Runs > 0 && isName(t.Name) && (t.Server == "" || isName(t.Server))
}

// classesOf proposes classes of the tools that the runs of a group called: each tool is a class of its own, except for similar
// tools and tools that no run used together; mistaken tools are left out. It returns none if there are too many tools to
// review.
func classesOf(g *imports.Group, excluded []mistakenTool) []class {
	var tools []int
	for i, t := range g.Tools {
		if isCandidate(t) && !slices.ContainsFunc(excluded, func(m mistakenTool) bool { return m.tool == i }) {
			tools = append(tools, i)
		}
	}
	if g.More || g.Sets == nil || len(tools) > maxClassTools {
		return nil
	}
	slices.SortStableFunc(tools, func(a, b int) int {
		return cmp.Or(cmp.Compare(g.Tools[b].Runs, g.Tools[a].Runs), cmp.Compare(g.Tools[a].ID(), g.Tools[b].ID()))
	})
	var classes []class
	for _, tool := range tools {
		if at, reason := classFor(g, classes, tool); at >= 0 {
			classes[at].members, classes[at].reason = append(classes[at].members, tool), reason
			continue
		}
		classes = append(classes, class{members: []int{tool}})
	}
	for i := range classes {
		classes[i].runs = runsOf(g, classes[i].members)
	}
	nameClasses(g, classes)
	return classes
}

// classFor returns the class that a tool belongs to, with the reason; -1 if there is none.
func classFor(g *imports.Group, classes []class, tool int) (at int, reason string) {
	for i, c := range classes {
		isAlike := func(other int) bool { return areAlike(g, other, tool) }
		if slices.ContainsFunc(c.members, isAlike) {
			return i, "they read alike"
		}
	}
	for i, c := range classes {
		isTogether := func(other int) bool { return areTogether(g, other, tool) }
		if !slices.ContainsFunc(c.members, isTogether) {
			return i, "no run used both"
		}
	}
	return -1, ""
}

// areAlike reports whether two tools are similar: by name and description if the log has them, otherwise by name.
func areAlike(g *imports.Group, a, b int) bool {
	return len(lexical.Alike(textOf(g.Catalog(), g.Tools[a].Ref), []string{textOf(g.Catalog(), g.Tools[b].Ref)}, alikePercent)) > 0
}

func textOf(c *catalog.Catalog, ref catalog.Ref) string {
	if c == nil {
		return ref.Name
	}
	t, _ := c.Lookup(ref)
	if t == nil {
		return ref.Name
	}
	return ref.Name + " " + t.Description
}

func areTogether(g *imports.Group, a, b int) bool {
	for set := range g.Sets {
		if strings.ContainsRune(set, rune(a)) && strings.ContainsRune(set, rune(b)) {
			return true
		}
	}
	return false
}

func runsOf(g *imports.Group, tools []int) (runs int) {
	for set, n := range g.Sets {
		if slices.ContainsFunc(tools, func(t int) bool { return strings.ContainsRune(set, rune(t)) }) {
			runs += n
		}
	}
	return runs
}

func nameClasses(g *imports.Group, classes []class) {
	taken := map[string]bool{}
	for i := range classes {
		name := g.Tools[classes[i].members[0]].Name
		classes[i].name = name
		for n := 2; taken[classes[i].name]; n++ {
			classes[i].name = fmt.Sprintf("%s %d", name, n)
		}
		taken[classes[i].name] = true
	}
}

// alwaysUsed returns the tool that each run used; -1 if there is none or several.
func alwaysUsed(g *imports.Group, classes []class) int {
	found := -1
	for _, c := range classes {
		for _, tool := range c.members {
			if g.Tools[tool].Runs < g.Runs-g.Broken {
				continue
			}
			if found >= 0 {
				return -1
			}
			found = tool
		}
	}
	return found
}
