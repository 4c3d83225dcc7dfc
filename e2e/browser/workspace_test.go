package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

type object map[string]any

// writeWorkspace writes a suite of the cases, their recordings, and a catalog.
func writeWorkspace(t *testing.T, dir string, cases []testCase) {
	t.Helper()
	var agents []any
	for i, c := range cases {
		cassette := fmt.Sprintf("cassettes/%d.json", i)
		agents = append(agents, agentOf(c, cassette))
		write(t, filepath.Join(dir, cassette), recordingOf(c))
	}
	// A suite is YAML, of which JSON is a part.
	write(t, filepath.Join(dir, "mcp-gates.yml"), object{"servers": object{"web": object{"catalog": "web.json"}}, "agents": agents})
	write(t, filepath.Join(dir, "web.json"), object{"tools": []any{
		toolOf("search", "Searches the web and returns the ten best pages."), toolOf("fetch", "Returns the text of a page by its address."),
	}})
}

func toolOf(name, description string) object {
	return object{"name": name, "description": description, "inputSchema": object{"type": "object", "properties": object{}}}
}

// agentOf asks for a tool, or for hits that are not distractors.
func agentOf(c testCase, cassette string) object {
	if c.curve {
		return object{"name": c.name, "cassette": cassette, "servers": []any{"web"}, "distractors": object{
			"count": 4, "curve": []int{0, 2, 4}, "source": object{"from": "catalog"}, "correct": []string{"web.search"},
			"expect": []any{object{"distractors.accuracy": object{">=": 80}}},
		}}
	}
	return object{"name": c.name, "cassette": cassette, "servers": []any{"web"}, "runs": 10,
		"tool_selection": object{"expected_tool": "web.search", "min_selection_rate": 0.8}}
}

// recordingOf has ten runs, the first of which pick right; with distractors in the context where the case has a curve.
func recordingOf(c testCase) object {
	var runs, listed []any
	for i := range 10 {
		call := object{"server": "web", "name": "search", "args": object{}}
		if i >= c.right {
			call = object{"server": "web", "name": "fetch", "args": object{}}
		}
		run := object{"tool_calls": []any{call}, "conversation": object{"tokens": object{"total": 1000 + 17*i}}}
		if c.curve {
			run["distractors"] = []int{0, 2, 4}[i%3]
			if i >= c.right {
				run["tool_calls"] = []any{object{"server": "distractor", "name": "tool_1", "args": object{}}}
			}
		}
		runs = append(runs, run)
	}
	for i := range 4 {
		listed = append(listed, object{"server": "distractor", "name": fmt.Sprintf("tool_%d", i)})
	}
	recording := object{"model": "gpt-5", "runs": runs}
	if c.curve {
		recording["distractors"] = listed
	}
	return recording
}

func write(t *testing.T, path string, content any) {
	t.Helper()
	raw, err := json.Marshal(content)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw, 0o644); err != nil {
		t.Fatal(err)
	}
}
