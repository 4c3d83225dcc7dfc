package editor

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// timeout bounds the wait for an answer of the server.
const timeout = 2 * time.Minute

// server is a language server that has a workspace open.
type server struct {
	*testing.T
	conn *jsonrpc2.Conn
	dir  string
	said chan published
}

// published are the mistakes that the server finds in a file.
type published struct {
	URI         string       `json:"uri"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type diagnostic struct {
	Range struct {
		Start position `json:"start"`
	} `json:"range"`
	Message string `json:"message"`
}

// position is a place in a file, counted from 0.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// newServer starts the server on a workspace. Files without a schema of their own have the one in schema.
func newServer(t *testing.T, dir, schema string) *server {
	t.Helper()
	cmd := exec.Command("node", filepath.Join(installed(t), "yaml-language-server", "bin", "yaml-language-server"), "--stdio")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "https_proxy=http://127.0.0.1:1") // it reaches nobody
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("start the language server: %v", err)
	}
	s := &server{T: t, dir: dir, said: make(chan published, 1000)}
	stream := jsonrpc2.NewBufferedStream(pipes{out, in}, jsonrpc2.VSCodeObjectCodec{})
	s.conn = jsonrpc2.NewConn(context.Background(), stream, jsonrpc2.HandlerWithError(s.handle))
	t.Cleanup(func() {
		s.conn.Close()
		if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Error(err)
		}
		_ = cmd.Wait() // it was killed
	})
	s.begin(schema)
	return s
}

// installed returns the folder of the npm packages, without which the test is skipped.
func installed(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("node_modules")
	if err != nil {
		t.Fatal(err)
	}
	of, err := os.ReadFile(filepath.Join(dir, ".package-lock.installed.json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the language server is not installed: run e2e/setup, which needs npm")
	}
	lock, lockErr := os.ReadFile("package-lock.json")
	if err != nil || lockErr != nil || string(of) != string(lock) {
		t.Fatal("another language server is installed than package-lock.json says: run e2e/setup")
	}
	return dir
}

// pipes are the input and the output of a program.
type pipes struct {
	io.ReadCloser
	io.WriteCloser
}

// Close closes both.
func (p pipes) Close() error { return errors.Join(p.ReadCloser.Close(), p.WriteCloser.Close()) }

// handle answers what the server asks, and takes the mistakes that it publishes.
func (s *server) handle(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
	if r.Method != "textDocument/publishDiagnostics" {
		return nil, nil
	}
	var p published
	if err := json.Unmarshal(*r.Params, &p); err != nil {
		return nil, err
	}
	s.said <- p
	return nil, nil
}

func (s *server) begin(schema string) {
	s.Helper()
	var ignored any
	s.call("initialize", map[string]any{"processId": nil, "rootUri": fileURI(s.dir), "capabilities": map[string]any{
		"textDocument": map[string]any{"completion": map[string]any{"completionItem": map[string]any{"snippetSupport": true}}},
	}}, &ignored)
	s.notify("initialized", map[string]any{})
	schemas := map[string]any{}
	if schema != "" {
		schemas[fileURI(schema)] = "*"
	}
	s.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"yaml": map[string]any{
		"validate": true, "completion": true, "hover": true, "schemas": schemas, "schemaStore": map[string]any{"enable": false},
	}}})
}

func (s *server) call(method string, params, result any) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), timeout)
	defer cancel()
	if err := s.conn.Call(ctx, method, params, result); err != nil {
		s.Fatalf("%s: %v", method, err)
	}
}

func (s *server) notify(method string, params any) {
	s.Helper()
	if err := s.conn.Notify(s.Context(), method, params); err != nil {
		s.Fatalf("%s: %v", method, err)
	}
}

// open opens a file of the workspace, and returns the mistakes that the server finds in it.
func (s *server) open(name string) []diagnostic {
	s.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.Fatal(err)
	}
	uri := fileURI(filepath.Join(s.dir, name))
	s.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": uri, "languageId": "yaml", "version": 1, "text": string(text),
	}})
	late := time.After(timeout)
	for {
		select {
		case p := <-s.said:
			if p.URI == uri {
				return p.Diagnostics
			}
		case <-late:
			s.Fatalf("%s: the language server says nothing", name)
		}
	}
}

func fileURI(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}
