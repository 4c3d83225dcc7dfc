package agentlogs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// MCPWire reads traffic between an MCP client and a server: JSON-RPC messages, one per line, with one session per file. The
// messages are those of https://modelcontextprotocol.io/specification. A recording of the proxy (docs/proxy.md) begins with a line
// that names the server. Each message is in a further line with its time and its sender. A line that begins another recording, or
// another "initialize" among bare messages, begins another session.
var MCPWire = &logs.Format{
	Name: "mcp-wire",
	Open: func(to *logs.Sink) logs.Reader { return &wireReader{to: to} },
}

// wireLine is a line: the head of a recording, an event of a recording, or a bare message.
type wireLine struct {
	Format jsontext.Value `json:"mcp_gates_wire"`
	Server string         `json:"server"`
	Began  logs.AnyText   `json:"started_at"`

	AtMS       logs.Number  `json:"at_ms"`
	From       string       `json:"from"`
	Exchange   logs.Number  `json:"exchange"`
	Message    *wireMessage `json:"message"` // message of an event; nil if only its method was recorded
	Unreadable logs.Number  `json:"unreadable"`
	Lost       logs.Number  `json:"lost"`

	JSONRPC     jsontext.Value `json:"jsonrpc"`
	wireMessage                // a bare message; its long values are decoded once for both forms
}

// wireMessage is a JSON-RPC message.
type wireMessage struct {
	ID     jsontext.Value `json:"id"`
	Method string         `json:"method"`
	Params jsontext.Value `json:"params"`
	Result jsontext.Value `json:"result"`
	Error  jsontext.Value `json:"error"`
}

// wireParams are the parameters of the messages that are read.
type wireParams struct {
	Name       string                    `json:"name"`
	Arguments  jsontext.Value            `json:"arguments"`
	RequestID  jsontext.Value            `json:"requestId"`
	ClientInfo wireInfo                  `json:"clientInfo"`
	Meta       map[string]jsontext.Value `json:"_meta"`
}

// wireInfo is the name and version of a client or a server.
type wireInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func (i wireInfo) String() string { return strings.TrimSpace(i.Name + " " + i.Version) }

// wireReader reads one file.
type wireReader struct {
	to             *logs.Sink
	number         int                      // number of the session
	session        *logs.Session            // nil before the first line
	server         string                   // name of the session's server
	isInitialized  bool                     // the session has an initialize
	calls          []*wireCall              // calls in order, beginning with the first unanswered call
	open           map[wireID][]openRequest // unanswered requests; the oldest of an id comes first
	openCount      int                      // number of requests in open
	serverRequests map[string]bool          // ids of the server's own requests, in bare messages
}

// wireID is the id of a request. Over HTTP it is unique only within one exchange.
type wireID struct {
	exchange int64
	id       string
}

// openRequest is an unanswered request.
type openRequest struct {
	method string
	call   *wireCall // the call, if the method is tools/call
}

// maxWireOpen bounds the number of unanswered requests, and the number of calls that wait for the answer to an earlier call. If
// there are more such calls, the earlier call counts as unanswered.
const maxWireOpen = 1_000

// Value reads a line.
func (r *wireReader) Value(v logs.Value) {
	var line wireLine
	if !v.Decode(&line) {
		return
	}
	switch {
	case line.Format != nil:
		r.beginSession(v.Pos)
		r.server = line.Server
		r.session.Time = string(line.Began)
		r.addMetadata("server", line.Server)
	case line.Lost.Known:
		v.Skip(fmt.Sprintf("is a gap of %d bytes that came too fast to be recorded", line.Lost.N))
	case line.Unreadable.Known:
		v.Skip(fmt.Sprintf("is %d bytes that are not a message", line.Unreadable.N))
	case line.Message != nil:
		r.readMessage(v, line.Message, &line)
	case line.JSONRPC != nil:
		r.readMessage(v, &line.wireMessage, &line)
	case line.AtMS.Known: // only the method of the message was recorded
	default:
		v.Skip("is not a message of MCP")
	}
}

func (r *wireReader) beginSession(pos source.Pos) {
	r.End()
	if r.session != nil {
		r.to.Done(r.session)
	}
	r.number++
	r.session = r.to.Session(fmt.Sprintf("%s#%d", pos.File, r.number), pos)
	r.server, r.isInitialized = "", false
	r.open, r.openCount, r.serverRequests = map[wireID][]openRequest{}, 0, map[string]bool{}
}

func (r *wireReader) addMetadata(key, value string) {
	if value != "" {
		r.session.Metadata = logs.AddMetadata(r.session.Metadata, key, value)
	}
}

// readMessage reads one message, of the client or the server.
func (r *wireReader) readMessage(v logs.Value, m *wireMessage, line *wireLine) {
	isSecond := m.Method == "initialize" && r.isInitialized && line.Message == nil
	if r.session == nil || isSecond {
		r.beginSession(v.Pos)
	}
	id := wireID{line.Exchange.N, wireKey(m.ID)}
	switch {
	case m.Method == "" && line.From != "client":
		r.readAnswer(v, id, m, line.AtMS.Count)
	case m.Method == "": // the client's answer to a request of the server
	case line.From == "server": // the server's own request or notification
	case line.From == "" && isServerMethod(m.Method):
		r.serverRequests[id.id] = len(r.serverRequests) < maxWireOpen
	case slices.Contains(wireMethods, m.Method):
		r.readRequest(v, id, m, line.AtMS.Count)
	}
}

// wireMethods are the client's methods that are read.
var wireMethods = []string{"initialize", "server/discover", "tools/list", "tools/call", "notifications/cancelled"}

func isServerMethod(method string) bool {
	return slices.Contains([]string{"sampling/createMessage", "elicitation/create", "roots/list"}, method)
}

// wireKey returns a text that identifies the value of an id; "" if there is none.
func wireKey(id jsontext.Value) string {
	if id.Kind() == '"' {
		return `"` + logs.Unquote(id)
	}
	return string(id)
}

func (r *wireReader) readRequest(v logs.Value, at wireID, m *wireMessage, when trace.Count) {
	var p wireParams
	if len(m.Params) > 0 && !v.DecodePart(m.Params, &p) {
		return
	}
	client := p.ClientInfo
	if own := p.Meta["io.modelcontextprotocol/clientInfo"]; client.Name == "" && own != nil {
		_ = json.Unmarshal(own, &client, logs.Lenient) // any other value has no name
	}
	r.addMetadata("client", client.String())
	r.isInitialized = r.isInitialized || m.Method == "initialize"
	if m.Method == "notifications/cancelled" {
		r.cancelCall(wireID{at.exchange, wireKey(p.RequestID)})
		return
	}
	o := openRequest{method: m.Method}
	if m.Method == "tools/call" {
		o.call = r.callOf(&p, when)
	}
	if r.openCount < maxWireOpen && at.id != "" {
		r.open[at] = append(r.open[at], o)
		r.openCount++
	}
}

func (r *wireReader) readAnswer(v logs.Value, at wireID, m *wireMessage, when trace.Count) {
	if r.serverRequests[at.id] && isClientResult(m.Result) {
		delete(r.serverRequests, at.id)
		return
	}
	at = r.requestOf(at)
	o := r.firstOpen(at)
	r.removeOpen(at)
	switch {
	case o.call != nil:
		r.readCallResult(v, o.call, m, when)
	case o.method == "initialize":
		r.serverInfo(m.Result)
	case o.method == "tools/list":
		r.offerTools(v, m.Result)
	}
}

func (r *wireReader) serverInfo(result jsontext.Value) {
	var server struct {
		ServerInfo wireInfo `json:"serverInfo"`
	}
	if json.Unmarshal(result, &server, logs.Lenient) == nil { // an error has no name
		r.addMetadata("server_info", server.ServerInfo.String())
	}
}

func isClientResult(result jsontext.Value) bool {
	var keys map[string]jsontext.Value
	if json.Unmarshal(result, &keys, logs.Lenient) != nil {
		return false
	}
	return keys["role"] != nil || keys["action"] != nil || keys["roots"] != nil
}

// requestOf returns the request that an answer belongs to: the request of the same exchange, otherwise the first open request
// with this id, because a broken stream continues in another exchange.
func (r *wireReader) requestOf(at wireID) wireID {
	if len(r.open[at]) > 0 {
		return at
	}
	first := at
	for other := range r.open {
		if other.id == at.id && (first == at || other.exchange < first.exchange) {
			first = other
		}
	}
	return first
}

// firstOpen returns the first open request with an id; if there is none, one without a method.
func (r *wireReader) firstOpen(at wireID) openRequest {
	if all := r.open[at]; len(all) > 0 {
		return all[0]
	}
	return openRequest{}
}

func (r *wireReader) removeOpen(at wireID) {
	all := r.open[at]
	if len(all) == 0 {
		return
	}
	r.openCount--
	if r.open[at] = all[1:]; len(all) == 1 {
		delete(r.open, at)
	}
}

func (r *wireReader) offerTools(v logs.Value, result jsontext.Value) {
	var page struct {
		Tools []jsontext.Value `json:"tools"`
	}
	if len(result) == 0 || !v.DecodePart(result, &page) {
		return
	}
	for _, tool := range page.Tools {
		r.session.Offer(logs.Offered{Server: r.server, Tool: tool})
	}
}

// End adds the unanswered calls.
func (r *wireReader) End() {
	for _, c := range r.calls {
		c.giveUp("the recording ends before the call is answered")
	}
	r.addAnswered()
}
