package imports

// All lists the formats. The rows by which a log is recognised are in package trace (see [trace.FormatOf]), for messages
// about files that are no cassettes name formats, too.
var All = []*Format{
	MCPWire,
	OpenAI,
	Anthropic,
	Gemini,
	ClaudeCode,
	Codex,
	GeminiCLI,
	OpenCode,
	OTel,
	Langfuse,
	LangSmith,
	Promptfoo,
	Inspect,
	MCPTest,
}
