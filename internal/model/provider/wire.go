package provider

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/trace"
)

// maxTokenCount is greater than the tokens of any reply, and small enough for sums over runs not to overflow.
const maxTokenCount = 1 << 40

// tokenCount returns the sum of reported token counts; unknown if any of them is impossible.
func tokenCount(reported ...int64) trace.Count {
	sum := int64(0)
	for _, n := range reported {
		if n < 0 || n > maxTokenCount {
			return trace.Count{}
		}
		sum += n
	}
	return trace.Known(sum)
}

// matchStopToCalls makes a reply's stop reason agree with its calls, because some providers send a reason that does not. The reason
// for an early end, such as a limit, stays. A reply with neither a reason nor calls is an error.
func matchStopToCalls(r *model.Reply) error {
	switch {
	case r.Stop == "" && len(r.Calls) == 0:
		return fmt.Errorf("the reply does not say why it ended")
	case r.Stop == model.StopToolUse && len(r.Calls) == 0:
		r.Stop = model.StopEndTurn
	case (r.Stop == model.StopEndTurn || r.Stop == "") && len(r.Calls) > 0:
		r.Stop = model.StopToolUse
	}
	return nil
}

// wireSchema returns the schema of a tool's arguments in the form that providers require: they refuse a schema without
// the type object, and OpenAI a schema without a list of properties. Neither addition changes the meaning of the
// schema.
func wireSchema(schema []byte) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(schema, &fields) != nil || len(fields) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	var added string
	if fields["type"] == nil {
		added += `"type":"object",`
	}
	if fields["properties"] == nil {
		added += `"properties":{},`
	}
	if added == "" {
		return json.RawMessage(schema)
	}
	rest := strings.TrimLeft(strings.TrimSpace(string(schema))[1:], " \t\r\n")
	return json.RawMessage("{" + added + rest)
}
