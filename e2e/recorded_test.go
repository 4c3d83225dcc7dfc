package e2e

import (
	"strings"
	"testing"

	"github.com/org/mcp-gates/e2e/repo"
)

// TestRecordedValues expects that arguments, results and answers, which can hold anything, are not shown: the action's
// log and what it publishes are public.
func TestRecordedValues(t *testing.T) {
	t.Parallel()
	recorded := lines(object{"runs": []any{
		object{
			"tool_calls": []any{object{
				"server": "weather", "name": "get_weather", "args": object{"city": "canary-argument"}, "result": "canary-result",
				"is_error": true, "error": "canary-error",
			}},
			"conversation":   object{"tokens": object{"total": 9}, "turns": []any{object{"role": "user", "content": "canary-turn"}}},
			"final_response": "canary-answer",
		},
	}})
	suite := strings.Split(weatherSuite, "  - name: storm")[0] + `    orchestration:
      expect:
        - orchestration.error_recovery: { ">=": 100 }
        - orchestration.schema_valid: { ">=": 100 }
    expect:
      - tool_calls[0].args.city: { exact: Oslo }
      - tool_calls[0].args: { contains: Oslo }
      - final_response: { contains: rain }
      - conversation.turns[0].content: { contains: rain }
`
	suite = strings.Replace(suite, "runs: 10", "runs: 1", 1)
	w := newWorld(t)
	w.open(weather(), weather().With(repo.Files{
		"mcp-gates.yml": suite, "cassettes/selection.json": recorded, "cassettes/storm.json": "",
	}))
	for _, permissions := range [][]string{everything, readOnly} {
		w.restrict(permissions)
		j := w.job()
		j.Inputs["annotations"] = "all"
		o := w.run(j, 1)
		said := map[string]string{"the log": o.Log, "the summary": o.Summary}
		for _, k := range o.checks {
			said["the check run"] = k.Summary + k.Text + jsonOf(k.Annotations)
		}
		for _, c := range w.comments() {
			said["the comment"] = c.Body
		}
		for where, text := range said {
			w.says(where, text, "final_response")
			w.lacks(where, text, "canary-argument", "canary-result", "canary-error", "canary-turn", "canary-answer")
		}
	}
}
