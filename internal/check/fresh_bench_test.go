package check

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/staleness"
)

// BenchmarkFresh works out the freshness of 10,000 cases, whose evidence was gathered before: recordings with a catalog of 40
// tools, of which one has another description today.
func BenchmarkFresh(b *testing.B) {
	c := newChecker(context.Background(), tenThousandCases(), Options{})
	r := &report.Report{}
	selected := c.selectCases(c.load(r), r)
	gathered := make([]evidence, len(selected))
	for i, one := range selected {
		gathered[i] = c.gather(one)
	}
	b.ReportAllocs()
	for b.Loop() {
		c.compared = staleness.Cache{}
		affected := 0
		for i, one := range selected {
			if a := c.assess(one, gathered[i]); a.freshness.State == report.Affected {
				affected++
			}
		}
		if len(selected) != 10_000 || affected != 250 {
			b.Fatalf("%d cases, %d affected, want 10000 and 250: %v", len(selected), affected, r.Problems)
		}
	}
}

func tenThousandCases() fstest.MapFS {
	var tools, suite strings.Builder
	for i := range 40 {
		fmt.Fprintf(&tools, `%s{"name": "tool_%d", "description": "Does thing number %d for whoever asks for it, with care.", "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}}}`, comma(i), i, i)
	}
	suite.WriteString("servers: {web: {catalog: web.json}}\nagents:\n")
	today := strings.Replace(tools.String(), "Does thing number 7 for", "Works on", 1)
	files := fstest.MapFS{"web.json": {Data: []byte(`{"tools": [` + today + `]}`)}}
	for i := range 10_000 {
		fmt.Fprintf(&suite, "  - {name: case %d, server: web, cassette: c%d.json, tool_selection: {expected_tool: tool_%d, min_selection_rate: 0.5}}\n", i, i, i%40)
		run := fmt.Sprintf(`{"tool_calls": [{"name": "tool_%d", "server": "web"}]}`, i%40)
		files[fmt.Sprintf("c%d.json", i)] = &fstest.MapFile{Data: []byte(`{"catalog": {"web": {"tools": [` + tools.String() + `]}}, "runs": [` + run + `]}`)}
	}
	files["mcp-gates.yml"] = &fstest.MapFile{Data: []byte(suite.String())}
	return files
}
