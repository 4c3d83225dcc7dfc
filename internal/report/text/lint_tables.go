package text

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// scoreBars is the number of rows of the score distribution. Each row is a tenth of the range from 0 to 1.
const scoreBars = 10

func (t *lintText) writeScores(c *report.Catalog) {
	scores := make([]report.Optional, len(c.Tools))
	var bars [scoreBars]int
	for i, tool := range c.Tools {
		scores[i] = tool.Score
		bars[scoreBar(tool.Score)]++
	}
	slices.Sort(scores)
	t.p.line()
	t.p.line(t.p.paint(bold, "scores"), fmt.Sprintf(" %s lowest, %s median, %s mean", report.Safe(string(c.MinScore)),
		report.Safe(string(scores[(len(scores)-1)/2])), report.Safe(string(c.MeanScore))))
	const longest = 40
	most := slices.Max(bars[:])
	for i, n := range bars {
		if n > 0 {
			bar := strings.Repeat("#", max(1, n*longest/most))
			t.p.line(fmt.Sprintf("  0.%d to %s %6d  %s", i, upTo(i), n, bar))
		}
	}
}

func upTo(bar int) string {
	if bar == scoreBars-1 {
		return "1.0"
	}
	return fmt.Sprintf("0.%d", bar+1)
}

// scoreBar returns the index of the row to which a score belongs. The score 1.0000 belongs to the last row.
func scoreBar(score report.Optional) int {
	var whole, fraction int
	if _, err := fmt.Sscanf(string(score), "%d.%4d", &whole, &fraction); err != nil || whole > 0 {
		return scoreBars - 1
	}
	return fraction * scoreBars / 10000
}

// writeTokens writes the tools of a catalog that have the most tokens, the largest first, each with its share and the running
// total.
func (t *lintText) writeTokens(c *report.Catalog) {
	tools := slices.Clone(c.Tools)
	sort.SliceStable(tools, func(i, j int) bool {
		a, b := &tools[i], &tools[j]
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.Server, b.Server), cmp.Compare(a.Name, b.Name)) < 0
	})
	t.p.line()
	t.p.line(t.p.paint(bold, "tokens"), fmt.Sprintf(" %d, cl100k_base: names, descriptions and input schemas", c.SurfaceTokens))
	t.p.line(t.p.paint(dim, "   tokens   share  running"))
	running, surface := int64(0), int64(c.SurfaceTokens)
	shown := t.p.limit(len(tools), maxTokenLines)
	for i := range tools[:shown] {
		tool := &tools[i]
		running += int64(tool.Tokens)
		t.p.line(fmt.Sprintf("%9d  %6s  %7s  ", tool.Tokens, share(int64(tool.Tokens), surface), share(running, surface)), toolID(tool.Server, tool.Name))
	}
	if left := len(tools) - shown; left > 0 {
		rest := surface - running
		t.p.line(fmt.Sprintf("%9d  %6s  %7s  ", rest, share(rest, surface), share(surface, surface)),
			t.p.paint(dim, judge.CountOf(left, "smaller tool")+" (--verbose shows everything)"))
	}
}

// share returns part divided by whole as a percentage with one decimal. It rounds down, so that 100.0% means all.
func share(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	perMille := 1000 * part / whole
	return fmt.Sprintf("%d.%d%%", perMille/10, perMille%10)
}
