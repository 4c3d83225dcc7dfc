package npm

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// call is a recorded call.
type call struct {
	Name    string
	Result  string
	IsError bool `json:"is_error"`
}

// TestOwnWords calls every tool of server-everything in one session: it logs, updates resources, reports progress, and
// has tools for clients that can be asked something. Nothing may hang, and each call must come to something clear.
func TestOwnWords(t *testing.T) {
	t.Parallel()
	wanted := []call{ // of the results the beginning
		{"toggle-simulated-logging", "Started simulated", false},
		{"toggle-subscriber-updates", "Started simulated", false},
		{"trigger-long-running-operation", "Long running operation completed. Duration: 0.5 seconds, Steps: 5.", false},
		{"simulate-research-query", "MCP error -32601: Tool simulate-research-query requires task augmentation", true},
		{"trigger-sampling-request", `there is no tool called "trigger-sampling-request"`, true},
		{"trigger-elicitation-request", `there is no tool called "trigger-elicitation-request"`, true},
		{"get-roots-list", `there is no tool called "get-roots-list"`, true},
		{"get-tiny-image", "Here's the image you requested:\n[image image/png, 4033 bytes]\n", false},
		{"get-annotated-message", "Error: Operation failed\n[image image/png, 4033 bytes]", false},
		{"get-resource-links", "Here are 2 resource links to resources available in this server:\n[resource link demo://", false},
		{"get-resource-reference", "Returning resource reference for Resource 1:\n[resource demo://resource/dynamic/blob/1 text/plain, ", false},
		{"get-structured-content", `{"temperature":36,`, false},
		{"gzip-file-as-resource", "[resource demo://resource/session/a.gz application/gzip, 25 bytes]", false},
		{"get-sum", "MCP error -32602: Input validation error", true},
		{"echo", "Echo: still here", false},
	}
	for i, transport := range transports {
		t.Run(transport.name, func(t *testing.T) {
			t.Parallel()
			w, _, _ := newTransport(t, "testdata/own-words", i)
			w.report("--record")
			var recorded struct {
				Runs []struct {
					Calls []call `json:"tool_calls"`
				}
			}
			if err := json.Unmarshal([]byte(w.read("cassettes/mcp-gates/all-tools.json")), &recorded); err != nil {
				t.Fatal(err)
			}
			got := recorded.Runs[0].Calls
			for i := range min(len(got), len(wanted)) {
				got[i].Result = got[i].Result[:min(len(got[i].Result), len(wanted[i].Result))]
			}
			if diff := cmp.Diff(wanted, got); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
		})
	}
}
