package baseline

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/check"
)

// BenchmarkEvaluate evaluates the base of a repository with 500 cassettes of ten runs each, all the way from finding the
// repository to the report.
func BenchmarkEvaluate(b *testing.B) {
	const cassettes = 500
	call := `{"tool_calls": [{"name": "search", "server": "web", "args": {"query": "weather in Sacramento"}, "result": "72 F"}], "final_response": "It is 72 F."}`
	recording := `{"runs": [` + strings.Repeat(call+",\n", 9) + call + "]}"
	r := newRepo(b)
	var suite strings.Builder
	suite.WriteString("agents:\n")
	for i := range cassettes {
		fmt.Fprintf(&suite, "  - {name: case %d, tool_selection: {expected_tool: search, min_selection_rate: 0.5}, orchestration: {}}\n", i)
		r.write(fmt.Sprintf("cassettes/mcp-gates/case-%d.json", i), strings.Replace(recording, "72 F", fmt.Sprint(i), 1))
	}
	base := r.write("mcp-gates.yml", suite.String()).commit("base")
	r.git("rm", "-rq", ".")
	r.commit("head")
	for b.Loop() {
		repo := r.open(".")
		files, err := repo.Files(context.Background(), base)
		if err != nil {
			b.Fatal(err)
		}
		report, _, err := Evaluate(context.Background(), files, check.Options{})
		if err != nil || report.Counts.Passed != cassettes {
			b.Fatalf("%v, counts %+v, %d problems", err, report.Counts, len(report.Problems))
		}
		files.Close()
	}
}
