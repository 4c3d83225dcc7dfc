package agentlogs

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// readOutput reads a line of the output. The output lists executions, and not what the model asked for, so calls of tools that do
// not exist are missing.
func (r *codexReader) readOutput(v logs.Value, line *codexLine) {
	if r.session == nil || line.Type == "thread.started" {
		r.id = cmp.Or(line.ThreadID, "in "+v.Pos.File)
		r.session = r.to.Output(r.id, v.Pos)
		r.session.ID, r.session.Unended = line.ThreadID, "the output ends before its turn does"
		r.itemTimes, r.timeBefore = map[string]int64{}, r.session.Now()
	}
	s := r.session
	if line.Item != nil {
		s.At(r.timeOf(line.Item.ID), "")
	}
	switch line.Type {
	case "turn.started":
		s.Ended, s.Error = false, ""
	case "turn.completed":
		s.Ended, s.Error = true, ""
		u := line.Usage.usage()
		u.Whole = true
		s.Spend(u)
	case "turn.failed":
		s.Error = cmp.Or(line.Error.Message, "the turn failed")
	case "item.completed":
		if line.Item != nil {
			r.readOutputItem(s, line.Item)
		}
	}
}

// timeOf returns a sequence number that serves as the time of an item. The numbers follow the starts of items, because calls can
// end in another order.
func (r *codexReader) timeOf(item string) int64 {
	at, known := r.itemTimes[item]
	if !known {
		at = r.timeBefore + int64(len(r.itemTimes)) + 1
		r.itemTimes[item] = at
	}
	return at
}

// readOutputItem reads a completed item. An error item of the program is only a warning.
func (r *codexReader) readOutputItem(s *logs.Session, i *codexItem) {
	var args jsontext.Value
	name := cmp.Or(i.Type, i.ItemType)
	switch name {
	case "agent_message", "assistant_message":
		s.Say(logs.Message{Role: logs.RoleAssistant, Text: i.Text})
		return
	case "mcp_tool_call":
		s.Execute(logs.Record{ID: i.ID}, logs.Call{Name: i.Tool, Server: i.Server, Args: logs.Args{Object: i.Arguments}}, i.result())
		return
	case "command_execution":
		args = codexObject("command", i.Command)
	case "file_change":
		args = codexObject("changes", i.Changes)
	case "web_search":
		args = codexObject("query", i.Query)
	case "collab_tool_call":
		name, args = i.Tool, codexObject("prompt", i.Prompt)
	default:
		return
	}
	result := logs.Result{Text: i.Output, Failed: i.Status == "failed"}
	s.Execute(logs.Record{ID: i.ID}, logs.Call{Name: name, Server: trace.BuiltinServer, Args: logs.Args{Object: args}}, result)
}

// codexObject returns an object with one member, or nil if the value is null or missing.
func codexObject(key string, value jsontext.Value) jsontext.Value {
	if value.Kind() == 'n' {
		return nil
	}
	return logs.Object(key, value)
}
