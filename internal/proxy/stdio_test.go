package proxy

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/org/mcp-gates/internal/proxy/frame"
	"github.com/org/mcp-gates/internal/proxy/recording"
	"github.com/org/mcp-gates/internal/thorough"
)

// runStdio passes an input through a server of the test program, and returns what came out.
func runStdio(t *testing.T, act string, in io.Reader, r recording.Options) (out string, status int) {
	t.Helper()
	c := self(t, act)
	var stdout, stderr bytes.Buffer
	status, err := Stdio(StdioOptions{Command: c.Command, Env: c.Env, Stdin: in, Stdout: &stdout, Stderr: &stderr, Recording: r})
	if err != nil {
		t.Fatal(err)
	}
	return stdout.String() + stderr.String(), status
}

// TestStdioPassesBytes pins that every byte passes as it is, whatever it is, also where there is no message in it.
func TestStdioPassesBytes(t *testing.T) {
	t.Parallel()
	noise := make([]byte, thorough.Size(400<<10, 4<<20))
	source := rand.NewChaCha8([32]byte{1})
	source.Read(noise)
	for name, in := range map[string]string{
		"messages":       `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\r\n" + `[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":1,"result":{}}]` + "\n\n",
		"no end of line": `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		"nothing":        "",
		"noise":          string(noise),
		"a long line":    strings.Repeat("x", thorough.Size(frame.MaxMessage+1, 20<<20)) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			out, status := runStdio(t, "mirror", strings.NewReader(in), recording.Options{Dir: t.TempDir(), Server: "test"})
			if status != 0 || out != in {
				t.Errorf("got status %d and %d bytes, want 0 and the %d bytes that went in", status, len(out), len(in))
			}
		})
	}
}

func TestStdioStatus(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		act, out string
		status   int
	}{
		{"mirror", "", 0},
		{"stderr", "no configuration\n", 3},
		{"kill", "", 137},
	} {
		out, status := runStdio(t, test.act, strings.NewReader(""), recordingIn(t))
		if out != test.out || status != test.status {
			t.Errorf("%s: got %q and status %d, want %q and %d", test.act, out, status, test.out, test.status)
		}
	}
	_, err := Stdio(StdioOptions{Command: []string{"no-such-program-here"}, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard})
	if !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("a program that is not there: got error %v, want one that wraps %v", err, exec.ErrNotFound)
	}
}

// TestStdioSignals pins that the server gets the signals, and that its status is passed back.
func TestStdioSignals(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		signals := make(chan os.Signal, 1)
		c := self(t, "trap")
		in, _ := io.Pipe()
		lines, out := io.Pipe()
		done := make(chan int)
		go func() {
			status, err := Stdio(StdioOptions{Command: c.Command, Env: c.Env, Stdin: in, Stdout: out, Stderr: io.Discard, Signals: signals, Recording: recordingIn(t)})
			if err != nil {
				t.Error(err)
			}
			out.Close()
			done <- status
		}()
		said := bufio.NewScanner(lines)
		if said.Scan(); said.Text() != "ready" {
			t.Fatalf("the server said %q, want ready", said.Text())
		}
		signals <- signal
		said.Scan()
		if got, want := said.Text(), signal.String(); got != want {
			t.Errorf("the server got %q, want %q", got, want)
		}
		io.Copy(io.Discard, lines)
		if got, want := <-done, int(signal); got != want {
			t.Errorf("status %d, want %d", got, want)
		}
	}
}

// TestStdioClientThatGoes pins that a server whose output nobody reads ends as it would without the proxy.
func TestStdioClientThatGoes(t *testing.T) {
	t.Parallel()
	c := self(t, "flood")
	lines, out := io.Pipe()
	in, _ := io.Pipe()
	done := make(chan int)
	go func() {
		status, err := Stdio(StdioOptions{Command: c.Command, Env: c.Env, Stdin: in, Stdout: out, Stderr: io.Discard, Recording: recording.Options{Dir: t.TempDir(), Server: "test"}})
		if err != nil {
			t.Error(err)
		}
		done <- status
	}()
	if _, err := lines.Read(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	lines.Close()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Error("the server goes on writing")
	}
}

// TestKill pins that a proxy that is killed at any time leaves a recording of whole lines, and ends its server.
func TestKill(t *testing.T) {
	t.Parallel()
	for i := range 6 {
		dir := t.TempDir()
		cmd := exec.Command(self(t, "").Command[0])
		cmd.Env = append(os.Environ(), actAs+"=proxy", "MCP_GATES_TEST_SERVER=flood", "MCP_GATES_TEST_DIR="+dir)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		go func() {
			for {
				if _, err := io.WriteString(in, traffic); err != nil {
					return
				}
			}
		}()
		io.ReadFull(out, make([]byte, 1000))
		time.Sleep(time.Duration(i*20) * time.Millisecond)
		cmd.Process.Kill()
		if _, err := io.Copy(io.Discard, out); err != nil && !errors.Is(err, os.ErrClosed) {
			t.Errorf("the server's output has no end: %v", err)
		}
		cmd.Wait()
		for _, file := range readAll(t, dir) {
			for _, text := range file {
				if !json.Valid([]byte(text)) {
					t.Errorf("the recording has the line %q, want whole ones", text)
				}
			}
			t.Logf("%d lines", len(file))
		}
	}
}

// TestManyProxies pins that clients at once have a recording each, and get what is theirs.
func TestManyProxies(t *testing.T) {
	t.Parallel()
	const clients = 8
	calls := thorough.Size(2, 20)
	dir := t.TempDir()
	var running sync.WaitGroup
	for i := range clients {
		running.Go(func() {
			cmd := exec.Command(self(t, "").Command[0])
			cmd.Env = append(os.Environ(), actAs+"=proxy", "MCP_GATES_TEST_SERVER=server", "MCP_GATES_TEST_DIR="+dir)
			c := connectTo(t, &mcp.CommandTransport{Command: cmd}, "2025-11-25")
			for j := range calls {
				want := fmt.Sprintf(`{"text":"%d of %d"}`, j, i)
				if got := c.call(t, "echo", map[string]any{"text": fmt.Sprintf("%d of %d", j, i)}); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			}
			c.Close()
		})
	}
	running.Wait()
	files := readAll(t, dir)
	if len(files) != clients {
		t.Errorf("got %d recordings, want %d", len(files), clients)
	}
	for _, file := range files {
		if got, want := strings.Count(strings.Join(file, ""), `"method":"tools/call"`), calls; got != want {
			t.Errorf("a recording has %d calls, want %d", got, want)
		}
	}
}
