package imports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path"
	"slices"
	"testing"
)

// TestPublishedConversations reads published conversations in OpenAI's form, and compares the tools that were called with those
// that another program has counted in the same files, in the order of the file.
func TestPublishedConversations(t *testing.T) {
	folder := os.Getenv("MCP_GATES_DATA")
	if folder == "" {
		t.Skip("SKIPPED: MCP_GATES_DATA does not name a folder with conversations, so nothing is checked on real ones")
	}
	for file, wantRuns := range map[string]int{"livemcpbench-claude-sonnet-4.jsonl": 95, "tau-bench-airline-gpt-4o.jsonl": 200} {
		t.Run(file, func(t *testing.T) {
			want := calledIn(t, path.Join(folder, "conversations", file))
			var got []string
			runs := 0
			account, err := Read(os.DirFS(folder), []string{path.Join("conversations", file)}, Options{}, func(run *Run) error {
				runs++
				for _, call := range run.Calls {
					got = append(got, run.Metadata["task"]+" "+call.Tool.Name+" "+call.Detail.Result)
				}
				if run.Error != "" || run.Model == "" || run.Prompt == "" {
					t.Errorf("%s: got error %q, model %q, prompt %q", run.Pos, run.Error, run.Model, run.Prompt)
				}
				return nil
			})
			if err != nil || runs != wantRuns || account.Unread > 0 || len(account.LeftOut) > 0 {
				t.Errorf("got error %v, %d runs (want %d), account %+v", err, runs, wantRuns, account)
			}
			if !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

// calledIn returns the task, the tool and the result of each call in conversations. Some of them use an id again for a later
// call: the first result behind a call is its own.
func calledIn(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	type message struct {
		Role, Content string
		ToolCallID    string `json:"tool_call_id"`
		ToolCalls     []struct {
			ID       string
			Function struct{ Name string }
		} `json:"tool_calls"`
	}
	var called []string
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data))
	for lines.Scan() {
		var line struct {
			Task     string
			Messages []message
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		for i, m := range line.Messages {
			for _, call := range m.ToolCalls {
				rest := line.Messages[i:]
				at := slices.IndexFunc(rest, func(m message) bool { return m.Role == "tool" && m.ToolCallID == call.ID })
				result := ""
				if at >= 0 {
					result = rest[at].Content
				}
				called = append(called, line.Task+" "+call.Function.Name+" "+result)
			}
		}
	}
	return called
}
