package builtin

import (
	"reflect"
	"slices"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/trace"
)

func TestScriptedAgent(t *testing.T) {
	call := func(server, name, args string) trace.Call {
		c := trace.Call{Tool: &trace.Tool{Ref: catalog.Ref{Server: server, Name: name}}, Args: trace.ArgsObject, Detail: &trace.Detail{Args: []byte(args)}}
		return c
	}
	malformed := trace.Call{Tool: &trace.Tool{Ref: catalog.Ref{Name: "gone"}}, Args: trace.ArgsMalformed}
	runs := []trace.Run{
		{Calls: []trace.Call{call("b", "get", `{"x":1}`), {Tool: &trace.Tool{Ref: catalog.Ref{Name: "get"}}}, malformed}, FinalResponse: "done"},
		{},
	}
	p, err := New(trace.ModelScript, runs, noRules)
	if err != nil {
		t.Fatal(err)
	}
	req := model.Request{Tools: []model.Tool{{Name: "b__get", Server: "b", Real: "get"}, {Name: "a__get", Server: "a", Real: "get"}}}
	for run, want := range map[int][]string{1: {`b__get{"x":1}`, "a__get{}", "gonenull", "done"}, 2: {""}, 3: {`b__get{"x":1}`, "a__get{}", "gonenull", "done"}} {
		req.Run, req.Messages = run, []model.Message{{Role: model.RoleUser, Text: "go"}}
		if got := playProvider(t, p, req); !slices.Equal(got, want) {
			t.Errorf("run %d: got %q, want %q", run, got, want)
		}
	}
	if _, err := New(trace.ModelScript, nil, noRules); err == nil {
		t.Error("a script without runs is taken")
	}
}

// playProvider runs a conversation to its end, with the calls' names and arguments for results, and returns these and the answer.
func playProvider(t *testing.T, p model.Provider, req model.Request) []string {
	t.Helper()
	var made []string
	for range 50 {
		reply := mustTurn(t, p, req)
		if reply.Stop != model.StopToolUse {
			return append(made, reply.Text)
		}
		results := make([]model.Result, len(reply.Calls))
		for i, c := range reply.Calls {
			results[i].Text = c.Name + c.Args
			made = append(made, results[i].Text)
		}
		req = afterResults(req, reply, results...)
	}
	t.Fatal("the conversation does not end")
	return nil
}

func noRules() *redact.Rules { return nil }

// afterResults returns the request that follows a reply when its calls have the given results.
func afterResults(req model.Request, reply model.Reply, results ...model.Result) model.Request {
	for i := range results {
		results[i].CallID, results[i].Name = reply.Calls[i].ID, reply.Calls[i].Name
	}
	req.Messages = append(req.Messages,
		model.Message{Role: model.RoleAssistant, Text: reply.Text, Calls: reply.Calls, Raw: reply.Raw},
		model.Message{Role: model.RoleTool, Results: results})
	return req
}

func mustTurn(t *testing.T, p model.Provider, req model.Request) model.Reply {
	t.Helper()
	reply, err := p.Turn(t.Context(), req)
	if err != nil {
		t.Fatalf("turn: %v", err)
	}
	return reply
}

func compareReplies(t *testing.T, got, want model.Reply) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("reply:\n got %+v\nwant %+v", got, want)
	}
}
