package check

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/report"
)

// BenchmarkJudge evaluates 50 cases of ten runs on a catalog of 40 tools: the base alone, a head whose suite is the base's,
// and one whose suite differs, so that the base's suite judges each case, too.
func BenchmarkJudge(b *testing.B) {
	base, softened := fiftyCases("0.5"), fiftyCases("0.4")
	o := Options{Digests: true, Jobs: 1}
	_, judge := RunBase(context.Background(), base, o)
	run := func(b *testing.B, files fs.FS, o Options) {
		b.ReportAllocs()
		for b.Loop() {
			if r := Run(context.Background(), files, o); r.Counts.Passed != 50 {
				b.Fatalf("counts %+v, problems %v", r.Counts, r.Problems)
			}
		}
	}
	b.Run("base", func(b *testing.B) { run(b, base, o) })
	o.BaseSuites = judge
	b.Run("same suite", func(b *testing.B) { run(b, base, o) })
	b.Run("changed suite", func(b *testing.B) { run(b, softened, o) })
}

func fiftyCases(rate string) fstest.MapFS {
	var suite, tools strings.Builder
	for i := range 40 {
		fmt.Fprintf(&tools, `%s{"name": "tool_%d", "description": "Does thing %d for whoever asks for it, with care."}`, comma(i), i, i)
	}
	suite.WriteString("servers: {web: {catalog: web.json}}\nagents:\n")
	files := fstest.MapFS{"web.json": {Data: []byte(`{"tools": [` + tools.String() + `]}`)}}
	for i := range 50 {
		fmt.Fprintf(&suite, `  - name: case %d
    server: web
    cassette: c%d.json
    tool_selection: {expected_tool: tool_%d, min_selection_rate: %s}
    equal_function_sets: {classes: [{name: right, members: [tool_%d]}]}
    orchestration: {}
`, i, i, i%40, rate, i%40)
		run := fmt.Sprintf(`{"tool_calls": [{"name": "tool_%d", "server": "web", "args": {"q": "x"}, "result": "%s"}], "conversation": {"tokens": 40}}`, i%40, strings.Repeat("x", 200))
		files[fmt.Sprintf("c%d.json", i)] = &fstest.MapFile{Data: []byte("[" + strings.Repeat(run+",\n", 9) + run + "]")}
	}
	files["mcp-gates.yml"] = &fstest.MapFile{Data: []byte(suite.String())}
	return files
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

// TestJudgeCostsNothingWhereNoSuiteChanged holds that no case is judged twice when the suites are the base's.
func TestJudgeCostsNothingWhereNoSuiteChanged(t *testing.T) {
	files := fiftyCases("0.5")
	o := Options{Digests: true}
	_, o.BaseSuites = RunBase(context.Background(), files, o)
	judged := func(r *report.Report) int {
		n := 0
		for _, c := range r.Cases {
			if c.Base != nil {
				n++
			}
		}
		return n
	}
	if n := judged(Run(context.Background(), files, o)); n != 0 {
		t.Errorf("the base's suite judged %d cases of a suite that is its own", n)
	}
	if n := judged(Run(context.Background(), fiftyCases("0.4"), o)); n != 50 {
		t.Errorf("the base's suite judged %d of the 50 cases of a suite that differs", n)
	}
}
