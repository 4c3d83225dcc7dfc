package report

import (
	"fmt"

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
		t.p.line("  picked ", picked, " for \"", Safe(c.Intent), "\", expected ", safeNames(c.Gold, " or "))
	}
	t.rest("  ", len(g.Confusions)-shown, "wrong picks")
	shown = t.limit(len(g.Mutations), mostTools)
	for _, m := range g.Mutations[:shown] {
		t.p.line("  ", Safe(m.Kind), " of ", Safe(m.Tool), ": accuracy ", m.Accuracy.Format(), ", ",
			fmt.Sprintf("%s changed", count(m.Flipped, "pick")))
	}
	t.rest("  ", len(g.Mutations)-shown, "mutations that change a pick")
}
