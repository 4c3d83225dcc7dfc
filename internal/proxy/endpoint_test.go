package proxy

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/mcpclient"
)

// eras are the ways in which clients begin: with a session, and without one.
var eras = map[string]string{"with sessions": "2025-11-25", "without sessions": "2026-07-28"}

// openEndpoint opens an endpoint, which is closed at the end of the test.
func openEndpoint(t *testing.T, o EndpointOptions) *Endpoint {
	t.Helper()
	e, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return e
}

// client is a client of the official SDK, and what it was sent.
type client struct {
	*mcp.ClientSession
	mu       sync.Mutex
	progress []float64
}

// connectTo connects a client to a transport in a version of the protocol.
func connectTo(t *testing.T, transport mcp.Transport, version string) *client {
	t.Helper()
	c := &client{}
	sdk := mcp.NewClient(&mcp.Implementation{Name: "tester", Version: "2"}, withSampling(&mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.progress = append(c.progress, r.Params.Progress)
		},
	}))
	session, err := sdk.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatalf("connect in version %s: %v", version, err)
	}
	t.Cleanup(func() { session.Close() })
	c.ClientSession = session
	return c
}

// call calls a tool and returns the text of its result.
func (c *client) call(t *testing.T, name string, args any) string {
	t.Helper()
	params := &mcp.CallToolParams{Name: name, Arguments: args}
	params.SetProgressToken("token")
	result, err := c.CallTool(t.Context(), params)
	if err != nil {
		t.Fatalf("call %s: %v", name, err)
	}
	return result.Content[0].(*mcp.TextContent).Text
}

// tools returns the names of all tools.
func (c *client) tools(t *testing.T) []string {
	t.Helper()
	var names []string
	for tool, err := range c.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatalf("list the tools: %v", err)
		}
		names = append(names, tool.Name)
	}
	return names
}

// use has a client use all of a server, and returns what it got.
func (c *client) use(t *testing.T) []string {
	t.Helper()
	got := append([]string{"tools"}, c.tools(t)...)
	prompts, err := c.ListPrompts(t.Context(), nil)
	if err != nil {
		t.Fatalf("list the prompts: %v", err)
	}
	prompt, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: prompts.Prompts[0].Name})
	if err != nil {
		t.Fatalf("get a prompt: %v", err)
	}
	resource, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "test://note"})
	if err != nil {
		t.Fatalf("read a resource: %v", err)
	}
	got = append(got, prompt.Messages[0].Content.(*mcp.TextContent).Text, resource.Contents[0].Text)
	for _, tool := range []string{"echo", "fail", "progress"} {
		got = append(got, c.call(t, tool, map[string]any{"text": "<é>\n"}))
	}
	return got
}

// TestEndpointPassesEverything pins that a client sees through an endpoint what it sees without one.
func TestEndpointPassesEverything(t *testing.T) {
	ways(t, func(t *testing.T, server mcpclient.Config, version string) {
		e := openEndpoint(t, EndpointOptions{Server: server})
		c := connectTo(t, &mcp.StreamableClientTransport{Endpoint: e.URL()}, version)
		direct, through := mcp.NewInMemoryTransports()
		go newTestServer().Run(t.Context(), through)
		want := connectTo(t, direct, version).use(t)
		if got := c.use(t); !slices.Equal(got, want) {
			t.Errorf("through the endpoint:\n got %q\nwant %q", got, want)
		}
		if version < "2026" {
			if got, want := c.call(t, "sample", nil), "sampled me"; got != want {
				t.Errorf("sampling: got %q, want %q", got, want)
			}
		}
		deadline := time.Now().Add(5 * time.Second)
		for {
			c.mu.Lock()
			got := slices.Clone(c.progress)
			c.mu.Unlock()
			if slices.Equal(got, []float64{0, 1, 2}) {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("progress: got %v, want 0, 1, 2", got)
			}
			time.Sleep(time.Millisecond)
		}
	})
}

// TestWitness pins what a witness says of a run.
func TestWitness(t *testing.T) {
	ways(t, func(t *testing.T, server mcpclient.Config, version string) {
		e := openEndpoint(t, EndpointOptions{Server: server})
		c := connectTo(t, &mcp.StreamableClientTransport{Endpoint: e.URL()}, version)
		names := c.tools(t)
		for _, id := range []mcp.Meta{{"callId": "call_1"}, {"claudecode/toolUseId": "toolu_1"}} {
			if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Meta: id, Name: "echo", Arguments: map[string]any{"text": "a"}}); err != nil {
				t.Fatal(err)
			}
		}
		c.call(t, "fail", nil)
		c.CallTool(t.Context(), &mcp.CallToolParams{Name: "nothing"})
		got := e.Witness()
		var listed []string
		for _, tool := range got.Tools {
			listed = append(listed, tool.Name)
		}
		if !slices.Equal(listed, names) || !got.Listed || got.Client != "tester 2" || got.Err != nil {
			t.Errorf("client %q, listed %v, error %v, got the tools %q, want %q", got.Client, got.Listed, got.Err, listed, names)
		}
		var calls []string
		for _, call := range got.Calls {
			if call.Start.IsZero() || !call.Answered {
				t.Errorf("got call %+v, want one with a time and an answer", call)
			}
			calls = append(calls, strings.Join([]string{call.ModelCallID, call.Tool, string(call.Args), call.Result, call.Error}, " | "))
		}
		want := []string{`call_1 | echo | {"text":"a"} | {"text":"a"} | `, `toolu_1 | echo | {"text":"a"} | {"text":"a"} | `,
			" | fail | {} | it failed | ", ` | nothing | {} |  | unknown tool "nothing"`}
		if !slices.Equal(calls, want) {
			t.Errorf("calls:\n got %q\nwant %q", calls, want)
		}
	})
}

// TestShow pins that a program sees the tools that it is shown, as one page, and that a call of an injected one never
// reaches the server.
func TestShow(t *testing.T) {
	ways(t, func(t *testing.T, server mcpclient.Config, version string) {
		e := openEndpoint(t, EndpointOptions{Server: server, Injected: map[string]bool{"lure": true}, Show: lured})
		c := connectTo(t, &mcp.StreamableClientTransport{Endpoint: e.URL()}, version)
		page, err := c.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := page.Tools[0].Name, "lure"; got != want || page.NextCursor != "" || len(page.Tools) != len(testTools)+1 {
			t.Errorf("got %d tools, %q first, and the cursor %q, want %d, %q and none", len(page.Tools), got, page.NextCursor, len(testTools)+1, want)
		}
		if got, want := c.call(t, "lure", nil), "this tool is not available"; got != want {
			t.Errorf("the call of an injected tool: got %q, want %q", got, want)
		}
		if got, want := c.call(t, "echo", map[string]any{"text": "a"}), `{"text":"a"}`; got != want {
			t.Errorf("the call of a tool: got %q, want %q", got, want)
		}
		got := e.Witness()
		if len(got.Tools) != len(testTools) || len(got.Calls) != 2 || got.Calls[0].Tool != "lure" || !got.Calls[0].Failed {
			t.Errorf("the witness has %d tools and calls %+v, want %d tools, and a failed call first", len(got.Tools), got.Calls, len(testTools))
		}
	})
}

// TestInjectedNameIsTaken pins that a run is an error where the server has a tool of the name of an injected one, whose calls
// would not reach it.
func TestInjectedNameIsTaken(t *testing.T) {
	ways(t, func(t *testing.T, server mcpclient.Config, version string) {
		e := openEndpoint(t, EndpointOptions{Server: server, Injected: map[string]bool{"lure": true, "echo": true}, Show: lured})
		c := connectTo(t, &mcp.StreamableClientTransport{Endpoint: e.URL()}, version)
		c.tools(t)
		want := `server "test" has a tool "echo" of its own, and an injected tool has that name`
		if got := e.Witness().Err; got == nil || got.Error() != want {
			t.Errorf("got error %v, want %q", got, want)
		}
	})
}

// lured returns the tools with one of ours before them, in the order of their names.
func lured(real []*catalog.Tool) []*catalog.Tool {
	lure := &catalog.Tool{Name: "lure", Raw: []byte(`{"name":"lure","inputSchema":{"type":"object"}}`)}
	all := slices.SortedFunc(slices.Values(real), func(a, b *catalog.Tool) int { return strings.Compare(a.Name, b.Name) })
	return append([]*catalog.Tool{lure}, all...)
}
