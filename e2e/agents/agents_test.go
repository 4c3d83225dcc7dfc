package agents

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// script is what the model of every agent does: two calls at once, then one of a tool that does not exist.
const script = `[[{"tool": "create_ticket", "args": {"title": "The login page is broken."}}, {"tool": "list_tickets"}], [{"name": "no_such_tool", "args": {"x": 1}}]]`

// agents are the tests of the suite, with the program that each runs.
var agents = []struct {
	name, program string
	pinned        bool // package.json has it
}{
	{"codex", "codex", true},
	{"gemini-cli", "gemini", true},
	{"claude-code", "claude", true},
	{"opencode", "opencode", false},
}

// TestAgents records five runs of each agent, and replays them to the same report.
func TestAgents(t *testing.T) {
	for _, agent := range agents {
		t.Run(agent.name, func(t *testing.T) {
			w := newWorld(t, "testdata/suite", script)
			if _, err := exec.LookPath(agent.program); err != nil && !agent.pinned {
				t.Skipf("%s is not installed, and no run of it is tested", agent.program)
			}
			recorded := w.run("run", "--record", "--verbose", "--jobs", "2", "--filter", "::"+agent.name+"::")
			replayed := w.run("run", "--verbose", "--filter", "::"+agent.name+"::")
			if want := strings.Replace(recorded, " · live runs", "", 1); replayed != want {
				t.Errorf("a replay says\n%s\nwant\n%s", replayed, want)
			}
			w.checkCassette(agent.name)
			w.checkOffered()
		})
	}
}

// cassette is what the tests look at of a recording.
type cassette struct {
	Agent        string `json:"agent"`
	AgentVersion string `json:"agent_version"`
	Distractors  []struct{ Server, Name string }
	Runs         []struct {
		Calls []struct {
			Server, Name, Result, Witness string
			Args                          map[string]any
			Failed                        bool `json:"is_error"`
		} `json:"tool_calls"`
		Conversation struct {
			Tokens map[string]int
		}
		Final string `json:"final_response"`
	}
}

// checkCassette holds the recording of an agent to the script.
func (w *world) checkCassette(agent string) {
	w.Helper()
	found, err := filepath.Glob(filepath.Join(w.dir, "cassettes", "mcp-gates", agent+"*.json"))
	if err != nil || len(found) != 1 {
		w.Fatalf("the cassettes are %q, want one", found)
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		w.Fatal(err)
	}
	if strings.Contains(string(text), w.dir) || strings.Contains(string(text), "127.0.0.1") {
		w.Error("the recording holds a path or an address of this machine")
	}
	var c cassette
	if err := json.Unmarshal(text, &c); err != nil {
		w.Fatal(err)
	}
	if c.Agent != agent || c.AgentVersion == "" || len(c.Runs) != 5 || len(c.Distractors) != 3 || c.Distractors[0].Server != "tickets" {
		w.Fatalf("agent %q, version %q, %d runs, distractors %v", c.Agent, c.AgentVersion, len(c.Runs), c.Distractors)
	}
	for i, run := range c.Runs {
		var calls []string
		for _, call := range run.Calls {
			name := strings.TrimPrefix(call.Server+"."+call.Name, ".")
			calls = append(calls, strings.TrimSpace(name+" "+call.Witness))
		}
		want := []string{"tickets.create_ticket", "tickets.list_tickets", "tickets.no_such_tool program"}
		if !slices.Equal(calls, want) {
			w.Errorf("run %d: calls %q, want %q", i+1, calls, want)
			continue
		}
		if run.Calls[0].Result != "ticket 1" || run.Calls[0].Args["title"] != "The login page is broken." {
			w.Errorf("run %d: the first call is %+v", i+1, run.Calls[0])
		}
		if tokens := run.Conversation.Tokens; tokens["input"] != 3000 || tokens["output"] != 90 || tokens["cache_read"] != 600 {
			w.Errorf("run %d: tokens %v, want 3000 in, of which 600 cached, and 90 out", i+1, tokens)
		}
		if run.Final != "Done." {
			w.Errorf("run %d: the final response is %q", i+1, run.Final)
		}
	}
}

// checkOffered requires that the model was offered the tools of the server and the distractors among them, in several orders.
func (w *world) checkOffered() {
	w.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, "offered.jsonl"))
	if err != nil {
		w.Fatal(err)
	}
	orders := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		for _, tool := range []string{"create_ticket", "list_tickets", "get_moon_phase", "convert_currency", "find_recipes"} {
			if strings.Count(line, tool+`"`) != 1 {
				w.Fatalf("the model was offered %s, want %s once", line, tool)
			}
		}
		orders[line] = true
	}
	w.Logf("the model was offered its tools in %d orders", len(orders))
}
