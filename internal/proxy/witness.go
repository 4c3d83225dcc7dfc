package proxy

import (
	"cmp"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/proxy/frame"
)

// Witness is the record of an [Endpoint]'s messages. Only Err is redacted: a caller that writes the rest must redact
// it.
type Witness struct {
	Client string          // the name and version of the program's MCP client; "" before it has connected
	Listed bool            // the client has listed the tools
	Tools  []*catalog.Tool // the server's tools, from all pages that were read, without injected tools
	Calls  []Call          // calls in the order of their arrival, at most 10,000
	Err    error           // redacted reason why the server broke or data was dropped, with the end of standard error; nil for none
}

// Call is a call that reached the endpoint.
type Call struct {
	ModelCallID string         // the model's id of the call, if the program passes it on; otherwise ""
	Tool        string         // the name in the call
	Args        jsontext.Value // the arguments as written; {} if there were none
	Result      string         // the text of the result for a model, at most 1 MiB; "" before the result
	Failed      bool           // the tool failed, or the server refused the call
	Error       string         // the message of the server's JSON-RPC error; "" for none
	Fault       string         // the kind of the fault that the call met; "" for none
	Start       time.Time
	DurationMS  int64 // until the answer
	Answered    bool
}

// callParams are the parameters of tools/call.
type callParams struct {
	Name      string                    `json:"name"`
	Arguments jsontext.Value            `json:"arguments"`
	Meta      map[string]jsontext.Value `json:"_meta"`
}

func readCall(params jsontext.Value) callParams {
	var p callParams
	if json.Unmarshal(params, &p, frame.Lax()) != nil {
		p = callParams{}
	}
	if len(p.Arguments) == 0 {
		p.Arguments = jsontext.Value("{}")
	}
	return p
}

func (p *callParams) modelCallID() string {
	return cmp.Or(frame.Text(p.Meta[frame.MetaCallID]), frame.Text(p.Meta[frame.MetaToolUseID]))
}
