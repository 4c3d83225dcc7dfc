package agentlogs

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// codexEvent is an event of a session file.
type codexEvent struct {
	Type string `json:"type"`

	Message jsontext.Value   `json:"message"`
	Images  []jsontext.Value `json:"images"`
	Item    codexItem        `json:"item"`

	// The end of a turn.
	Last     *string     `json:"last_agent_message"`
	Error    codexError  `json:"error"`
	Duration logs.Number `json:"duration_ms"`
	Reason   string      `json:"reason"`

	// Tokens.
	Info struct {
		Total codexTokens `json:"total_token_usage"`
		Last  codexTokens `json:"last_token_usage"`
	} `json:"info"`

	// An MCP call, in earlier versions.
	CallID     string `json:"call_id"`
	Invocation struct {
		Server    string         `json:"server"`
		Tool      string         `json:"tool"`
		Arguments jsontext.Value `json:"arguments"`
	} `json:"invocation"`
	Result jsontext.Value `json:"result"`
}

// codexItem is an item of a turn, in an event of a session file or in the output. In a session file, the type is capitalised, and
// the id is that of the call.
type codexItem struct {
	Type      string         `json:"type"`
	ItemType  string         `json:"item_type"` // in earlier versions
	ID        string         `json:"id"`
	Text      string         `json:"text"`
	Content   jsontext.Value `json:"content"`
	Server    string         `json:"server"`
	Tool      string         `json:"tool"`
	Arguments jsontext.Value `json:"arguments"`
	Result    codexResult    `json:"result"`
	Error     jsontext.Value `json:"error"`
	Status    string         `json:"status"`
	Duration  codexDuration  `json:"duration"`

	Command jsontext.Value `json:"command"`
	Output  string         `json:"aggregated_output"`
	Changes jsontext.Value `json:"changes"`
	Query   jsontext.Value `json:"query"`
	Prompt  jsontext.Value `json:"prompt"`
}

// codexResult is the result of an MCP call.
type codexResult struct {
	Content textValue `json:"content"`
	IsError bool      `json:"isError"`
}

// UnmarshalJSONFrom reads the result. It skips the results of other types of items, which have other forms.
func (c *codexResult) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '{' {
		return dec.SkipValue()
	}
	type plain codexResult
	return json.UnmarshalDecode(dec, (*plain)(c))
}

// codexDuration is a duration in seconds and nanoseconds.
type codexDuration struct{ trace.Count }

// UnmarshalJSONFrom reads the duration, in milliseconds.
func (d *codexDuration) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '{' {
		return dec.SkipValue()
	}
	var parts struct{ Secs, Nanos logs.Number }
	if err := json.UnmarshalDecode(dec, &parts, json.MatchCaseInsensitiveNames(true)); err != nil {
		return err
	}
	if parts.Secs.Known && parts.Nanos.Known {
		d.Count = trace.Known(min(parts.Secs.N, trace.MaxCount/1000)*1000 + parts.Nanos.N/1e6)
	}
	return nil
}

// readEvent reads an event. It skips events that repeat items.
func (r *codexReader) readEvent(v logs.Value, line *codexLine) {
	var e codexEvent
	if !v.DecodePart(line.Payload, &e) {
		return
	}
	s := r.openSession(v, line.Timestamp)
	switch e.Type {
	case "user_message":
		text := logs.Text(e.Message) + strings.Repeat("\n[image]", len(e.Images))
		r.addPrompt(v, line, strings.TrimPrefix(text, "\n"))
	case "item_completed":
		r.readCompletedItem(v, line, &e.Item)
	case "mcp_tool_call_end":
		r.addMCPCall(&e)
	case "token_count":
		isNew := e.Info.Total.Total.Known && e.Info.Total != r.total
		if isNew && !r.hasUsageRecords {
			r.total = e.Info.Total
			r.addUsage(s, e.Info.Last)
		}
	case "task_started", "turn_started":
		r.setEnd(s, false, "")
	case "task_complete", "turn_complete":
		r.completeTurn(s, &e)
	case "turn_aborted":
		r.setEnd(s, true, "the turn was aborted: "+cmp.Or(e.Reason, "no reason given"))
	case "error":
		r.setEnd(s, true, cmp.Or(logs.Text(e.Message), "the turn failed"))
	}
}

func (r *codexReader) setEnd(s *logs.Session, ended bool, problem string) {
	if r.agent == "" {
		s.Ended, s.Error, s.Unended = ended, problem, "the session file ends before its turn does"
	}
}

func (r *codexReader) completeTurn(s *logs.Session, e *codexEvent) {
	if r.agent != "" {
		return
	}
	r.setEnd(s, true, e.Error.Message)
	s.Final = e.Last
	s.AddDuration(e.Duration.Count)
}

func (r *codexReader) addPrompt(v logs.Value, line *codexLine, text string) {
	if !r.isRepeat(v, line.Timestamp, "", line.Payload) {
		r.session.Say(logs.Message{Role: logs.RoleUser, Text: text, Agent: r.agent})
	}
}

// readCompletedItem reads an item of an event. It reads only messages of the user and results of servers, because items of the API
// repeat all other content.
func (r *codexReader) readCompletedItem(v logs.Value, line *codexLine, i *codexItem) {
	switch i.Type {
	case "UserMessage":
		r.addPrompt(v, line, logs.Text(i.Content))
	case "McpToolCall":
		if !r.isRepeat(v, line.Timestamp, "executed "+i.ID, line.Payload) {
			r.session.Execute(logs.Record{}, logs.Call{ID: i.ID, Name: i.Tool, Server: i.Server, Args: logs.Args{Object: i.Arguments}, Agent: r.agent}, i.result())
		}
	}
}

func (i *codexItem) result() logs.Result {
	r := logs.Result{Text: string(i.Result.Content), Failed: i.Status == "failed" || i.Result.IsError, Duration: i.Duration.Count}
	if i.Error != nil && i.Error.Kind() != 'n' {
		r.Failed = true
		var e codexError
		if i.Error.Kind() == '{' && json.Unmarshal(i.Error, &e, logs.Lenient) == nil {
			r.Error = e.Message
		} else {
			r.Error = logs.Text(i.Error)
		}
	}
	return r
}

func (r *codexReader) addMCPCall(e *codexEvent) {
	var outcome struct {
		OK  codexResult    `json:"Ok"`
		Err jsontext.Value `json:"Err"`
	}
	if e.Result.Kind() == '{' && json.Unmarshal(e.Result, &outcome, logs.Lenient) != nil {
		return
	}
	result := logs.Result{Text: string(outcome.OK.Content), Failed: outcome.OK.IsError}
	if outcome.Err != nil {
		result.Failed, result.Error = true, logs.Text(outcome.Err)
	}
	in := e.Invocation
	r.session.Execute(logs.Record{}, logs.Call{ID: e.CallID, Name: in.Tool, Server: in.Server, Args: logs.Args{Object: in.Arguments}, Agent: r.agent}, result)
}
