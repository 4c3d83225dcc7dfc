package agentlogs

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// wireCall is a call that is kept until it and all earlier calls are answered, because calls are added in the order in which
// they were made.
type wireCall struct {
	call    logs.Call
	result  logs.Result
	start   trace.Count
	done    bool // the call is answered or given up
	waiting bool // the client will call again with the values that the server asked for
}

// callOf returns the call of a request. A repeated call with the values that the server asked for is the same call.
func (r *wireReader) callOf(p *wireParams, when trace.Count) *wireCall {
	call := logs.Call{Name: p.Name, Server: r.server, Args: logs.Args{Object: p.Arguments}, ID: modelCallID(p.Meta)}
	for _, c := range r.calls {
		if c.waiting && c.call.Name == call.Name && string(c.call.Args.Object) == string(call.Args.Object) {
			c.waiting = false
			return c
		}
	}
	call.Args.Object = call.Args.Object.Clone()
	c := &wireCall{call: call, start: when}
	r.calls = append(r.calls, c)
	if len(r.calls) > maxWireOpen {
		r.calls[0].giveUp("the call has no answer")
		r.addAnswered()
	}
	return c
}

func (c *wireCall) giveUp(problem string) {
	if !c.done {
		c.done, c.result.Error = true, problem
	}
}

// modelCallID returns the id that the model gave to a call, if the client sends it: Codex and Claude Code do.
func modelCallID(meta map[string]jsontext.Value) string {
	for _, key := range []string{"callId", "claudecode/toolUseId"} {
		if id := meta[key]; id.Kind() == '"' {
			return logs.Unquote(id)
		}
	}
	return ""
}

// readCallResult reads the answer to a call.
func (r *wireReader) readCallResult(v logs.Value, c *wireCall, m *wireMessage, when trace.Count) {
	if c.done {
		return // the call was given up
	}
	if when.Known && c.start.Known {
		c.result.Duration = trace.Known(max(0, when.N-c.start.N))
	}
	c.done = true
	if len(m.Error) > 0 {
		c.result.Failed, c.result.Error = true, wireError(m.Error)
	} else {
		c.readResult(v, m.Result)
	}
	r.addAnswered()
}

func (c *wireCall) readResult(v logs.Value, raw jsontext.Value) {
	var result struct {
		Content    jsontext.Value `json:"content"`
		Structured jsontext.Value `json:"structuredContent"`
		IsError    bool           `json:"isError"`
		ResultType string         `json:"resultType"`
	}
	if !v.DecodePart(raw, &result) {
		c.result.Failed, c.result.Error = true, "the result cannot be read"
		return
	}
	if result.ResultType == "input_required" {
		c.done, c.waiting = false, true
		return
	}
	c.result.Text, c.result.Failed = logs.Text(result.Content), result.IsError
	if c.result.Text == "" && len(result.Structured) > 0 {
		c.result.Text = logs.CompactText(result.Structured)
	}
}

func wireError(raw jsontext.Value) string {
	var e struct {
		Code    jsontext.Value `json:"code"`
		Message string         `json:"message"`
	}
	if json.Unmarshal(raw, &e, logs.Lenient) != nil || e.Message == "" {
		return "error " + logs.OneWord(logs.CompactText(raw))
	}
	return e.Message
}

// cancelCall gives up a call that the client has cancelled. Some clients also cancel answered calls, which stay answered.
func (r *wireReader) cancelCall(at wireID) {
	at = r.requestOf(at)
	o := r.firstOpen(at)
	if o.call == nil {
		return
	}
	r.removeOpen(at)
	o.call.giveUp("the client cancelled the call")
	r.addAnswered()
}

// addAnswered adds the answered calls, up to the first unanswered one.
func (r *wireReader) addAnswered() {
	for len(r.calls) > 0 && r.calls[0].done {
		r.session.Execute(logs.Record{}, r.calls[0].call, r.calls[0].result)
		r.calls = r.calls[1:]
	}
}
