package trace

import (
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/lists"
)

// foreign is a kind of object in which other programs record the work of agents.
type foreign struct {
	format string   // one word, or several if the keys fit several formats
	what   string   // description of an object with these keys
	keys   []string // keys that together identify the format
}

// FormatChat names two formats that share keys.
const FormatChat = "openai or anthropic"

// formatEnvelope is mcptest's format of a run in a file of its own, which has the keys of a run.
const formatEnvelope = "mcptest"

// FormatOf returns the name of the format in which other programs write objects with these keys, in the words of package
// imports; FormatChat if the keys fit two formats; "" if they fit none. outputIsList means that the object has a list under the
// key "output".
func FormatOf(keys []string, outputIsList bool) string {
	m := members{outputIsList: outputIsList}
	for _, key := range keys {
		m.add(key)
	}
	if f := m.match(); f != nil {
		return f.format
	}
	if slices.Contains(keys, "tool_calls") {
		return formatEnvelope
	}
	return ""
}

// foreignFormats are the formats that a message about a file can name. The first format that fits is named, so formats with keys of
// their own come before those with shared keys.
var foreignFormats = []foreign{
	{"mcp-wire", "a frame of MCP traffic", []string{"jsonrpc"}},
	{"mcp-wire", "the head of recorded MCP traffic", []string{"mcp_gates_wire"}},
	{"otel", "OpenTelemetry spans", []string{"resourceSpans"}},
	{"otel", "OpenTelemetry events", []string{"resourceLogs"}},
	{"otel", "spans of one OpenTelemetry resource", []string{"scopeSpans"}},
	{"otel", "an OpenTelemetry span", []string{"traceId", "spanId"}},
	{"otel", "an OpenTelemetry span", []string{"context", "parent_id", "attributes"}},
	{"otel", "an OpenTelemetry span", []string{"SpanContext", "Parent"}},
	{"otel", "an OpenTelemetry event", []string{"body", "trace_id", "span_id"}},
	{"langsmith", "a LangSmith run", []string{"run_type"}},
	{"langsmith", "a LangSmith run", []string{"dotted_order"}},
	{"langsmith", "a page of LangSmith's interface", []string{"runs", "cursors"}},
	{"langfuse", "a Langfuse trace", []string{"observations"}},
	{"langfuse", "a Langfuse observation", []string{"parentObservationId"}},
	{"langfuse", "an exported Langfuse observation", []string{"parent_observation_id"}},
	{"langfuse", "a page of Langfuse's interface", []string{"data", "meta"}},
	{"promptfoo", "Promptfoo results", []string{"evalId"}},
	{"promptfoo", "a Promptfoo result", []string{"testCase", "promptIdx"}},
	{"promptfoo", "Promptfoo results", []string{"version", "timestamp", "results", "stats"}},
	{"inspect", "an Inspect log", []string{"eval", "status"}},
	{"claude-code", "a line of a Claude Code session", []string{"parentUuid"}},
	{"claude-code", "a line of Claude Code's output", []string{"session_id", "uuid"}},
	{"claude-code", "a line of Claude Code's output", []string{"session_id", "subtype"}},
	{"claude-code", "a line of Claude Code's output", []string{"session_id", "parent_tool_use_id"}},
	{"gemini-cli", "the head of a Gemini CLI session", []string{"projectHash"}},
	{"gemini-cli", "a change of a Gemini CLI session", []string{"$set"}},
	{"gemini-cli", "a tool call of Gemini CLI's output", []string{"tool_id", "timestamp"}},
	{"gemini-cli", "Gemini CLI's output", []string{"session_id", "stats"}},
	{"gemini-cli", "Gemini CLI's output", []string{"session_id", "error"}},
	{"gemini-cli", "a line of Gemini CLI's output", []string{"session_id", "timestamp"}},
	{"gemini-cli", "a line of Gemini CLI's output", []string{"timestamp", "role"}},
	{"gemini-cli", "a message of a Gemini CLI session", []string{"id", "timestamp", "type", "content"}},
	{"claude-code", "a line of a Claude Code session", []string{"type", "sessionId"}},
	{"opencode", "a line of opencode's output", []string{"sessionID"}},
	{"opencode", "an opencode session", []string{"info", "messages"}},
	{"codex", "a line of a Codex session", []string{"timestamp", "payload"}},
	{"codex", "the head of a Codex session", []string{"id", "timestamp", "instructions"}},
	{"codex", "a line of Codex' output", []string{"type", "thread_id"}},
	{"codex", "a line of Codex' output", []string{"type", "item"}},
	{"openai", "a chat completion", []string{"choices"}},
	{"openai", "a response of the Responses API", []string{"object", "output"}},
	{"openai", "a call of the Responses API", []string{"type", "call_id"}},
	{"openai", "an item of the Responses API", []string{"type", "server_label"}},
	{"openai", "a chat message", []string{"role", "tool_calls"}},
	{"openai", "a chat message", []string{"role", "tool_call_id"}},
	{"gemini", "a Gemini response", []string{"candidates"}},
	{"gemini", "a Gemini conversation", []string{"contents"}},
	{"gemini", "a Gemini message", []string{"role", "parts"}},
	{"anthropic", "a response of the Messages API", []string{"role", "content", "stop_reason"}},
	{"anthropic", "an event of a stream of the Messages API", []string{"type", "index", "content_block"}},
	{"anthropic", "an event of a stream of the Messages API", []string{"type", "index", "delta"}},
	{"anthropic", "a request of the Messages API", []string{"messages", "system"}},
	{"openai", "a request of the Responses API", []string{"model", "input"}},
	{FormatChat, "a conversation", []string{"messages"}},
	{FormatChat, "a chat message", []string{"role", "content"}},
	{FormatChat, "a chat message", []string{"role"}},
}

// outputItems describes a response that has only the list "output".
var outputItems = foreign{"openai", "a response of the Responses API", []string{"output"}}

// neverInRuns are keys that a run of a cassette never has. If they are among the keys of a format, an object of the format is
// refused, even if its "tool_calls" or "error" could be those of a run.
var neverInRuns = []string{
	"jsonrpc", "mcp_gates_wire", "resourceSpans", "run_type", "dotted_order", "parentUuid", "projectHash", "sessionID",
	"choices", "object", "candidates", "role",
}

func (f *foreign) fits(keys []string) bool {
	return !slices.ContainsFunc(f.keys, func(key string) bool { return !slices.Contains(keys, key) })
}

func hasNonRunKey(keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(neverInRuns, key) })
}

// members are the keys of an object that was read as a run, in the order of the file.
type members struct {
	first [32]string // the first keys: more than any known format has before its identifying keys
	count int

	outputIsList bool // "output" exists and is a list
}

func (m *members) add(key string) {
	if m.count < len(m.first) {
		m.first[m.count] = key
	}
	m.count++
}

func (m *members) firstKeys() []string { return m.first[:min(m.count, len(m.first))] }

func (m *members) match() *foreign {
	keys := m.firstKeys()
	for i := range foreignFormats {
		if foreignFormats[i].fits(keys) {
			return &foreignFormats[i]
		}
	}
	if m.outputIsList {
		return &outputItems
	}
	return nil
}

// excludesRun reports whether the keys identify a format whose objects cannot be runs.
func (m *members) excludesRun() bool {
	keys := m.firstKeys()
	return hasNonRunKey(keys) && slices.ContainsFunc(foreignFormats, func(f foreign) bool { return hasNonRunKey(f.keys) && f.fits(keys) })
}

// String lists the keys, and the format that they identify.
func (m *members) String() string {
	const shown = 8
	if m.count == 0 {
		return "no keys"
	}
	quoted := lists.Map(m.first[:min(m.count, shown)], func(key string) string { return fmt.Sprintf("%.40q", key) })
	found := "the keys "
	if m.count == 1 {
		found = "only the key "
	}
	found += lists.AndMore(quoted, m.count)
	if f := m.match(); f != nil {
		found += fmt.Sprintf(": this looks like %s (%s); %s", f.what, f.format, f.advice())
	}
	return found
}

func (f *foreign) advice() string {
	if f.format == FormatChat {
		return `"mcp-gates import FILE" makes a cassette of it, and a suite reads it in place with "format: auto"`
	}
	return fmt.Sprintf(`"mcp-gates import --from %s FILE" makes a cassette of it, and a suite reads it in place with "format: %[1]s"`, f.format)
}
