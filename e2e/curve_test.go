package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/org/mcp-gates/e2e/repo"
)

const curveSuite = "agents:\n" +
	"  - name: \"```mermaid @octocat\"\n" + `    runs: 3
    cassette: cassettes/curve.json
    distractors:
      count: 4
      curve: [0, 4, 32]
      source: { from: catalog }
      correct: [weather.get_weather]
`

// curveRecording is of three runs at each of 0, 4 and 32 distractors, of which the last choose one.
func curveRecording() string {
	var listed, runs []any
	for i := range 32 {
		listed = append(listed, object{"server": "distractor", "name": fmt.Sprintf("tool_%d", i)})
	}
	for i := range 9 {
		offered := []int{0, 4, 32}[i/3]
		call := object{"server": "weather", "name": "get_weather", "args": object{}}
		if offered == 32 {
			call = object{"server": "distractor", "name": "tool_20", "args": object{}}
		}
		runs = append(runs, object{"distractors": offered, "tool_calls": []any{call}})
	}
	return lines(object{"model": "builtin:lexical", "distractors": listed, "runs": runs})
}

// TestCurve expects the distractor curve as a chart that GitHub draws: open in the job summary, folded in the comment.
func TestCurve(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.open(weather(), weather().With(repo.Files{"mcp-gates.yml": curveSuite, "cassettes/curve.json": curveRecording()}))
	j := w.job()
	j.Inputs["comment"] = "always"
	o := w.run(j, 0)
	const chart = "    x-axis \"distractors\" [\"0\", \"4\", \"32\"]\n    y-axis \"percent\" 0 --> 100\n    bar [100, 100, 0]\n    line [36, 36, 0]\n```\n"
	w.says("the job summary", o.Summary, "#### Accuracy against distractors\n", chart, "is a lexical baseline, not a model.")
	w.says("the log", o.Log, "[|                        ]        0%         0%     3")
	for _, c := range w.comments() {
		w.says("the comment", c.Body, "<details><summary>Accuracy against distractors</summary>", chart)
	}
	if n := len(w.comments()); n != 1 {
		t.Errorf("got %d comments, want one", n)
	}
	if n := strings.Count(o.Summary, "```mermaid\n"); n != 1 {
		t.Errorf("got %d charts in the job summary, want one:\n%s", n, o.Summary)
	}
}
