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
// messages are those of https://modelcontextprotocol.io/specification. A recording of our proxy has each message in a line with
// the time and the side, after a line that names the server; see docs/proxy.md. A line that begins another recording, or
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
	to      *logs.Sink
	number  int                   // number of the session
	session *logs.Session         // nil before the first line
	server  string                // of the session
	begun   bool                  // the session has an initialize
	calls   []*wireCall           // calls in order, from the first unanswered one on
	open    map[wireID][]wireOpen // unanswered requests; the oldest of an id comes first
	count   int                   // number of requests in open
	others  map[string]bool       // ids of the server's own requests, in bare messages
}

// wireID is the id of a request. Over HTTP it is unique only within one exchange.
type wireID struct {
	exchange int64
	id       string
}

// wireOpen is an unanswered request.
type wireOpen struct {
	method string
	call   *wireCall // of tools/call
}

// maxWireOpen bounds the unanswered requests, and the calls that wait for the answer of an earlier call. Beyond it, that call
// counts as unanswered.
const maxWireOpen = 1_000

// Value reads a line.
func (r *wireReader) Value(v logs.Value) {
	var line wireLine
	if !v.Decode(&line) {
		return
	}
	switch {
	case line.Format != nil:
		r.begin(v.Pos)
		r.server = line.Server
		r.session.Time = string(line.Began)
		r.note("server", line.Server)
	case line.Lost.Known:
		v.Skip(fmt.Sprintf("is a gap of %d bytes that came too fast to be recorded", line.Lost.N))
	case line.Unreadable.Known:
		v.Skip(fmt.Sprintf("is %d bytes that are not a message", line.Unreadable.N))
	case line.Message != nil:
		r.message(v, line.Message, &line)
	case line.JSONRPC != nil:
		r.message(v, &line.wireMessage, &line)
	case line.AtMS.Known:
		// a message of which only the method was recorded
	default:
		v.Skip("is not a message of MCP")
	}
}

func (r *wireReader) begin(pos source.Pos) {
	r.End()
	if r.session != nil {
		r.to.Done(r.session)
	}
	r.number++
	r.session = r.to.Session(fmt.Sprintf("%s#%d", pos.File, r.number), pos)
	r.server, r.begun = "", false
	r.open, r.count, r.others = map[wireID][]wireOpen{}, 0, map[string]bool{}
}

func (r *wireReader) note(key, value string) {
	if value != "" {
		r.session.Metadata = logs.AddMetadata(r.session.Metadata, key, value)
	}
}

// message reads one message, of the client or the server.
func (r *wireReader) message(v logs.Value, m *wireMessage, line *wireLine) {
	isSecond := m.Method == "initialize" && r.begun && line.Message == nil
	if r.session == nil || isSecond {
		r.begin(v.Pos)
	}
	at := wireID{line.Exchange.N, wireKey(m.ID)}
	switch {
	case m.Method == "" && line.From != "client":
		r.answer(v, at, m, line.AtMS.Count)
	case m.Method == "":
	case line.From == "server":
		// a request or a notification of the server's own
	case line.From == "" && isOfServers(m.Method):
		r.others[at.id] = len(r.others) < maxWireOpen
	case slices.Contains(wireMethods, m.Method):
		r.request(v, at, m, line.AtMS.Count)
	}
}

// wireMethods are the client's methods that are read.
var wireMethods = []string{"initialize", "server/discover", "tools/list", "tools/call", "notifications/cancelled"}

func isOfServers(method string) bool {
	return slices.Contains([]string{"sampling/createMessage", "elicitation/create", "roots/list"}, method)
}

// wireKey returns a text that identifies the value of an id; "" if there is none.
func wireKey(id jsontext.Value) string {
	if id.Kind() == '"' {
		return `"` + logs.Unquote(id)
	}
	return string(id)
}

func (r *wireReader) request(v logs.Value, at wireID, m *wireMessage, when trace.Count) {
	var p wireParams
	if len(m.Params) > 0 && !v.DecodePart(m.Params, &p) {
		return
	}
	client := p.ClientInfo
	if own := p.Meta["io.modelcontextprotocol/clientInfo"]; client.Name == "" && own != nil {
		_ = json.Unmarshal(own, &client, logs.Lenient) // any other value has no name
	}
	r.note("client", client.String())
	r.begun = r.begun || m.Method == "initialize"
	if m.Method == "notifications/cancelled" {
		r.cancel(wireID{at.exchange, wireKey(p.RequestID)})
		return
	}
	o := wireOpen{method: m.Method}
	if m.Method == "tools/call" {
		o.call = r.call(&p, when)
	}
	if r.count < maxWireOpen && at.id != "" {
		r.open[at] = append(r.open[at], o)
		r.count++
	}
}

func (r *wireReader) answer(v logs.Value, at wireID, m *wireMessage, when trace.Count) {
	if r.others[at.id] && isOfClients(m.Result) {
		delete(r.others, at.id)
		return
	}
	at = r.question(at)
	o := r.first(at)
	r.close(at)
	switch {
	case o.call != nil:
		r.result(v, o.call, m, when)
	case o.method == "initialize":
		r.serverInfo(m.Result)
	case o.method == "tools/list":
		r.list(v, m.Result)
	}
}

func (r *wireReader) serverInfo(result jsontext.Value) {
	var server struct {
		ServerInfo wireInfo `json:"serverInfo"`
	}
	if json.Unmarshal(result, &server, logs.Lenient) == nil { // an error has no name
		r.note("server_info", server.ServerInfo.String())
	}
}

func isOfClients(result jsontext.Value) bool {
	var keys map[string]jsontext.Value
	if json.Unmarshal(result, &keys, logs.Lenient) != nil {
		return false
	}
	return keys["role"] != nil || keys["action"] != nil || keys["roots"] != nil
}

// question returns the request that an answer belongs to: the request of the same exchange, otherwise the first open request
// with this id, because a broken stream continues in another exchange.
func (r *wireReader) question(at wireID) wireID {
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

// first returns the first open request with an id; if there is none, one without a method.
func (r *wireReader) first(at wireID) wireOpen {
	if all := r.open[at]; len(all) > 0 {
		return all[0]
	}
	return wireOpen{}
}

func (r *wireReader) close(at wireID) {
	all := r.open[at]
	if len(all) == 0 {
		return
	}
	r.count--
	if r.open[at] = all[1:]; len(all) == 1 {
		delete(r.open, at)
	}
}

func (r *wireReader) list(v logs.Value, result jsontext.Value) {
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
	r.flush()
}
