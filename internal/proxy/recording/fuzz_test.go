package recording

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/trace"
)

// FuzzTape pins that whatever passes, a recording has whole lines of JSON, and nothing of what is not to be recorded.
func FuzzTape(f *testing.F) {
	for _, line := range strings.Split(traffic, "\n") {
		f.Add([]byte(line), []byte(line))
	}
	long := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + strings.Repeat("n", trace.MaxName+1) + `"}}`)
	f.Add(long, long)
	f.Fuzz(func(t *testing.T, client, server []byte) {
		name := filepath.Join(t.TempDir(), "tape")
		file, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		now := time.Now()
		tape := &tape{file: file, started: now, redactor: (Options{}).Rules.File(), asked: map[string][]string{}}
		tape.complain = func(err error) {
			if err != errLongName {
				t.Error(err)
			}
		}
		tape.writeMessages(moment{now, "client", 1}, client, len(client)+1)
		tape.writeMessages(moment{now, "server", 1}, server, len(server)+1)
		tape.close()
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for text := range bytes.Lines(data) {
			if !bytes.HasSuffix(text, []byte("\n")) || !jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)) {
				t.Errorf("the recording has the line %q, want JSON", text)
			}
		}
		if strings.Contains(string(data), "kept nowhere") && !strings.Contains(string(client)+string(server), "tools/") {
			t.Errorf("the recording has what is not to be recorded: %s", data)
		}
	})
}
