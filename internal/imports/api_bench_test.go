package imports

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/imports/logs"
)

// apiLogs are logs of the APIs of models, by the name of the format: one line of JSON Lines each, with a number that
// makes ids differ, and a text of some length.
var apiLogs = map[string]string{
	"anthropic": `{"task": "%[1]d", "messages": [{"role": "user", "content": "Read page %[1]d"}, {"role": "assistant", "content": [` +
		`{"type": "tool_use", "id": "toolu_%[1]d_1", "name": "read", "input": {"page": %[1]d}}, {"type": "tool_use", "id": "toolu_%[1]d_2", "name": "list", "input": {}}]}, ` +
		`{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_%[1]d_1", "content": "%[2]s"}, ` +
		`{"type": "tool_result", "tool_use_id": "toolu_%[1]d_2", "content": [{"type": "text", "text": "%[2]s"}]}]}, {"role": "assistant", "content": "Done."}]}`,
	"gemini": `{"task": "%[1]d", "contents": [{"role": "user", "parts": [{"text": "Read page %[1]d"}]}, {"role": "model", "parts": [` +
		`{"functionCall": {"name": "read", "args": {"page": %[1]d}}}, {"functionCall": {"name": "list", "args": {}}}]}, ` +
		`{"role": "user", "parts": [{"functionResponse": {"name": "read", "response": {"output": "%[2]s"}}}, ` +
		`{"functionResponse": {"name": "list", "response": {"output": "%[2]s"}}}]}, {"role": "model", "parts": [{"text": "Done."}]}]}`,
	"openai": `{"task": "%[1]d", "model": "m", "messages": [{"role": "user", "content": "Read page %[1]d"}, ` +
		`{"role": "assistant", "content": null, "tool_calls": [{"id": "call_%[1]d_1", "type": "function", "function": {"name": "read", "arguments": "{\"page\": %[1]d}"}}, ` +
		`{"id": "call_%[1]d_2", "type": "function", "function": {"name": "list", "arguments": "{}"}}]}, ` +
		`{"role": "tool", "tool_call_id": "call_%[1]d_1", "content": "%[2]s"}, {"role": "tool", "tool_call_id": "call_%[1]d_2", "content": "%[2]s"}, ` +
		`{"role": "assistant", "content": "Done."}]}`,
}

// BenchmarkAPIs reads 20 MB of each format.
func BenchmarkAPIs(b *testing.B) { benchmarkLines(b, apiLogs) }

// benchmarkLines reads 20 MB of each format, in lines that differ in their number.
func benchmarkLines(b *testing.B, lines map[string]string) {
	text := strings.Repeat(`It rains in \"Bern\".\n`, 60)
	inner := strconv.Quote(text)
	for name, line := range lines {
		b.Run(name, func(b *testing.B) {
			var log bytes.Buffer
			for i := 0; log.Len() < 20<<20; i++ {
				fmt.Fprintf(&log, line+"\n", i, text, inner[1:len(inner)-1])
			}
			files := fstest.MapFS{"log": {Data: log.Bytes()}}
			b.SetBytes(int64(log.Len()))
			b.ReportAllocs()
			for b.Loop() {
				account, err := All.Read(files, []string{"log"}, logs.Options{Format: name}, func(*logs.Run) error { return nil })
				if err != nil || account.Unread > 0 || account.Calls == 0 {
					b.Fatalf("got error %v and account %+v", err, account)
				}
			}
		})
	}
}
