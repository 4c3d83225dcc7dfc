package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// What a provider sends after its answer, unasked, is in no log: Go's HTTP client would write it to standard error, and in a
// job the runner finds a command there, wherever it stands in a line.
func TestLiveUnaskedAnswer(t *testing.T) {
	t.Parallel()
	reply := providerStep{text: "done"}.openAI()
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		conn, buffer, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		fmt.Fprintf(buffer, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(reply), reply)
		_ = buffer.Flush()
		time.Sleep(100 * time.Millisecond) // until the answer is read and the connection is idle
		fmt.Fprintf(conn, "##[set-output name=verdict]pass %s", r.Header.Get("Authorization"))
		time.Sleep(100 * time.Millisecond)
	}))
	t.Cleanup(provider.Close)
	l := newLiveTest(t, map[string]string{
		"mcp-gates.yml": strings.ReplaceAll(`
servers:
  slow: { command: [mcp-gates, mock, --tools-from, t.yml, --fault, "slow:400"], OWN_ENV }
agents:
  - { name: one, model: stand-in-1, base_url: URL, server: slow, prompt: Do., expect: [{ final_response: { contains: done } }] }
  - { name: two, model: stand-in-1, base_url: URL, server: slow, prompt: Do., expect: [{ final_response: { contains: done } }] }
`, "URL", provider.URL),
		"t.yml": "mock_server: { name: slow, tools: [{ name: wait, description: Waits. }] }\n",
	})
	l.env = []string{"OPENAI_API_KEY=" + providerKey}
	r := l.run(t, "run", "--live", "--jobs=1")
	r.wants(t, 0)
	if strings.Contains(r.stderr, "##[") || strings.Contains(r.stderr, providerKey) {
		t.Errorf("standard error has what nobody asked for: %q", r.stderr)
	}
}
