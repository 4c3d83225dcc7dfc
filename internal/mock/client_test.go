package mock

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/org/mcp-gates/internal/catalog"
)

// patience is how long a test waits for what must come.
const patience = 10 * time.Second

// manifest reads a manifest without mistakes.
func manifest(t testing.TB, text string) *Definition {
	t.Helper()
	d, mistakes := ReadManifest("m.yml", []byte(text))
	if err := mistakes.Err(); err != nil {
		t.Fatalf("ReadManifest(%s):\n%v", text, err)
	}
	return d
}

// tools reads a manifest of these tools.
func tools(t testing.TB, text string) *Definition {
	t.Helper()
	return manifest(t, "mock_server:\n  tools:\n"+text)
}

// catalogOf reads a catalog without mistakes.
func catalogOf(t testing.TB, text string) *Definition {
	t.Helper()
	cat, mistakes := catalog.Read("c.json", []byte(text))
	if err := mistakes.Err(); err != nil {
		t.Fatalf("Read(%s): %v", text, err)
	}
	return FromCatalog(cat)
}

// running is a server at the other end of a client's streams.
type running struct {
	in  io.WriteCloser // to the server
	out io.ReadCloser  // from the server
	end context.CancelFunc
	err chan error // of Serve
}

func start(t testing.TB, s *Server) *running {
	t.Helper()
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	ctx, end := context.WithCancel(context.Background())
	r := &running{in: in, out: out, end: end, err: make(chan error, 1)}
	go func() {
		r.err <- s.Serve(ctx, toServer, fromServer)
		fromServer.Close()
	}()
	t.Cleanup(func() {
		end()
		in.Close()
		out.Close()
	})
	return r
}

// ended requires that the server ends without an error.
func (r *running) ended(t testing.TB) {
	t.Helper()
	select {
	case err := <-r.err:
		if err != nil {
			t.Errorf("Serve: %v", err)
		}
	case <-time.After(patience):
		t.Fatal("the server does not end")
	}
}

// connect returns a session of the SDK's client with the server.
func (r *running) connect(ctx context.Context, t testing.TB) *mcp.ClientSession {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
		Connect(ctx, &mcp.IOTransport{Reader: r.out, Writer: r.in}, nil)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	return session
}

// dial starts a server and connects to it.
func dial(t testing.TB, d *Definition, o Options) *mcp.ClientSession {
	t.Helper()
	session := start(t, New(d, o)).connect(t.Context(), t)
	t.Cleanup(func() { session.Close() })
	return session
}

// call calls a tool with arguments in JSON, and returns the answer in one line.
func call(t testing.TB, session *mcp.ClientSession, name, args string) string {
	t.Helper()
	params := &mcp.CallToolParams{Name: name}
	if args != "" {
		params.Arguments = json.RawMessage(args)
	}
	result, err := session.CallTool(t.Context(), params)
	var wire *jsonrpc.Error
	switch {
	case errors.As(err, &wire):
		return fmt.Sprintf("error %d: %s", wire.Code, wire.Message)
	case err != nil:
		t.Fatalf("call %s(%s): %v", name, args, err)
	}
	return shown(t, result)
}

func shown(t testing.TB, result *mcp.CallToolResult) string {
	t.Helper()
	var text strings.Builder
	if result.IsError {
		text.WriteString("is_error ")
	}
	for _, c := range result.Content {
		if plain, ok := c.(*mcp.TextContent); ok {
			text.WriteString(plain.Text + ";")
			continue
		}
		data, err := c.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		text.Write(append(data, ';'))
	}
	if result.StructuredContent != nil {
		data, err := json.Marshal(result.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(data)
	}
	return text.String()
}

// handshake is what a client sends before it may list tools.
const handshake = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// exchange sends frames, closes the input, and returns the results by id.
func exchange(t testing.TB, s *Server, frames string) map[int]string {
	t.Helper()
	var out bytes.Buffer
	if err := s.Serve(t.Context(), strings.NewReader(frames), &out); err != nil {
		t.Fatalf("Serve: %v", err)
	}
	results := map[int]string{}
	for line := range strings.Lines(out.String()) {
		var frame struct {
			ID            int
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &frame); err != nil || frame.ID == 0 {
			t.Fatalf("the server wrote %q, which is no answer: %v", line, err)
		}
		results[frame.ID] = string(frame.Result) + string(frame.Error)
	}
	return results
}
