package agentlogs

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// codexResponse is an item of the Responses API in a session file.
type codexResponse struct {
	Type      string         `json:"type"`
	ID        string         `json:"id"`
	CallID    string         `json:"call_id"`
	Role      string         `json:"role"`
	Content   jsontext.Value `json:"content"`
	Name      string         `json:"name"`
	Namespace string         `json:"namespace"`
	Arguments jsontext.Value `json:"arguments"`
	Input     jsontext.Value `json:"input"`
	Action    jsontext.Value `json:"action"`
	Output    jsontext.Value `json:"output"`
	Tools     jsontext.Value `json:"tools"` // tools that a search returned
}

// readItem reads an item of the Responses API, unless it was read before.
func (r *codexReader) readItem(v logs.Value, timestamp string, payload jsontext.Value) {
	var i codexResponse
	if !v.DecodePart(payload, &i) {
		return
	}
	id := i.ID
	if i.CallID != "" {
		id = i.Type + " " + i.CallID
	}
	if i.Type == "reasoning" || r.isRepeat(v, timestamp, id, payload) {
		return
	}
	switch i.Type {
	case "message":
		r.readMessage(&i)
	case "function_call":
		r.addCall(&i, r.server(i.Namespace, i.Name), logs.Args{Object: i.Arguments})
	case "custom_tool_call":
		r.addCall(&i, r.server(i.Namespace, i.Name), codexInput(i.Input))
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output":
		r.session.Answer(codexResultOf(&i))
		if i.Type == "tool_search_output" {
			r.session.DeferSome()
		}
		r.answered = true
	default:
		r.readOwnTool(&i)
	}
}

// readOwnTool reads a call of a tool of Codex that has an item type of its own, such as web_search_call.
func (r *codexReader) readOwnTool(i *codexResponse) {
	name, is := strings.CutSuffix(i.Type, "_call")
	if !is {
		return
	}
	i.Name = name
	args := i.Action
	if args.Kind() != '{' {
		args = i.Arguments
	}
	r.addCall(i, trace.BuiltinServer, logs.Args{Object: args})
}

func (r *codexReader) addCall(i *codexResponse, server string, args logs.Args) {
	// The tokens of the reply need a turn, even if the reply has no text.
	r.session.Say(logs.Message{Role: logs.RoleAssistant, ID: r.currentReply(), Agent: r.agent})
	r.session.Ask(logs.Call{ID: cmp.Or(i.CallID, i.ID), Name: i.Name, Server: server, Args: args, Agent: r.agent, Reply: r.currentReply()})
}

// codexInput returns a tool's input as an object. A text becomes the member "input", as the API calls it.
func codexInput(input jsontext.Value) logs.Args {
	if input.Kind() != '"' {
		return logs.Args{Object: input}
	}
	return logs.Args{Object: logs.Object("input", input)}
}

// codexFrame matches the lines that Codex writes above the result of a server.
var codexFrame = regexp.MustCompile(`^Wall time: [0-9.]+ seconds\nOutput:\n?`)

// codexUnsupported is the beginning of Codex's answer to a call of a tool that does not exist. Results of servers cannot begin
// with it, because they have a frame.
const codexUnsupported = "unsupported call: "

// codexResultOf returns the result of a call: a text, parts, or in earlier versions an object with a success flag.
func codexResultOf(i *codexResponse) logs.Result {
	r := logs.Result{CallID: i.CallID}
	if i.Type == "tool_search_output" {
		r.Found = logs.FoundTools(i.Tools)
		return r
	}
	var object struct {
		Content jsontext.Value `json:"content"`
		Success *bool          `json:"success"`
	}
	if i.Output.Kind() == '{' && json.Unmarshal(i.Output, &object, logs.Lenient) == nil && object.Content != nil {
		r.Text = logs.Text(object.Content)
		r.Failed = object.Success != nil && !*object.Success
		return r
	}
	text := logs.Text(i.Output)
	r.Failed = strings.HasPrefix(text, codexUnsupported)
	r.Text = codexFrame.ReplaceAllString(text, "")
	return r
}

// readMessage reads a message. It reads messages of the user only in files of the earliest versions. In later versions, events have
// these messages, and the program also writes messages in the user's name.
func (r *codexReader) readMessage(i *codexResponse) {
	text := logs.Text(i.Content)
	isNote := strings.HasPrefix(text, "<environment_context>") || strings.HasPrefix(text, "<user_instructions>")
	switch {
	case i.Role == logs.RoleAssistant:
		r.session.Say(logs.Message{Role: logs.RoleAssistant, Text: text, ID: r.currentReply(), Agent: r.agent})
		if r.agent == "" {
			r.session.Ended = false
		}
	case i.Role == "developer" && strings.Contains(text, codexDeferred):
		r.session.DeferSome()
	case i.Role == logs.RoleUser && r.isBare && !isNote:
		r.session.Say(logs.Message{Role: logs.RoleUser, Text: text})
	}
}

// codexDeferred is the beginning of the list of namespaces with deferred tools. The list does not name the tools.
const codexDeferred = "<tools>\nDeferred tool namespaces:"
