package proxy

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
)

// Witness is what an [Endpoint] saw pass. Nothing in it but Err is redacted: who writes it down redacts it.
type Witness struct {
	Client string          // the name and version that the program's MCP client gave; "" before it came
	Listed bool            // the tools were listed
	Tools  []*catalog.Tool // of the server, over all pages that were read, without those injected
	Calls  []Call          // in the order in which they came, at most 10,000
	Err    error           // why the server broke, with the end of its standard error, redacted; nil when it did not
}

// Call is a call that reached the endpoint.
type Call struct {
	ModelCallID string         // the model's id of the call, which some programs pass on; "" otherwise
	Tool        string         // its name as it was called
	Args        jsontext.Value // as they were written; {} where there were none
	Result      string         // what a model reads of the result, at most 1 MiB; "" before it came
	Failed      bool           // the tool failed, or the server refused the call
	Error       string         // the message of the server's JSON-RPC error; "" for none
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

// The keys of _meta that are read. The first two hold the model's id of a call: Codex's and Claude Code's.
const (
	metaCallID     = "callId"
	metaToolUseID  = "claudecode/toolUseId"
	metaClientInfo = "io.modelcontextprotocol/clientInfo"
)

// readCall reads the parameters of tools/call; what is no such thing is a call without a name.
func readCall(params jsontext.Value) callParams {
	var p callParams
	if json.Unmarshal(params, &p, lax()) != nil {
		p = callParams{}
	}
	if len(p.Arguments) == 0 {
		p.Arguments = jsontext.Value("{}")
	}
	return p
}

// modelCallID returns the model's id of the call.
func (p *callParams) modelCallID() string {
	if id := text(p.Meta[metaCallID]); id != "" {
		return id
	}
	return text(p.Meta[metaToolUseID])
}

// clientOf returns the name and version of the client that a request names, or "".
func clientOf(f *frame) string {
	info, _ := at(f.Params, "clientInfo")
	if info == nil {
		info, _ = at(f.Params, "_meta", metaClientInfo)
	}
	name, _ := at(info, "name")
	version, _ := at(info, "version")
	return strings.TrimSpace(text(name) + " " + text(version))
}
