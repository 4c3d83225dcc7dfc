package proxy

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/proxy/frame"
	"github.com/org/mcp-gates/internal/proxy/recording"
)

// actAs is the variable that makes the test program something else: a server, or a proxy.
const actAs = "MCP_GATES_TEST_ACT_AS"

// acts are what the test program can be.
var acts = map[string]func(){
	"server":  func() { serveStdio(newTestServer()) },
	"mirror":  func() { io.Copy(os.Stdout, os.Stdin) },
	"garbage": func() { fmt.Print("\x00\xff<html>\n{\n\n[]\n7\n"); serveStdio(newTestServer()) },
	"stderr":  func() { fmt.Fprintln(os.Stderr, "no configuration"); os.Exit(3) },
	"kill":    killSelf,
	"trap":    trap,
	"flood":   flood,
	"proxy":   actProxy,
	"mute":    func() { time.Sleep(time.Minute) },
	"closed":  func() { os.Stdin.Close(); os.Stdout.Close(); time.Sleep(time.Minute) },
	"endless": endless,
	"answer":  answer,
}

func TestMain(m *testing.M) {
	if act := acts[os.Getenv(actAs)]; act != nil {
		act()
		os.Exit(0)
	}
	flag.Parse()
	// Most tests wait for servers and not for a processor.
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// self returns the configuration of the test program as a server.
func self(t *testing.T, act string) mcpclient.Config {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env := []string{actAs + "=" + act, "PATH=" + os.Getenv("PATH"), "GORACE=atexit_sleep_ms=0"}
	return mcpclient.Config{Name: "test", Command: []string{program}, Env: env}
}

// killSelf ends the program as kill -9 does.
func killSelf() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		self.Kill()
	}
	time.Sleep(time.Minute)
}

// trap says which signal it got, and ends with its number.
func trap() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	fmt.Println("ready")
	got := <-signals
	fmt.Println(got)
	os.Exit(int(got.(syscall.Signal)))
}

// flood answers its own calls without an end.
func flood() {
	out := bufio.NewWriter(os.Stdout)
	for i := 0; ; i++ {
		fmt.Fprintf(out, `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"%d"}}`+"\n", i)
		if i%100 == 0 && out.Flush() != nil {
			return
		}
	}
}

// answer answers each line with a result, as fast as it can.
func answer() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		f, err := frame.Read(bytes.Clone(lines.Bytes()))
		if err == nil && f.IsRequest() {
			os.Stdout.Write(append(frame.Success(f.ID, benchResult), '\n'))
		}
	}
}

// endless writes a line that never ends.
func endless() {
	for {
		if _, err := os.Stdout.Write(bytes.Repeat([]byte("x"), 1<<16)); err != nil {
			return
		}
	}
}

// actProxy is a proxy that records in the folder of the first variable, before the server of the second.
func actProxy() {
	program, _ := os.Executable()
	status, err := Stdio(StdioOptions{
		Command: []string{program}, Env: []string{actAs + "=" + os.Getenv("MCP_GATES_TEST_SERVER")},
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Recording: recording.Options{Dir: os.Getenv("MCP_GATES_TEST_DIR"), Server: "test", Version: "1"},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 100
	}
	os.Exit(status)
}

func serveStdio(s *mcp.Server) {
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, "the server's transport:", err)
	}
}

// textResult is the result of a tool that says something.
func textResult(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// newTestServer returns a server with what the protocol has, a tool a page.
func newTestServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "everything", Version: "1"}, &mcp.ServerOptions{PageSize: 2})
	schema := json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`)
	for name, call := range testTools {
		s.AddTool(&mcp.Tool{Name: name, Description: "Does " + name, InputSchema: schema}, call)
	}
	s.AddPrompt(&mcp.Prompt{Name: "greet"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "hello"}}}}, nil
	})
	s.AddResource(&mcp.Resource{Name: "note", URI: "test://note"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "test://note", Text: "a note"}}}, nil
	})
	return s
}

// testTools are the tools of the server.
var testTools = map[string]mcp.ToolHandler{
	"echo": func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return textResult(string(r.Params.Arguments)), nil
	},
	"fail": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result := textResult("it failed")
		result.IsError = true
		return result, nil
	},
	"pid": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return textResult(fmt.Sprint(os.Getpid())), nil
	},
	"progress": func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i := range 3 {
			err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i)})
			if err != nil {
				return nil, err
			}
		}
		return textResult("done"), nil
	},
	"sample": sample,
	"wait": func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		select {
		case <-ctx.Done():
			if file := os.Getenv("MCP_GATES_TEST_CANCELLED"); file != "" {
				os.WriteFile(file, []byte("cancelled"), 0o600)
			}
			return nil, ctx.Err()
		case <-time.After(time.Minute):
			return textResult("waited"), nil
		}
	},
	"crash": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		fmt.Fprintln(os.Stderr, "out of luck, api_key=hunter2hunter2")
		os.Exit(4)
		return nil, nil
	},
	"deaf": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		signal.Ignore(syscall.SIGTERM)
		return textResult("ignores SIGTERM"), nil
	},
	"long": func(_ context.Context, call *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var args struct{ Bytes int }
		err := json.Unmarshal(call.Params.Arguments, &args)
		return textResult(strings.Repeat("x", args.Bytes)), err
	},
}

// serveHTTP starts a server over streamable HTTP that speaks a version of the protocol, and returns its address.
func serveHTTP(t *testing.T, version string) string {
	t.Helper()
	shared := newTestServer()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return shared }, &mcp.StreamableHTTPOptions{Stateless: version >= "2026"})
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL + "/mcp"
}

// serveSSE starts a server over the older HTTP transport, and returns its address.
func serveSSE(t *testing.T) string {
	t.Helper()
	shared := newTestServer()
	server := httptest.NewServer(mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return shared }, nil))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL
}

// ways are all ways to reach a server through an endpoint, in both eras.
func ways(t *testing.T, test func(t *testing.T, server mcpclient.Config, version string)) {
	t.Helper()
	for name, version := range eras {
		t.Run("stdio "+name, func(t *testing.T) {
			t.Parallel()
			test(t, self(t, "server"), version)
		})
		t.Run("HTTP "+name, func(t *testing.T) {
			t.Parallel()
			test(t, mcpclient.Config{Name: "test", URL: serveHTTP(t, version)}, version)
		})
		if version >= "2026" {
			continue // which the older transport does not know
		}
		t.Run("SSE "+name, func(t *testing.T) {
			t.Parallel()
			test(t, mcpclient.Config{Name: "test", URL: serveSSE(t), Transport: "sse"}, version)
		})
	}
}
