package imports

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// wireSession is a recording of the proxy with 20 calls. The bare form has the messages only.
func wireSession(id int, isBare bool) string {
	var out strings.Builder
	line := func(at int, from, message string) {
		if isBare {
			out.WriteString(message + "\n")
			return
		}
		fmt.Fprintf(&out, `{"at_ms":%d,"from":"%s","message":%s}`+"\n", at, from, message)
	}
	if !isBare {
		fmt.Fprintf(&out, `{"mcp_gates_wire":1,"server":"s","transport":"stdio","started_at":"2026-11-20T10:00:%02d.000Z","recorder":"mcp-gates 1","witness":"proxy"}`+"\n", id%60)
	}
	line(1, "client", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","clientInfo":{"name":"t","version":"1"}}}`)
	line(2, "server", `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"s","version":"2"}}}`)
	tools := make([]string, 10)
	for i := range tools {
		tools[i] = fmt.Sprintf(`{"name":"t%d","description":"%s","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`, i, filler(500))
	}
	line(3, "client", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`)
	line(4, "server", `{"jsonrpc":"2.0","id":1,"result":{"tools":[`+strings.Join(tools, ",")+`]}}`)
	for i := range 20 {
		line(10*i, "client", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t1","arguments":{"a":"%d"},"_meta":{"callId":"c%d"}}}`, i+2, i, i))
		line(10*i+5, "server", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"%s"}]}}`, i+2, filler(2_000)))
	}
	return out.String()
}

// BenchmarkReadWire reads recordings of many sessions, 20 MB altogether, and messages without the proxy's lines.
func BenchmarkReadWire(b *testing.B) {
	for name, isBare := range map[string]bool{"recording": false, "bare": true} {
		files := fstest.MapFS{}
		var names []string
		size := 0
		for id := 0; size < 20<<20; id++ {
			text := []byte(wireSession(id, isBare))
			names = append(names, fmt.Sprintf("%d.jsonl", id))
			files[names[id]] = &fstest.MapFile{Data: text}
			size += len(text)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for range b.N {
				readAll(b, files, names, "mcp-wire")
			}
		})
	}
}
