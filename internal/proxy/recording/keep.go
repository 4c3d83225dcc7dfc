package recording

import (
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/proxy/frame"
)

// part selects the recorded members of an object, and for each the recorded parts of its value.
type part map[string]part

// all records a whole value.
var all = part(nil)

// keptParts selects the recorded parts of the messages of a method. For all other methods only the message's existence is
// recorded, so that resources, prompts, samplings and people's inputs are not copied.
type keptParts struct {
	params, result part
}

var (
	keptMeta     = part{frame.MetaCallID: all, frame.MetaToolUseID: all, frame.MetaClientInfo: all, "io.modelcontextprotocol/protocolVersion": all}
	keptError    = part{"code": all, "message": all}
	keptByMethod = map[string]keptParts{
		"initialize": {
			params: part{"protocolVersion": all, "clientInfo": all},
			result: part{"protocolVersion": all, "serverInfo": all},
		},
		"server/discover": {
			params: part{"_meta": keptMeta},
			result: part{"supportedVersions": all, "serverInfo": all, "_meta": part{"io.modelcontextprotocol/serverInfo": all}},
		},
		"tools/list": {
			params: part{"cursor": all},
			result: part{"tools": all, "nextCursor": all},
		},
		"tools/call": {
			params: part{"name": all, "arguments": all, "_meta": keptMeta},
			result: part{"content": all, "structuredContent": all, "isError": all, "resultType": all},
		},
		"notifications/cancelled": {params: part{"requestId": all}},
	}
)

// selectFrom returns the recorded part of a value, in one line. A value that is not an object is recorded as a whole.
func (p part) selectFrom(value jsontext.Value) jsontext.Value {
	if p == nil || value.Kind() != '{' {
		return frame.Line(value)
	}
	out := jsontext.Value{'{'}
	frame.EachMember(value, func(name string, _ int, member jsontext.Value) {
		inner, isKept := p[name]
		if !isKept {
			return
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, frame.Quoted(name)...), ':'), inner.selectFrom(member)...)
	})
	return append(out, '}')
}

// keptRequest returns the recorded part of a request or a notification; ok is false if only its method is recorded.
func keptRequest(f *frame.Frame) (jsontext.Value, bool) {
	k, ok := keptByMethod[f.Method]
	if !ok {
		return nil, false
	}
	out := jsontext.Value(`{"jsonrpc":"2.0"`)
	if f.HasID() {
		out = append(append(out, `,"id":`...), f.ID...)
	}
	out = append(append(out, `,"method":`...), frame.Quoted(f.Method)...)
	if len(f.Params) > 0 {
		out = append(append(out, `,"params":`...), k.params.selectFrom(f.Params)...)
	}
	return append(out, '}'), true
}

func keptResponse(f *frame.Frame, method string) (jsontext.Value, bool) {
	k, ok := keptByMethod[method]
	if !ok {
		return nil, false
	}
	if len(f.Error) > 0 {
		out := append(append(jsontext.Value(`{"jsonrpc":"2.0","id":`), f.ID...), `,"error":`...)
		return append(append(out, keptError.selectFrom(f.Error)...), '}'), true
	}
	return frame.Success(f.ID, k.result.selectFrom(f.Result)), true
}
