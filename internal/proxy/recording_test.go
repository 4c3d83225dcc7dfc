package proxy

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/org/mcp-gates/internal/proxy/recording"
)

// recordingIn returns a recording in a folder of the test's own, which fails the test when it fails.
func recordingIn(t *testing.T) recording.Options {
	t.Helper()
	return recording.Options{Dir: filepath.Join(t.TempDir(), "a", "b"), Server: "test", Version: "1", Complain: func(err error) { t.Errorf("complaint: %v", err) }}
}

// readAll returns the lines of each recording in a folder, by the order of the names.
func readAll(t *testing.T, dir string) [][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for _, name := range files {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := info.Mode().Perm(), os.FileMode(0o600); got != want {
			t.Errorf("the recording has the mode %o, want %o", got, want)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n"))
	}
	return all
}

// traffic is what a client sends in a test.
const traffic = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"look","arguments":{"at":1.0}}}
{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"kept nowhere"}}
no message
[{"jsonrpc":"2.0","id":7,"result":{}},{"jsonrpc":"2.0","method":"ping","id":8}]
`

// TestRecordingThatFails pins that what passes goes on where nothing can be written, and that this is said once.
func TestRecordingThatFails(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	dirs := map[string]string{"no folder": file}
	if _, err := os.Stat("/dev/full"); err == nil {
		dirs["a full disk"] = "/dev/full"
	}
	for name, dir := range dirs {
		var mu sync.Mutex
		var complaints []string
		complain := func(err error) {
			mu.Lock()
			defer mu.Unlock()
			complaints = append(complaints, err.Error())
		}
		out, status := runStdio(t, "mirror", strings.NewReader(traffic), recording.Options{Dir: dir, Server: "test", Complain: complain})
		if out != traffic || status != 0 {
			t.Errorf("%s: got %q and status %d, want what went in and 0", name, out, status)
		}
		mu.Lock()
		if len(complaints) != 1 || !strings.HasPrefix(complaints[0], "record: ") {
			t.Errorf("%s: got the complaints %q, want one", name, complaints)
		}
		mu.Unlock()
	}
}
