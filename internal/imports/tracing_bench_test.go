package imports

import "testing"

// tracingLogs are logs of tracing and evaluating programs, as apiLogs are of APIs. The third argument is the text as it is in another.
var tracingLogs = map[string]string{
	"otel": `{"resourceSpans": [{"resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "s"}}]}, "scopeSpans": [{"spans": [` +
		`{"traceId": "t%[1]d", "spanId": "a", "parentSpanId": "r", "name": "chat", "startTimeUnixNano": "1700000000000000001", "endTimeUnixNano": "1700000000000000002", "attributes": [` +
		`{"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}, {"key": "gen_ai.request.model", "value": {"stringValue": "m"}}, ` +
		`{"key": "gen_ai.usage.input_tokens", "value": {"intValue": "10"}}, {"key": "gen_ai.usage.output_tokens", "value": {"intValue": "5"}}, ` +
		`{"key": "gen_ai.input.messages", "value": {"stringValue": "[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"Read page %[1]d\"}]}]"}}, ` +
		`{"key": "gen_ai.output.messages", "value": {"stringValue": "[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"c%[1]d\",\"name\":\"read\",\"arguments\":{\"page\":%[1]d}}]}]"}}]}, ` +
		`{"traceId": "t%[1]d", "spanId": "b", "parentSpanId": "r", "name": "execute_tool read", "startTimeUnixNano": "1700000000000000003", "endTimeUnixNano": "1700000000000000004", "attributes": [` +
		`{"key": "gen_ai.operation.name", "value": {"stringValue": "execute_tool"}}, {"key": "gen_ai.tool.name", "value": {"stringValue": "read"}}, ` +
		`{"key": "gen_ai.tool.call.id", "value": {"stringValue": "c%[1]d"}}, {"key": "gen_ai.tool.call.result", "value": {"stringValue": "%[2]s"}}]}, ` +
		`{"traceId": "t%[1]d", "spanId": "c", "parentSpanId": "r", "name": "chat", "startTimeUnixNano": "1700000000000000005", "endTimeUnixNano": "1700000000000000006", "attributes": [` +
		`{"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}, {"key": "gen_ai.request.model", "value": {"stringValue": "m"}}, ` +
		`{"key": "gen_ai.input.messages", "value": {"stringValue": "[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"Read page %[1]d\"}]},{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"c%[1]d\",\"name\":\"read\",\"arguments\":{\"page\":%[1]d}}]},{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"c%[1]d\",\"response\":\"%[3]s\"}]}]"}}, ` +
		`{"key": "gen_ai.output.messages", "value": {"stringValue": "[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"Done.\"}]}]"}}]}]}]}]}`,
	"langfuse": `{"id": "t%[1]d", "name": "n", "timestamp": "2025-01-01T00:00:00.000Z", "observations": [` +
		`{"id": "a", "traceId": "t%[1]d", "type": "GENERATION", "startTime": "2025-01-01T00:00:01.000Z", "endTime": "2025-01-01T00:00:02.000Z", "parentObservationId": null, "model": "m", "input": [{"role": "user", "content": "Read page %[1]d"}], ` +
		`"output": {"role": "assistant", "tool_calls": [{"id": "c%[1]d", "type": "function", "function": {"name": "read", "arguments": "{\"page\": %[1]d}"}}]}, "usageDetails": {"input": 10, "output": 5}}, ` +
		`{"id": "b", "traceId": "t%[1]d", "type": "TOOL", "name": "read", "startTime": "2025-01-01T00:00:03.000Z", "endTime": "2025-01-01T00:00:04.000Z", "parentObservationId": null, "input": {"page": %[1]d}, "output": "%[2]s"}, ` +
		`{"id": "c", "traceId": "t%[1]d", "type": "GENERATION", "startTime": "2025-01-01T00:00:05.000Z", "endTime": "2025-01-01T00:00:06.000Z", "parentObservationId": null, "model": "m", "input": [{"role": "user", "content": "Read page %[1]d"}, ` +
		`{"role": "assistant", "tool_calls": [{"id": "c%[1]d", "type": "function", "function": {"name": "read", "arguments": "{\"page\": %[1]d}"}}]}, {"role": "tool", "tool_call_id": "c%[1]d", "content": "%[2]s"}], "output": "Done."}]}`,
	"langsmith": `{"id": "r%[1]d", "name": "main", "run_type": "chain", "trace_id": "r%[1]d", "start_time": "2025-01-01T00:00:00", "end_time": "2025-01-01T00:00:09", "inputs": {}, "outputs": {}, "child_runs": [` +
		`{"id": "a%[1]d", "run_type": "llm", "start_time": "2025-01-01T00:00:01", "end_time": "2025-01-01T00:00:02", "inputs": {"messages": [[{"lc": 1, "type": "constructor", "id": ["HumanMessage"], "kwargs": {"content": "Read page %[1]d", "type": "human"}}]]}, ` +
		`"outputs": {"generations": [[{"message": {"lc": 1, "type": "constructor", "id": ["AIMessage"], "kwargs": {"content": "", "type": "ai", "tool_calls": [{"name": "read", "args": {"page": %[1]d}, "id": "c%[1]d"}]}}}]]}}, ` +
		`{"id": "b%[1]d", "run_type": "tool", "name": "read", "start_time": "2025-01-01T00:00:03", "end_time": "2025-01-01T00:00:04", "inputs": {"page": %[1]d}, "outputs": {"output": {"lc": 1, "type": "constructor", "id": ["ToolMessage"], "kwargs": {"content": "%[2]s", "type": "tool", "tool_call_id": "c%[1]d"}}}}, ` +
		`{"id": "d%[1]d", "run_type": "llm", "start_time": "2025-01-01T00:00:05", "end_time": "2025-01-01T00:00:06", "inputs": {"messages": [[{"lc": 1, "type": "constructor", "id": ["HumanMessage"], "kwargs": {"content": "Read page %[1]d", "type": "human"}}, ` +
		`{"lc": 1, "type": "constructor", "id": ["ToolMessage"], "kwargs": {"content": "%[2]s", "type": "tool", "tool_call_id": "c%[1]d"}}]]}, "outputs": {"generations": [[{"text": "Done."}]]}}]}`,
	"promptfoo": `{"id": "r%[1]d", "promptIdx": 0, "testIdx": %[1]d, "testCase": {"description": "d", "vars": {"page": "%[1]d"}}, "prompt": {"raw": "Read page %[1]d", "label": "l"}, "provider": {"id": "openai:gpt-4o"}, ` +
		`"response": {"output": [{"id": "c%[1]d", "type": "function", "function": {"name": "read", "arguments": "{\"page\": %[1]d}"}}], "metadata": {"toolCalls": [{"id": "c%[1]d", "name": "read", "input": {"page": %[1]d}, "output": "%[2]s"}]}, "tokenUsage": {"total": 15, "prompt": 10, "completion": 5}}, ` +
		`"success": true, "score": 1, "failureReason": 0, "latencyMs": 5, "gradingResult": {"reason": "%[2]s"}}`,
	"inspect": `{"version": 2, "status": "success", "eval": {"eval_id": "e%[1]d", "task": "t", "model": "openai/m"}, "samples": [{"id": %[1]d, "epoch": 1, "input": "Read page %[1]d", "messages": [{"id": "0", "role": "user", "content": "Read page %[1]d"}, ` +
		`{"id": "1", "role": "assistant", "content": "", "tool_calls": [{"id": "c%[1]d", "function": "read", "arguments": {"page": %[1]d}}]}, {"id": "2", "role": "tool", "tool_call_id": "c%[1]d", "content": "%[2]s"}, {"id": "3", "role": "assistant", "content": "Done."}], ` +
		`"output": {"model": "m", "choices": [{"message": {"id": "3", "role": "assistant", "content": "Done."}, "stop_reason": "stop"}]}, "events": [{"event": "model", "span_id": "s", "input": [], "tools": [], "output": {"choices": [{"message": {"id": "1"}}], "usage": {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}}}, ` +
		`{"event": "tool", "span_id": "s", "timestamp": "2025-01-01T00:00:03Z", "completed": "2025-01-01T00:00:04Z", "id": "c%[1]d", "function": "read", "arguments": {"page": %[1]d}, "result": "%[2]s"}]}]}`,
	"mcptest": `{"tool_calls": [{"name": "read", "server": "s", "args": {"page": %[1]d}, "result": "%[2]s"}, {"name": "list", "server": "s", "args": {}, "result": "%[2]s"}], "conversation": {"tokens": {"total": 10}, "turns": [{"role": "user", "content": "Read page %[1]d"}]}, "final_response": "Done."}`,
}

// BenchmarkTracing reads 20 MB of each format.
func BenchmarkTracing(b *testing.B) { benchmarkLines(b, tracingLogs) }
