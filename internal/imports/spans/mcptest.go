package spans

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

// MCPTest reads trace envelopes of mcptest: an object with "tool_calls", each with a name, a server and arguments. The form is
// shown on https://mcptest.sh/docs/agent-metrics-tool-selection and https://mcptest.sh/docs/within-session-stability. These pages
// do not show the keys of results and errors, so the usual keys are read.
var MCPTest = &logs.Format{
	Name: "mcptest",
	Open: func(to *logs.Sink) logs.Reader { return &mcptestReader{to: to} },
}

type mcptestReader struct {
	to    *logs.Sink
	count int
}

// mcptestEnvelope is one run.
type mcptestEnvelope struct {
	Calls        jsontext.Value `json:"tool_calls"`
	Model        word           `json:"model"`
	Prompt       word           `json:"prompt"`
	System       word           `json:"system_prompt"`
	Final        jsontext.Value `json:"final_response"`
	StopReason   word           `json:"stop_reason"`
	Duration     milliseconds   `json:"duration_ms"`
	Error        jsontext.Value `json:"error"`
	Conversation struct {
		Turns  []mcptestTurn `json:"turns"`
		Tokens mcptestTokens `json:"tokens"`
		Cost   logs.Dollars  `json:"cost_usd"`
	} `json:"conversation"`
	Delegations []struct {
		From word `json:"from"`
		To   word `json:"to"`
	} `json:"delegations"`
}

type mcptestTurn struct {
	Role    word           `json:"role"`
	Content jsontext.Value `json:"content"`
	Tokens  mcptestTokens  `json:"tokens"`
}

type mcptestTokens struct {
	Input  logs.Number `json:"input"`
	Output logs.Number `json:"output"`
	Total  logs.Number `json:"total"`
}

// mcptestCall is one call with its result.
type mcptestCall struct {
	ID        word           `json:"id"`
	Name      word           `json:"name"`
	Server    word           `json:"server"`
	Args      jsontext.Value `json:"args"`
	Arguments jsontext.Value `json:"arguments"`
	Result    jsontext.Value `json:"result"`
	Error     jsontext.Value `json:"error"`
	Failed    truth          `json:"is_error,case:ignore"` // or isError
	Duration  milliseconds   `json:"duration_ms"`
}

// Value reads one envelope: a run.
func (r *mcptestReader) Value(v logs.Value) {
	var e mcptestEnvelope
	if !v.Decode(&e) {
		return
	}
	if e.Calls.Kind() != '[' {
		v.Skip(`has no list "tool_calls"`)
		return
	}
	r.count++
	s := r.to.Session(fmt.Sprint(r.count), v.Pos)
	s.Model, s.System, s.StopReason, s.Duration = string(e.Model), string(e.System), string(e.StopReason), e.Duration.Count
	s.Error = errorText(e.Error)
	s.Ended, s.Complete = s.Error == "", true
	if e.Final.Kind() == '"' {
		final := logs.Unquote(e.Final)
		s.Final = &final
	}
	e.addMessages(s)
	for i, call := range v.Elements(e.Calls) {
		r.addCall(s, call, i)
	}
	for _, d := range e.Delegations {
		s.Delegate(string(d.From), string(d.To))
	}
	t, cost := e.Conversation.Tokens, e.Conversation.Cost
	if t.Input.Known || t.Output.Known || t.Total.Known || cost.Known {
		s.Spend(logs.Usage{Whole: true, Input: t.Input.Count, Output: t.Output.Count, Total: t.Total.Count, Cost: cost.Count})
	}
	r.to.Done(s)
}

// addMessages adds the messages, and the prompt if none of them is the user's.
func (e *mcptestEnvelope) addMessages(s *logs.Session) {
	byUser := false
	for _, turn := range e.Conversation.Turns {
		byUser = byUser || roles[turn.Role] == logs.RoleUser
	}
	if !byUser && e.Prompt != "" {
		s.Say(logs.Message{Role: logs.RoleUser, Text: string(e.Prompt)})
	}
	for i, turn := range e.Conversation.Turns {
		m := logs.Message{Role: roles[turn.Role], Text: logs.Text(turn.Content)}
		switch m.Role {
		case logs.RoleAssistant:
			m.ID = fmt.Sprintf("turn %d", i)
			s.Say(m)
			if turn.Tokens != (mcptestTokens{}) {
				s.Spend(logs.Usage{Reply: m.ID, Input: turn.Tokens.Input.Count, Output: turn.Tokens.Output.Count, Total: turn.Tokens.Total.Count})
			}
		case logs.RoleUser:
			s.Say(m)
		case logs.RoleSystem:
			s.System = logs.JoinTexts(s.System, m.Text)
		}
	}
}

// addCall adds one call. Envelopes list calls outside of the turns, so the turn that asked for a call is unknown.
func (r *mcptestReader) addCall(s *logs.Session, v logs.Value, i int) {
	var c mcptestCall
	if !v.Decode(&c) {
		return
	}
	id := fmt.Sprintf("#%d", i)
	s.Ask(logs.Call{ID: id, Name: string(c.Name), Server: string(c.Server), Args: argsIn(c.Args, c.Arguments)})
	hasError := bool(c.Failed) || !isNothing(c.Error)
	if c.Result == nil && !hasError && !c.Duration.Known {
		return
	}
	text, failed := resultText(orNull(c.Result))
	s.Answer(logs.Result{
		CallID: id, Text: text, Failed: failed || hasError, Error: errorText(c.Error), Duration: c.Duration.Count,
	})
}
