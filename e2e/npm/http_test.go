package npm

import (
	"bytes"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// httpServer is server-everything, listening on loopback.
type httpServer struct {
	port string

	mu     sync.Mutex
	output bytes.Buffer
}

// Write keeps what the server says.
func (s *httpServer) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.output.Write(text)
}

// said counts how often the server said the words.
func (s *httpServer) said(words string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Count(s.output.String(), words)
}

// serve starts server-everything in one of its modes and waits until it listens. It stops at the end of the test.
func (w *world) serve(mode string) *httpServer {
	w.Helper()
	s := &httpServer{port: freePort(w.T)}
	cmd := w.server("mcp-server-everything", mode)
	cmd.Env = append(cmd.Env, "PORT="+s.port)
	cmd.Stdout, cmd.Stderr = s, s
	w.start("127.0.0.1:"+s.port, cmd)
	return s
}

// start starts a command and waits until it listens at an address. It stops at the end of the test.
func (w *world) start(address string, cmd *exec.Cmd) {
	w.Helper()
	if err := cmd.Start(); err != nil {
		w.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	w.Cleanup(func() {
		cmd.Process.Kill()
		<-ended
	})
	w.waitFor("the server listens", ended, func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
}

// freePort returns a port on which nothing listens. Another program may take it before the server does, which ends then.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
}

// waitFor waits until something holds, and fails the test when it does not for a minute or when ended is closed before.
func (w *world) waitFor(what string, ended <-chan struct{}, holds func() bool) {
	w.Helper()
	deadline := time.After(time.Minute)
	for !holds() {
		select {
		case <-ended:
			w.Fatalf("wait until %s: it has ended", what)
		case <-deadline:
			w.Fatalf("wait until %s: a minute has passed", what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// transports are the ways to reach server-everything: what a suite says of it, the flags of a snapshot, and what the
// server says when a session begins and when one ends.
var transports = []struct {
	name, mode, server string
	flags              []string
	begins, ends       string
}{
	{name: "standard input and output", server: `command: [mcp-server-everything]`},
	{
		name: "streamable HTTP", mode: "streamableHttp", server: `url: "http://127.0.0.1:PORT/mcp"`,
		flags:  []string{"--url", "http://127.0.0.1:PORT/mcp"},
		begins: "Session initialized", ends: "Transport closed",
	},
	{
		name: "SSE", mode: "sse", server: `url: "http://127.0.0.1:PORT/sse", transport: sse`,
		flags:  []string{"--url", "http://127.0.0.1:PORT/sse", "--transport", "sse"},
		begins: "Client Connected", ends: "Client Disconnected",
	},
}

// newTransport returns a world in which a suite reaches the server in one way, the flags that do so for a snapshot, and
// the server where it listens.
func newTransport(t *testing.T, suite string, i int) (w *world, flags []string, s *httpServer) {
	t.Helper()
	w, about := newWorld(t, suite), transports[i]
	if about.mode == "" {
		w.fillIn("SERVER", about.server)
		return w, []string{"--", "mcp-server-everything"}, nil
	}
	s = w.serve(about.mode)
	w.fillIn("SERVER", strings.ReplaceAll(about.server, "PORT", s.port))
	for _, flag := range about.flags {
		flags = append(flags, strings.ReplaceAll(flag, "PORT", s.port))
	}
	return w, flags, s
}

// fillIn replaces a word of the workspace's suite.
func (w *world) fillIn(word, text string) {
	w.Helper()
	w.write(filepath.Join(w.dir, "mcp-gates.yml"), strings.ReplaceAll(w.read("mcp-gates.yml"), word, text))
}

// TestTransports expects the same snapshot and the same evidence, however the server is reached.
func TestTransports(t *testing.T) {
	t.Parallel()
	var snapshots []string
	var reports []map[string]any
	for i, transport := range transports {
		t.Run(transport.name, func(t *testing.T) {
			w, flags, server := newTransport(t, "testdata/transports", i)
			snapshot, _ := w.run(0, append([]string{"snapshot"}, flags...)...)
			report := w.liveRecordReplay()
			delete(report, "executables") // a server that is reached is not executed
			if server != nil {
				w.endsSessions(server, transport.begins, transport.ends)
			}
			snapshots, reports = append(snapshots, snapshot), append(reports, report)
			if diff := cmp.Diff(snapshots[0], snapshot); diff != "" {
				t.Errorf("the snapshot differs from that over %s:\n%s", transports[0].name, diff)
			}
			w.sameEvidence("the report differs from that over "+transports[0].name, report, reports[0])
		})
	}
}

// endsSessions expects the server to have been told of the end of every session.
func (w *world) endsSessions(s *httpServer, begins, ends string) {
	w.Helper()
	began := s.said(begins)
	if began == 0 {
		w.Errorf("the server never said %q", begins)
	}
	w.waitFor("the server has seen all sessions end", nil, func() bool { return s.said(ends) == began })
}
