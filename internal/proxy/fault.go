package proxy

import (
	"net/http"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/proxy/frame"
)

// timedOut is the error message for a request that was held back, in the words of the official SDKs' clients.
const timedOut = "Request timed out"

// notJSONRPC is the body of a malformed answer.
const notJSONRPC = `{"jsonrpc": "2.0", "id": `

// metFault is the fault that a call met, and the time.
type metFault struct {
	kind string
	at   time.Time
}

// answerWithFault answers a single request that meets a fault, and reports whether it did. A slow call still goes to the server.
func (e *Endpoint) answerWithFault(w http.ResponseWriter, r *http.Request, p *posted) bool {
	hit, ok := e.faultFor(p.frames[0])
	if !ok {
		return false
	}
	if hit.Kind == fault.Slow && waitDelay(r, hit) {
		return false
	}
	e.sendFault(w, r, p, hit)
	return true
}

// answerBatchWithFault answers a batch of messages to a wedged server, and reports whether it did.
func (e *Endpoint) answerBatchWithFault(w http.ResponseWriter, r *http.Request, p *posted) bool {
	hit, ok := e.options.Faults.Wedged(e.options.Server.Name)
	if !ok || p.requestCount() == 0 {
		return false
	}
	for _, f := range p.frames {
		if f.IsRequest() && f.Method == "tools/call" {
			e.watch.noteFault(f, metFault{hit.Kind, time.Now()})
		}
		e.watch.noteRequest(p, p, f)
	}
	if !waitDelay(r, hit) {
		return true
	}
	var answers [][]byte
	for _, f := range p.frames {
		if f.IsRequest() {
			answer := frame.Refusal(f.ID, frame.CodeTimeout, timedOut)
			e.watchAnswer(p, answer)
			answers = append(answers, answer)
		}
	}
	p.writeAnswers(w, answers...)
	return true
}

// faultFor returns the fault that a message meets. A call can meet any fault. Other requests meet one only if the server is wedged,
// so that it no longer answers.
func (e *Endpoint) faultFor(f *frame.Frame) (hit fault.Fault, ok bool) {
	server := e.options.Server.Name
	switch {
	case !f.IsRequest():
		return fault.Fault{}, false
	case f.Method != "tools/call":
		return e.options.Faults.Wedged(server)
	}
	if hit, ok = e.options.Faults.Next(server, readCall(f.Params).Name); ok {
		e.watch.noteFault(f, metFault{hit.Kind, time.Now()})
	}
	return hit, ok
}

func (e *Endpoint) sendFault(w http.ResponseWriter, r *http.Request, p *posted, hit fault.Fault) {
	f := p.frames[0]
	e.watch.noteRequest(p, p, f) // the id is valid only in this exchange
	switch hit.Kind {
	case fault.Slow: // the client has gone before the delay was over
	case fault.Hang, fault.Wedged:
		if waitDelay(r, hit) {
			e.answer(w, p, frame.Refusal(f.ID, frame.CodeTimeout, timedOut))
		}
	case fault.Disconnect:
		e.watchAnswer(p, frame.Refusal(f.ID, frame.CodeInternal, fault.Closed))
		panic(http.ErrAbortHandler) // closes the connection
	case fault.Malformed:
		e.watchAnswer(p, frame.Refusal(f.ID, frame.CodeInternal, fault.NotJSONRPC))
		p.writeAnswers(w, []byte(notJSONRPC))
	default:
		e.answer(w, p, toolError(f.ID, fault.ToolError))
	}
}

func (e *Endpoint) answer(w http.ResponseWriter, p *posted, answer jsontext.Value) {
	e.watchAnswer(p, answer)
	p.writeAnswers(w, answer)
}

func (e *Endpoint) watchAnswer(scope any, answer jsontext.Value) {
	if read, err := frame.Read(answer); err == nil {
		e.watch.noteResponse(scope, read)
	}
}

func toolError(id jsontext.Value, text string) jsontext.Value {
	return frame.Success(id, jsontext.Value(`{"content":[{"type":"text","text":`+string(frame.Quoted(text))+`}],"isError":true}`))
}

// waitDelay sleeps for the delay of a fault, and reports whether the client is still connected.
func waitDelay(r *http.Request, f fault.Fault) bool {
	timer := time.NewTimer(time.Duration(f.DelayMS) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}
