package lint

import "github.com/org/mcp-gates/internal/catalog"

// ignores drops findings and remembers which entries were of use.
type ignores struct {
	entries []Ignore
	used    []bool
	byRule  map[string][]int // indexes of entries
}

func newIgnores(entries []Ignore) ignores {
	g := ignores{entries, make([]bool, len(entries)), make(map[string][]int)}
	for i, e := range entries {
		g.byRule[e.Rule] = append(g.byRule[e.Rule], i)
	}
	return g
}

// drop reports whether an entry ignores the rule's findings about the tool. Every entry that does counts as used, so
// that of two equal ones neither is called useless because of the other.
func (g ignores) drop(rule string, t *catalog.Tool) bool {
	dropped := false
	for _, i := range g.byRule[rule] {
		if g.entries[i].names(t) {
			g.used[i], dropped = true, true
		}
	}
	return dropped
}

func (e Ignore) names(t *catalog.Tool) bool { return e.Tool == t.Name || e.Tool == t.Ref().ID() }

func (g ignores) unused(tools []*catalog.Tool) []UnusedIgnore {
	var unused []UnusedIgnore
	for i, e := range g.entries {
		if g.used[i] {
			continue
		}
		known := false
		for _, t := range tools {
			known = known || e.names(t)
		}
		unused = append(unused, UnusedIgnore{i, known})
	}
	return unused
}
