package agentlogs

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// MCPWire is traffic between an MCP client and a server: JSON-RPC messages, one a line, of one session a file. The messages
// are those of https://modelcontextprotocol.io/specification. A recording of our proxy has them in lines with the time and the
// side, below a line that names the server; see docs/proxy.md. A line that begins another recording, and in bare messages
// another "initialize", begins another session.
var MCPWire = &logs.Format{
	Name: "mcp-wire",
	Doc:  "JSON-RPC messages between an MCP client and a server, one a line: recordings of `mcp-gates proxy`, and bare messages",
	Open: func(to *logs.Sink) logs.Reader { return &wireReader{to: to} },
}

// wireLine is a line: the head of a recording, an event of one, or a bare message.
type wireLine struct {
	Format jsontext.Value `json:"mcp_gates_wire"`
	Server string         `json:"server"`
	Began  logs.AnyText   `json:"started_at"`

	AtMS       logs.Number  `json:"at_ms"`
	From       string       `json:"from"`
	Exchange   logs.Number  `json:"exchange"`
	Message    *wireMessage `json:"message"` // of an event; nil where only its method was recorded
	Unreadable logs.Number  `json:"unreadable"`
	Lost       logs.Number  `json:"lost"`

	JSONRPC     jsontext.Value `json:"jsonrpc"`
	wireMessage                // a bare one; what is long is read once for both
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

// wireInfo is how a client or a server names itself.
type wireInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func (i wireInfo) String() string { return strings.TrimSpace(i.Name + " " + i.Version) }

// wireReader reads one file.
type wireReader struct {
	to      *logs.Sink
	number  int                 // of the session
	session *logs.Session       // nil before the first line
	server  string              // of the session
	begun   bool                // the session has an initialize
	calls   []*wireCall         // in order, from the first that is not answered
	open    map[wireID]wireOpen // requests that are not answered
	others  map[string]bool     // ids of requests of the server's own, in bare messages
}

// wireID is the id of a request. Over HTTP it means something in one exchange.
type wireID struct {
	exchange int64
	id       string
}

// wireOpen is a request that is not answered.
type wireOpen struct {
	method string
	call   *wireCall // of tools/call
}

// wireCall is a call until it and those before it are answered: calls are in the order in which they were made.
type wireCall struct {
	call    logs.Call
	result  logs.Result
	start   trace.Count
	done    bool
	waiting bool // for the client to call again, with what the server asked for
}

// maxWireOpen bounds the requests without an answer, and the calls that wait for the answer of an earlier one, which is
// then a call without an answer.
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
		v.Skip(fmt.Sprintf("is %d bytes that were no message", line.Unreadable.N))
	case line.Message != nil:
		r.message(v, line.Message, &line)
	case line.JSONRPC != nil:
		r.message(v, &line.wireMessage, &line)
	case line.AtMS.Known:
		// a message of which only the method was recorded
	default:
		v.Skip("is no message of MCP")
	}
}

// begin begins a session.
func (r *wireReader) begin(pos source.Pos) {
	r.End()
	if r.session != nil {
		r.to.Done(r.session)
	}
	r.number++
	r.session = r.to.Session(fmt.Sprintf("%s#%d", pos.File, r.number), pos)
	r.server, r.begun = "", false
	r.open, r.others = map[wireID]wireOpen{}, map[string]bool{}
}

// note notes something by which runs are chosen.
func (r *wireReader) note(key, value string) {
	if value != "" {
		r.session.Metadata = logs.Note(r.session.Metadata, key, value)
	}
}

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
		// a request or a notice of the server's own
	case line.From == "" && isOfServers(m.Method):
		r.others[at.id] = len(r.others) < maxWireOpen
	case slices.Contains(wireMethods, m.Method):
		r.request(v, at, m, line.AtMS.Count)
	}
}

// wireMethods are the methods of the client's that are read.
var wireMethods = []string{"initialize", "server/discover", "tools/list", "tools/call", "notifications/cancelled"}

// isOfServers reports whether requests of a method are a server's.
func isOfServers(method string) bool {
	return slices.Contains([]string{"sampling/createMessage", "elicitation/create", "roots/list"}, method)
}

// wireKey returns an id as one text for each value; "" for none.
func wireKey(id jsontext.Value) string {
	if id.Kind() == '"' {
		return `"` + logs.Unquote(id)
	}
	return string(id)
}

// request reads a request or a notice of the client.
func (r *wireReader) request(v logs.Value, at wireID, m *wireMessage, when trace.Count) {
	var p wireParams
	if len(m.Params) > 0 && !v.DecodePart(m.Params, &p) {
		return
	}
	client := p.ClientInfo
	if own := p.Meta["io.modelcontextprotocol/clientInfo"]; client.Name == "" && own != nil {
		_ = json.Unmarshal(own, &client, logs.Lenient) // another kind of value names nobody
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
	if len(r.open) < maxWireOpen && at.id != "" {
		r.open[at] = o
	}
}

// call returns the call of a request. One that is made again with what the server asked for is the same call.
func (r *wireReader) call(p *wireParams, when trace.Count) *wireCall {
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
		r.flush()
	}
	return c
}

// giveUp ends a call that is not answered.
func (c *wireCall) giveUp(problem string) {
	if !c.done {
		c.done, c.result.Error = true, problem
	}
}

// modelCallID returns the id that the model gave to a call, where the client passes it on: Codex and Claude Code do.
func modelCallID(meta map[string]jsontext.Value) string {
	for _, key := range []string{"callId", "claudecode/toolUseId"} {
		if id := meta[key]; id.Kind() == '"' {
			return logs.Unquote(id)
		}
	}
	return ""
}

// answer reads the answer to a request.
func (r *wireReader) answer(v logs.Value, at wireID, m *wireMessage, when trace.Count) {
	if r.others[at.id] && isOfClients(m.Result) {
		delete(r.others, at.id)
		return
	}
	at, o := r.question(at)
	delete(r.open, at)
	switch {
	case o.call != nil:
		r.result(v, o.call, m, when)
	case o.method == "initialize":
		r.serverInfo(m.Result)
	case o.method == "tools/list":
		r.list(v, m.Result)
	}
}

// serverInfo reads how the server names itself.
func (r *wireReader) serverInfo(result jsontext.Value) {
	var server struct {
		ServerInfo wireInfo `json:"serverInfo"`
	}
	if json.Unmarshal(result, &server, logs.Lenient) == nil { // a refusal names nobody
		r.note("server_info", server.ServerInfo.String())
	}
}

// isOfClients reports whether a result is what a client answers to a server's request.
func isOfClients(result jsontext.Value) bool {
	var keys map[string]jsontext.Value
	if json.Unmarshal(result, &keys, logs.Lenient) != nil {
		return false
	}
	return keys["role"] != nil || keys["action"] != nil || keys["roots"] != nil
}

// question returns the request that an answer is for: that of its exchange, else the first that is open with this id, because
// a stream that was broken goes on in another exchange.
func (r *wireReader) question(at wireID) (wireID, wireOpen) {
	if o, ok := r.open[at]; ok {
		return at, o
	}
	first := at
	for other := range r.open {
		if other.id == at.id && (first == at || other.exchange < first.exchange) {
			first = other
		}
	}
	return first, r.open[first]
}

// list reads a page of the list of tools.
func (r *wireReader) list(v logs.Value, result jsontext.Value) {
	var page struct {
		Tools []jsontext.Value `json:"tools"`
	}
	if len(result) == 0 || !v.DecodePart(result, &page) {
		return
	}
	for _, tool := range page.Tools {
		r.session.Offer(r.server, tool)
	}
}

// result reads the answer to a call.
func (r *wireReader) result(v logs.Value, c *wireCall, m *wireMessage, when trace.Count) {
	if c.done {
		return // it was given up
	}
	if when.Known && c.start.Known {
		c.result.Duration = trace.Known(max(0, when.N-c.start.N))
	}
	c.done = true
	if len(m.Error) > 0 {
		c.result.Failed, c.result.Error = true, wireError(m.Error)
	} else {
		c.take(v, m.Result)
	}
	r.flush()
}

// take reads a result.
func (c *wireCall) take(v logs.Value, raw jsontext.Value) {
	if !c.takeTexts(raw) {
		c.takeAny(v, raw)
	}
}

// takeAny reads a result of any content.
func (c *wireCall) takeAny(v logs.Value, raw jsontext.Value) {
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

// takeTexts reads a result of texts only, as nearly all are, with one pass over what can be long. It reports whether the
// result is one, and then has read what takeAny reads.
func (c *wireCall) takeTexts(raw jsontext.Value) bool {
	var result struct {
		Content []struct {
			Type     string  `json:"type"`
			Text     *string `json:"text"`
			MIMEType string  `json:"mimeType"`
		} `json:"content"`
		IsError    bool   `json:"isError"`
		ResultType string `json:"resultType"`
	}
	if json.Unmarshal(raw, &result, logs.Lenient) != nil || result.ResultType == "input_required" {
		return false
	}
	texts := make([]string, len(result.Content))
	for i, one := range result.Content {
		if one.Text == nil || strings.ContainsRune(*one.Text, utf8.RuneError) { // Text replaces broken characters in its own way
			return false
		}
		texts[i] = *one.Text
	}
	text := strings.Join(texts, "\n")
	if text == "" { // the text may be that of the structured content
		return false
	}
	c.result.Text, c.result.Failed = text, result.IsError
	return true
}

// wireError returns what a JSON-RPC error says.
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

// cancel reads that the client waits no more for the answer to a call. Some do so for those that are answered, too.
func (r *wireReader) cancel(at wireID) {
	at, o := r.question(at)
	if o.call == nil {
		return
	}
	delete(r.open, at)
	o.call.giveUp("the client cancelled the call")
	r.flush()
}

// flush adds the calls that are answered, up to the first that is not.
func (r *wireReader) flush() {
	for len(r.calls) > 0 && r.calls[0].done {
		r.session.Execute(logs.Record{}, r.calls[0].call, r.calls[0].result)
		r.calls = r.calls[1:]
	}
}

// End adds the calls that were not answered.
func (r *wireReader) End() {
	for _, c := range r.calls {
		c.giveUp("the recording ends before the call is answered")
	}
	r.flush()
}
