package report

import (
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
)

// benchEvidence writes the wrong picks of a benchmark, and the mutations that changed a pick, the first few of each.
func (t *text) benchEvidence(g *gates.Result) {
	shown := t.limit(len(g.Confusions), mostTools)
	for _, c := range g.Confusions[:shown] {
		picked := "nothing"
		if c.Picked != "" {
			picked = Safe(c.Picked)
		}
		t.p.line("  picked ", picked, " for \"", Safe(c.Intent), "\", expected ", safeList(c.Gold))
	}
	t.rest("  ", len(g.Confusions)-shown, "wrong picks")
	shown = t.limit(len(g.Mutations), mostTools)
	for _, m := range g.Mutations[:shown] {
		t.p.line("  ", Safe(m.Kind), " of ", Safe(m.Tool), ": accuracy ", m.Accuracy.Format(), ", ",
			fmt.Sprintf("%s changed", count(m.Flipped, "pick")))
	}
	t.rest("  ", len(g.Mutations)-shown, "mutations that change a pick")
}

// safeList returns names as a terminal may show them, joined by or.
func safeList(names []string) string {
	safe := make([]string, len(names))
	for i, name := range names {
		safe[i] = Safe(name)
	}
	return strings.Join(safe, " or ")
}
