package imports

import (
	"github.com/org/mcp-gates/internal/imports/agentlogs"
	"github.com/org/mcp-gates/internal/imports/chat"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/imports/spans"
)

// All lists the formats. Logs are recognised by rows in package trace (see [trace.FormatOf]), because messages about files that
// are not cassettes name formats, too.
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
