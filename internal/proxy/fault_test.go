package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/thorough"
)

// answerTo calls echo and returns what the client got in few words, and how long that took.
func (c *client) answerTo(t *testing.T) (string, time.Duration) {
	t.Helper()
	start := time.Now()
	result, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"text": "a"}})
	took := time.Since(start)
	var refusal *jsonrpc.Error
	switch {
	case errors.As(err, &refusal) && refusal.Message != "rejected by transport": // which is the client's own word
		return fmt.Sprintf("%d %s", refusal.Code, refusal.Message), took
	case err != nil:
		return "broken", took
	case result.IsError:
		return "error " + result.Content[0].(*mcp.TextContent).Text, took
	}
	return result.Content[0].(*mcp.TextContent).Text, took
}

// TestFaults pins what a client gets under each fault, with a new connection for each call as far as the last one broke, and what
// the witness keeps of the calls.
func TestFaults(t *testing.T) {
	const ok, okSeen = `{"text":"a"}`, `echo  {"text":"a"} `
	delay := int64(20)
	for i, test := range []struct {
		fault     fault.Fault
		got, seen []string
		waits     int // calls, from the first on
	}{
		{fault.Fault{Kind: fault.Error, Times: 1}, []string{"error " + fault.ToolError, ok}, []string{"echo error " + fault.ToolError + " ! ", okSeen}, 0},
		{fault.Fault{Kind: fault.RecoverAfter, Tool: "echo", Times: 2}, []string{"error " + fault.ToolError, "error " + fault.ToolError, ok},
			[]string{"echo recover-after " + fault.ToolError + " ! ", "echo recover-after " + fault.ToolError + " ! ", okSeen}, 0},
		{fault.Fault{Kind: fault.Error, Tool: "fail", Times: 1}, []string{ok}, []string{okSeen}, 0},
		{fault.Fault{Kind: fault.Error, Server: "another", Times: 1}, []string{ok}, []string{okSeen}, 0},
		{fault.Fault{Kind: fault.Hang, Times: 1, DelayMS: delay}, []string{"-32001 Request timed out", ok}, []string{"echo hang  ! Request timed out", okSeen}, 1},
		{fault.Fault{Kind: fault.Slow, Times: 1, DelayMS: delay}, []string{ok, ok}, []string{`echo slow {"text":"a"} `, okSeen}, 1},
		{fault.Fault{Kind: fault.Wedged, DelayMS: delay}, []string{"-32001 Request timed out", "-32001 Request timed out"},
			[]string{"echo wedged  ! Request timed out", "echo wedged  ! Request timed out"}, 2},
		{fault.Fault{Kind: fault.Disconnect, Times: 1}, []string{"broken", ok}, []string{"echo disconnect  ! " + fault.Closed, okSeen}, 0},
		{fault.Fault{Kind: fault.Malformed, Times: 1}, []string{"broken", ok}, []string{"echo malformed  ! " + fault.NotJSONRPC, okSeen}, 0},
	} {
		t.Run(test.fault.Written(), func(t *testing.T) {
			ways(t, func(t *testing.T, server mcpclient.Config, version string) {
				if len(server.Command) > 0 && i > 0 && test.fault.Kind != fault.Disconnect {
					thorough.Only(t, "an error and a disconnection are tried with processes")
				}
				e := openEndpoint(t, EndpointOptions{Server: server, Faults: fault.NewCounter([]fault.Fault{test.fault})})
				connect := func() *client { return connectTo(t, &mcp.StreamableClientTransport{Endpoint: e.URL()}, version) }
				c := connect()
				var got, seen []string
				for i := range test.got {
					answer, took := c.answerTo(t)
					got = append(got, answer)
					if i < test.waits && took < time.Duration(delay)*time.Millisecond {
						t.Errorf("call %d took %s, want %d ms or more", i+1, took, delay)
					}
					if answer == "broken" {
						c = connect()
					}
				}
				w := e.Witness()
				for i, call := range w.Calls {
					state := ""
					if call.Failed {
						state = "! "
					}
					seen = append(seen, strings.Join([]string{call.Tool, call.Fault, call.Result, state + call.Error}, " "))
					if i < test.waits && call.DurationMS < delay {
						t.Errorf("call %d is recorded with %d ms, want %d or more", i+1, call.DurationMS, delay)
					}
				}
				if !slices.Equal(got, test.got) {
					t.Errorf("the client: got %q, want %q", got, test.got)
				}
				if !slices.Equal(seen, test.seen) || w.Err != nil {
					t.Errorf("the witness: error %v, got the calls %q, want %q", w.Err, seen, test.seen)
				}
			})
		})
	}
}

// TestWedgedAnswersNothing pins that a wedged server does not answer other requests than calls either.
func TestWedgedAnswersNothing(t *testing.T) {
	e := openEndpoint(t, EndpointOptions{Server: self(t, "server"), Faults: fault.NewCounter([]fault.Fault{{Kind: fault.Wedged, DelayMS: 1}})})
	c := connectTo(t, &mcp.StreamableClientTransport{Endpoint: e.URL()}, "2025-11-25")
	c.answerTo(t)
	var refusal *jsonrpc.Error
	if _, err := c.ListTools(t.Context(), nil); !errors.As(err, &refusal) || refusal.Code != -32001 {
		t.Errorf("the list of tools: got %v, want error -32001", err)
	}
}

// TestFaultOutlastsClient pins that a call whose client did not wait for its fault is kept, without an answer.
func TestFaultOutlastsClient(t *testing.T) {
	for _, kind := range []string{fault.Hang, fault.Slow, fault.Wedged} {
		e := openEndpoint(t, EndpointOptions{Server: self(t, "server"), Faults: fault.NewCounter([]fault.Fault{{Kind: kind, DelayMS: 3_600_000}})})
		c := connectTo(t, &mcp.StreamableClientTransport{Endpoint: e.URL()}, "2025-11-25")
		impatient, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		_, err := c.CallTool(impatient, &mcp.CallToolParams{Name: "echo"})
		cancel()
		if err == nil {
			t.Errorf("%s: the call was answered", kind)
		}
		for len(e.Witness().Calls) == 0 && t.Context().Err() == nil {
			time.Sleep(time.Millisecond)
		}
		if got := e.Witness(); len(got.Calls) != 1 || got.Calls[0].Fault != kind || got.Calls[0].Answered || got.Err != nil {
			t.Errorf("%s: got error %v and calls %+v, want one without an answer", kind, got.Err, got.Calls)
		}
	}
}

// TestBatchWithoutFaults pins that calls of a batch reach the server in a test without faults, and are refused in one with some.
func TestBatchWithoutFaults(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		faults []fault.Fault
		want   int
	}{{nil, http.StatusOK}, {[]fault.Fault{{Kind: fault.Error, Times: 1}}, http.StatusBadRequest}} {
		e := openEndpoint(t, EndpointOptions{Server: self(t, "server"), Faults: fault.NewCounter(test.faults)})
		post := postingTo(t, e)
		got, _ := post(`[{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{}}}]`)
		if got != test.want {
			t.Errorf("faults %v: got status %d, want %d", test.faults, got, test.want)
		}
	}
}

// TestWedgedAnswersNoBatch pins that a wedged server answers no request of a batch, that each call of it meets the fault, and that
// batches without requests are passed on.
func TestWedgedAnswersNoBatch(t *testing.T) {
	t.Parallel()
	e := openEndpoint(t, EndpointOptions{Server: self(t, "server"), Faults: fault.NewCounter([]fault.Fault{{Kind: fault.Wedged, DelayMS: 20}})})
	post := postingTo(t, e)
	const ping, call = `{"jsonrpc":"2.0","id":%d,"method":"ping"}`, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{}}}`
	const note = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}`
	const timeout = `{"jsonrpc":"2.0","id":%d,"error":{"code":-32001,"message":"Request timed out"}}`
	post(fmt.Sprintf(call, 2))
	start := time.Now()
	for _, test := range []struct {
		batch, want string
	}{
		{fmt.Sprintf("["+ping+","+note+","+ping+"]", 3, 4), fmt.Sprintf("["+timeout+","+timeout+"]", 3, 4)},
		{fmt.Sprintf("["+call+","+ping+"]", 5, 6), fmt.Sprintf("["+timeout+","+timeout+"]", 5, 6)},
		{"[" + note + "," + note + "]", ""},
	} {
		if _, got := post(test.batch); got != test.want {
			t.Errorf("%s\n got  %s\n want %s", test.batch, got, test.want)
		}
	}
	if took := time.Since(start); took < 40*time.Millisecond {
		t.Errorf("two batches were answered after %s, want 40 ms or more", took)
	}
	if w := e.Witness(); len(w.Calls) != 2 || w.Calls[1].Fault != fault.Wedged || w.Calls[1].Error != timedOut {
		t.Errorf("calls: got %+v, want two that met the fault", w.Calls)
	}
}

// TestBatchOfOne pins that the only request of a batch is answered by a list, also where the server does not answer.
func TestBatchOfOne(t *testing.T) {
	t.Parallel()
	const failed = `{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":%q}],"isError":true}}`
	call := func(tool string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":%q,"arguments":{}}}`, tool)
	}
	const timeout = `{"jsonrpc":"2.0","id":2,"error":{"code":-32001,"message":"Request timed out"}}`
	for _, test := range []struct {
		kind, request, want string
	}{
		{fault.Error, call("echo"), fmt.Sprintf(failed, fault.ToolError)},
		{fault.Hang, call("echo"), timeout},
		{fault.Wedged, call("echo"), timeout},
		{fault.Malformed, call("echo"), notJSONRPC},
		{fault.Error, call("decoy"), fmt.Sprintf(failed, "this tool is not available")},
		{fault.Error, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":2,"result":{"ttlMs":0,"cacheScope":"public","tools":[]}}`},
	} {
		e := openEndpoint(t, EndpointOptions{
			Server: self(t, "server"), Injected: map[string]bool{"decoy": true}, Show: func([]*catalog.Tool) []*catalog.Tool { return nil },
			Faults: fault.NewCounter([]fault.Fault{{Kind: test.kind, Times: 9, DelayMS: 1}}),
		})
		post := postingTo(t, e)
		for _, around := range []string{"%s", "[%s]", " [ %s ] "} {
			_, got := post(fmt.Sprintf(around, test.request))
			if want := fmt.Sprintf(strings.ReplaceAll(around, " ", ""), test.want); strings.TrimSpace(got) != strings.TrimSpace(want) {
				t.Errorf("%s to %s\n got  %s\n want %s", test.kind, fmt.Sprintf(around, test.request), got, want)
			}
		}
	}
}

// postingTo opens a session, and returns what posts a body in it, and returns the status and body of the answer.
func postingTo(t *testing.T, e *Endpoint) func(body string) (int, string) {
	session := ""
	post := func(body string) (int, string) {
		t.Helper()
		resp := postTo(t, e, body, session)
		defer resp.Body.Close()
		if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
			session = id
		}
		answer, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(answer)
	}
	post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"a","version":"b"}}}`)
	return post
}
