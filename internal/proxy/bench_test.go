package proxy

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/proxy/frame"
	"github.com/org/mcp-gates/internal/proxy/recording"
)

// benchResult is the result of each call.
var benchResult = jsontext.Value(`{"content":[{"type":"text","text":"` + strings.Repeat("Sunny, 21 degrees. ", 20) + `"}]}`)

// benchCall is the call of a number.
func benchCall(i int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"weather","arguments":{"city":"Oslo","days":3}}}`, i)
}

// measure makes calls, and reports the median and the 99th percentile of what one took, in microseconds.
func measure(b *testing.B, call func(i int)) {
	b.Helper()
	for i := range 200 {
		call(i)
	}
	took := make([]time.Duration, 0, b.N)
	b.ResetTimer()
	for i := range b.N {
		start := time.Now()
		call(i)
		took = append(took, time.Since(start))
	}
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1000, "median-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1000, "p99-µs")
}

// BenchmarkProxy compares calls with and without the proxy: run it with -benchtime 10000x.
func BenchmarkProxy(b *testing.B) {
	program, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("stdio/direct", func(b *testing.B) { benchStdio(b, actAs+"=answer") })
	b.Run("stdio/proxy", func(b *testing.B) {
		benchStdio(b, actAs+"=proxy", "MCP_GATES_TEST_SERVER=answer", "MCP_GATES_TEST_DIR="+b.TempDir())
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		f, err := frame.Read(body)
		if err != nil {
			return
		}
		writeJSON(w, http.StatusOK, frame.Success(f.ID, benchResult))
	}))
	defer server.Close()
	b.Run("HTTP/direct", func(b *testing.B) { benchHTTP(b, server.URL) })
	b.Run("HTTP/proxy", func(b *testing.B) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		go HTTP(b.Context(), l, HTTPOptions{To: server.URL, Recording: recording.Options{Dir: b.TempDir(), Server: "test"}})
		benchHTTP(b, "http://"+l.Addr().String())
	})
	for name, c := range map[string]mcpclient.Config{
		"endpoint of stdio": {Name: "test", Command: []string{program}, Env: []string{actAs + "=answer"}},
		"endpoint of HTTP":  {Name: "test", URL: server.URL},
	} {
		b.Run(name, func(b *testing.B) {
			e, err := Open(b.Context(), EndpointOptions{Server: c})
			if err != nil {
				b.Fatal(err)
			}
			defer e.Close()
			benchHTTP(b, e.URL())
		})
	}
}

func benchStdio(b *testing.B, env ...string) {
	program, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Env = env
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewReader(out)
	measure(b, func(i int) {
		io.WriteString(in, benchCall(i)+"\n")
		if line, err := lines.ReadSlice('\n'); err != nil || !bytes.Contains(line, benchResult[:20]) {
			b.Fatalf("got %q and %v", line, err)
		}
	})
	in.Close()
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
}

func benchHTTP(b *testing.B, url string) {
	measure(b, func(i int) {
		resp, err := http.Post(url, "application/json", strings.NewReader(benchCall(i)))
		if err != nil {
			b.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || !bytes.Contains(body, benchResult[:20]) {
			b.Fatalf("got %q and %v", body, err)
		}
	})
}
