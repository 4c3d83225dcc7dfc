package imports

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/imports/logs"
)

// agentLogs write logs of one session, about as large as real ones: most of a session file is what the program repeats.
var agentLogs = []struct {
	format, name string
	session      func(id int) string
}{
	{"claude-code", "session.jsonl", claudeSession},
	{"codex", "rollout.jsonl", codexSession},
	{"gemini-cli", "session.jsonl", geminiCLISession},
	{"opencode", "output.jsonl", openCodeSessionLines},
}

// filler is a text of some length with characters that JSON escapes.
func filler(n int) string { return strings.Repeat(`a \"word\" of text\n`, n/20) }

func claudeSession(id int) string {
	var out strings.Builder
	at := `"timestamp":"2026-11-20T10:00:00.000Z","sessionId":"s%[1]d","version":"2.1.330","cwd":"/work"`
	fmt.Fprintf(&out, `{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"q"},"uuid":"%[1]d-0",`+at+"}\n", id)
	tools := make([]string, 40)
	for i := range tools {
		tools[i] = fmt.Sprintf(`{"name":"mcp__s__t%d","description":"%s","input_schema":{"type":"object","properties":{"a":{"type":"string","description":"%s"}}}}`, i, filler(1_500), filler(500))
	}
	fmt.Fprintf(&out, `{"type":"api-request-shape",`+at+`,"shape":{"system":[{"type":"text","text":"%[2]s"}],"tools":[%[3]s]}}`+"\n", id, filler(20_000), strings.Join(tools, ","))
	for i := range 20 {
		fmt.Fprintf(&out, `{"parentUuid":"x","isSidechain":false,"attachment":{"type":"prompt_snapshot","systemPrompt":["%[3]s"]},"type":"attachment","uuid":"%[1]d-a%[2]d",`+at+"}\n", id, i, filler(8_000))
		fmt.Fprintf(&out, `{"parentUuid":"x","isSidechain":false,"message":{"id":"m%[1]d-%[2]d","role":"assistant","model":"claude-opus-4-5","content":[{"type":"tool_use","id":"t%[1]d-%[2]d","name":"mcp__s__get","input":{"a":%[2]d}}],"usage":{"input_tokens":10,"output_tokens":9}},"type":"assistant","uuid":"%[1]d-b%[2]d",`+at+"}\n", id, i)
		fmt.Fprintf(&out, `{"parentUuid":"x","isSidechain":false,"type":"user","message":{"role":"user","content":[{"tool_use_id":"t%[1]d-%[2]d","type":"tool_result","content":"%[3]s"}]},"uuid":"%[1]d-c%[2]d",`+at+"}\n", id, i, filler(2_000))
	}
	fmt.Fprintf(&out, `{"parentUuid":"x","isSidechain":false,"message":{"id":"m%[1]d-z","role":"assistant","model":"claude-opus-4-5","content":[{"type":"text","text":"Done."}],"usage":{"input_tokens":10,"output_tokens":9}},"type":"assistant","uuid":"%[1]d-z",`+at+"}\n", id)
	return out.String()
}

func codexSession(id int) string {
	var out strings.Builder
	line := func(kind, payload string) {
		fmt.Fprintf(&out, `{"timestamp":"2026-11-20T10:00:00.000Z","type":"%s","payload":%s}`+"\n", kind, payload)
	}
	line("session_meta", fmt.Sprintf(`{"id":"s%d","cwd":"/work","base_instructions":{"text":"%s"}}`, id, filler(20_000)))
	line("event_msg", `{"type":"user_message","message":"q"}`)
	for i := range 20 {
		line("response_item", fmt.Sprintf(`{"type":"function_call","namespace":"mcp__s","name":"get","arguments":"{\"a\":%d}","call_id":"c%d"}`, i, i))
		line("token_usage_record", fmt.Sprintf(`{"response_id":"r%d","usage":{"input_tokens":10,"cached_input_tokens":0,"output_tokens":9,"total_tokens":19}}`, i))
		line("event_msg", fmt.Sprintf(`{"type":"item_completed","item":{"type":"McpToolCall","id":"c%d","server":"s","tool":"get","arguments":{"a":%d},"status":"completed","result":{"content":[{"type":"text","text":"%s"}]}}}`, i, i, filler(2_000)))
		line("response_item", fmt.Sprintf(`{"type":"function_call_output","call_id":"c%d","output":"%s"}`, i, filler(2_000)))
	}
	line("response_item", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}`)
	line("event_msg", `{"type":"task_complete","last_agent_message":"Done."}`)
	return out.String()
}

func geminiCLISession(id int) string {
	var out strings.Builder
	fmt.Fprintf(&out, `{"sessionId":"s%d","projectHash":"h","startTime":"2026-11-20T10:00:00.000Z","kind":"main"}`+"\n", id)
	fmt.Fprintf(&out, `{"id":"%d-u","timestamp":"2026-11-20T10:00:00.000Z","type":"user","content":[{"text":"q"}]}`+"\n", id)
	for i := range 20 {
		head := fmt.Sprintf(`{"id":"%d-%d","timestamp":"2026-11-20T10:00:00.000Z","type":"gemini","content":"","tokens":{"input":10,"output":9,"cached":0,"thoughts":1,"tool":0,"total":20},"model":"gemini-2.5-pro"`, id, i)
		result := fmt.Sprintf(`[{"functionResponse":{"id":"c%d-%d","name":"mcp_s_get","response":{"output":"%s"}}}]`, id, i, filler(2_000))
		out.WriteString(head + "}\n" + `{"$set":{"lastUpdated":"2026-11-20T10:00:00.000Z"}}` + "\n")
		fmt.Fprintf(&out, head+`,"toolCalls":[{"id":"c%d-%d","name":"mcp_s_get","args":{"a":1},"result":%s,"status":"success"}]}`+"\n", id, i, result)
		fmt.Fprintf(&out, `{"id":"%d-r%d","timestamp":"2026-11-20T10:00:00.000Z","type":"user","content":%s}`+"\n", id, i, result)
	}
	fmt.Fprintf(&out, `{"id":"%d-z","timestamp":"2026-11-20T10:00:00.000Z","type":"gemini","content":"Done.","model":"gemini-2.5-pro"}`+"\n", id)
	return out.String()
}

func openCodeSessionLines(id int) string {
	var out strings.Builder
	for i := range 20 {
		fmt.Fprintf(&out, `{"type":"tool_use","timestamp":1795312191043,"sessionID":"s%[1]d","part":{"type":"tool","tool":"s_get","callID":"c%[2]d","state":{"status":"completed","input":{"a":1},"output":"%[3]s","time":{"start":1795312190978,"end":1795312191014}},"id":"p%[1]d-%[2]d","messageID":"m%[2]d"}}`+"\n", id, i, filler(2_000))
		fmt.Fprintf(&out, `{"type":"step_finish","timestamp":1795312191043,"sessionID":"s%[1]d","part":{"id":"f%[1]d-%[2]d","reason":"stop","messageID":"m%[2]d","type":"step-finish","tokens":{"input":10,"output":2,"reasoning":1,"cache":{"write":0,"read":2}},"cost":0}}`+"\n", id, i)
	}
	return out.String()
}

// BenchmarkReadAgents reads logs of many sessions, 20 MB altogether. held-MB is what the heap holds while the first run is
// handed on, when all sessions have been read.
func BenchmarkReadAgents(b *testing.B) {
	for _, one := range agentLogs {
		files := fstest.MapFS{}
		var names []string
		size := 0
		for id := 0; size < 20<<20; id++ {
			text := []byte(one.session(id))
			names = append(names, fmt.Sprintf("%d/%s", id, one.name))
			files[names[id]] = &fstest.MapFile{Data: text}
			size += len(text)
		}
		b.Run(one.format, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			held := uint64(0)
			for range b.N {
				held = readAll(b, files, names, one.format)
			}
			b.ReportMetric(float64(held)/(1<<20), "held-MB")
		})
	}
}

// readAll reads files, and returns what is held when all have been read, without the files.
func readAll(b *testing.B, files fstest.MapFS, names []string, format string) (held uint64) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	account, err := All.Read(files, names, logs.Options{Format: format}, func(*logs.Run) error {
		if held == 0 {
			b.StopTimer()
			runtime.GC()
			runtime.ReadMemStats(&after)
			held = max(1, after.HeapAlloc-min(before.HeapAlloc, after.HeapAlloc))
			b.StartTimer()
		}
		return nil
	})
	if err != nil || account.Runs != len(names) || account.Unread > 0 || account.Calls != 20*len(names) {
		b.Fatalf("got %+v, %v", account, err)
	}
	return held
}
