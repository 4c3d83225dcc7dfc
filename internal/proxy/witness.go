package proxy

import (
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/proxy/frame"
)

// Witness is what an [Endpoint] saw pass. Nothing in it but Err is redacted: who writes it down redacts it.
type Witness struct {
	Client string          // the name and version that the program's MCP client gave; "" before it came
	Listed bool            // the tools were listed
	Tools  []*catalog.Tool // of the server, over all pages that were read, without those injected
	Calls  []Call          // in the order in which they came, at most 10,000
	Err    error           // why the server broke, with the end of its standard error, redacted, or that not all was kept; nil for neither
}

// Call is a call that reached the endpoint.
type Call struct {
	ModelCallID string         // the model's id of the call, which some programs pass on; "" otherwise
	Tool        string         // its name as it was called
	Args        jsontext.Value // as they were written; {} where there were none
	Result      string         // what a model reads of the result, at most 1 MiB; "" before it came
	Failed      bool           // the tool failed, or the server refused the call
	Error       string         // the message of the server's JSON-RPC error; "" for none
	Fault       string         // the kind of the fault that it met; "" for none
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
	if id := frame.Text(p.Meta[frame.MetaCallID]); id != "" {
		return id
	}
	return frame.Text(p.Meta[frame.MetaToolUseID])
}
