package imports

import (
	"github.com/org/mcp-gates/internal/imports/agentlogs"
	"github.com/org/mcp-gates/internal/imports/chat"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/imports/spans"
)

// All lists the formats. The rows by which a log is recognised are in package trace (see [trace.FormatOf]), for messages
// about files that are no cassettes name formats, too.
var All = logs.Formats{
	agentlogs.MCPWire,
	chat.OpenAI,
	chat.Anthropic,
	chat.Gemini,
	agentlogs.ClaudeCode,
	agentlogs.Codex,
	agentlogs.GeminiCLI,
	agentlogs.OpenCode,
	spans.OTel,
	spans.Langfuse,
	spans.LangSmith,
	spans.Promptfoo,
	spans.Inspect,
	spans.MCPTest,
}
