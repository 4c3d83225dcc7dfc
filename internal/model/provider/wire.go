package provider

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/trace"
)

// maxTokenCount is more than any reply can take, and less than what overflows when it is summed over runs.
const maxTokenCount = 1 << 40

// tokenCount returns the sum of reported numbers of tokens, unknown when one of them cannot be one.
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

// settleStop makes a reply's reason to stop agree with its calls, which some providers do not: the loop goes on if and only if
// there are calls. A reply without a reason is incomplete.
func settleStop(r *model.Reply) error {
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

// wireSchema returns the schema of a tool's arguments as providers want it: they refuse one that does not say that it
// is an object, and OpenAI one that does not list its properties. Neither addition changes what the schema means.
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
