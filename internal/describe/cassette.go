package describe

import "github.com/google/jsonschema-go/jsonschema"

// The names of definitions about cassettes.
const (
	cassetteDef = "cassette"
	runDef      = "run"
	callDef     = "call"
)

// cassette describes a value of a cassette: the object of a whole file, or a line of JSON Lines. Unknown keys are allowed,
// because readers skip them.
func cassette() *jsonschema.Schema {
	isList := &jsonschema.Schema{Type: "array"}
	hasRuns := &jsonschema.Schema{Required: []string{"runs"}}
	isRun := &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Required: []string{"tool_calls"}}, {Required: []string{"error"}}}}
	head := ref(cassetteDef)
	begins := &jsonschema.Schema{AllOf: []*jsonschema.Schema{head, {Required: []string{"cassette"}}}}
	s := &jsonschema.Schema{
		Title: "A cassette of mcp-gates: recorded runs of one case",
		Types: []string{"object", "array"},
		If:    isList, Then: oneOrMore(ref(runDef)),
		Else: &jsonschema.Schema{If: hasRuns, Then: head, Else: &jsonschema.Schema{If: isRun, Then: ref(runDef), Else: begins}},
	}
	document(s, "Also read: a run, a list of runs, and JSON Lines with a run a line, of which the first may be a cassette without `runs`.")
	s.Defs = map[string]*jsonschema.Schema{cassetteDef: header(), runDef: run(), callDef: call()}
	return s
}

func optionalText() *jsonschema.Schema { return either(anyText(), null()) }

func hash() *jsonschema.Schema {
	return either(matching("^([0-9a-fA-F]{64})?$"), null())
}

func count() *jsonschema.Schema { return either(wholeNumber(0), null()) }

func header() *jsonschema.Schema {
	version := &jsonschema.Schema{Enum: []any{1, nil}}
	ofServer := open(key{name: "tools", doc: "Its tools.", of: either(listOf(tool()), null())})
	return open(
		key{name: "cassette", doc: "The version of the format.", of: version},
		key{name: "test", doc: "The test that the runs are of.", of: optionalText()},
		key{name: "model", doc: "The model that was asked for.", of: optionalText()},
		key{name: "provider", doc: "Who was asked.", of: optionalText()},
		key{name: "provider_model", doc: "The model that answered, as its provider names it.", of: optionalText()},
		key{name: "recorded_at", doc: "When the runs were recorded.", of: optionalText()},
		key{name: "recorder", doc: "The program that recorded them.", of: optionalText()},
		key{name: "prompt_sha256", doc: "The SHA-256 of the prompt, variables replaced by their defaults.", of: hash()},
		key{name: "system_prompt_sha256", doc: "The SHA-256 of the system prompt, likewise.", of: hash()},
		key{name: "catalog_sha256", doc: "The SHA-256 of the RFC 8785 form of the tools, sorted by name, injected distractors left out.", of: hash()},
		key{name: "agent", doc: "The preset or the command of the program that made the runs.", of: optionalText()},
		key{name: "agent_sha256", doc: "The SHA-256 of `agent:` as the suite has it.", of: hash()},
		key{name: "agent_run", doc: "How the program was run.", of: optionalText()},
		key{name: "agent_version", doc: "The program's version.", of: optionalText()},
		key{name: "tool_search", doc: "Whether the suite asked the agent to find tools by a search.", of: either(choice("", "off", "on"), null())},
		key{name: "builtins", doc: "`count`: calls of the agent's own tools, whose server is `builtin`, are judged like others.", of: optionalText()},
		key{name: "catalog", doc: "The tools that the model saw, by server.", of: either(mapOf(ofServer), null())},
		key{name: "distractors", doc: "The injected tools among them, in order.", of: either(toolNames("The server that it looks to be of."), null())},
		key{name: "deferred", doc: "The tools that the model did not see until a search returned them; empty where no name of one is known.", of: either(toolNames("The server."), null())},
		key{name: "deferred_by", doc: "How the built-in loop had deferred tools found: `deferred` of the test, as `CLIENT, limit N`.", of: optionalText()},
		key{name: "faults", doc: "The faults that the runs were made under, in the suite's order.", of: either(recordedFaults(), null())},
		key{name: "runs", doc: "The runs.", of: either(oneOrMore(ref(runDef)), null())},
	)
}

func toolNames(server string) *jsonschema.Schema {
	return listOf(open(
		key{name: "server", doc: server, of: optionalText()},
		key{name: "name", doc: "The name.", of: anyText(), required: true},
	))
}

// run describes a run. A run without a list of calls, which may be empty, must have an error.
func run() *jsonschema.Schema {
	handed := open(
		key{name: "from", doc: "The agent that handed over.", of: optionalText()},
		key{name: "to", doc: "The agent that took over.", of: optionalText()},
	)
	s := open(
		key{name: "tool_calls", doc: "The calls, in order; an empty list where the agent called nothing.", of: either(listOf(ref(callDef)), null())},
		key{name: "conversation", doc: "Tokens, turns and cost.", of: either(conversation(), null())},
		key{name: "delegations", doc: "What one agent handed to another.", of: either(listOf(handed), null())},
		key{name: "distractors", doc: "How many of the distractors, from the first, the run was offered; all when absent. A list is of a cassette with this run only.", of: either(count(), toolNames("The server that it looks to be of."))},
		key{name: "final_response", doc: "The agent's final text.", of: optionalText()},
		key{name: "stop_reason", doc: "Why the run stopped.", of: optionalText()},
		key{name: "duration_ms", doc: "How long it took, in milliseconds.", of: count()},
		key{name: "error", doc: "Why the run did not finish.", of: anyValue()},
	)
	s.AnyOf = []*jsonschema.Schema{
		{Properties: map[string]*jsonschema.Schema{"tool_calls": {Type: "array"}}, Required: []string{"tool_calls"}},
		{Properties: map[string]*jsonschema.Schema{"error": {Not: &jsonschema.Schema{Enum: []any{nil, false, "", map[string]any{}}}}}, Required: []string{"error"}},
	}
	return s
}

func conversation() *jsonschema.Schema {
	tokens := open(
		key{name: "input", doc: "Tokens that the model read.", of: count()},
		key{name: "output", doc: "Tokens that it wrote.", of: count()},
		key{name: "total", doc: "Both together.", of: count()},
		key{name: "cache_read", doc: "Of the input, those read from a cache.", of: count()},
		key{name: "cache_write", doc: "Of the input, those written to a cache.", of: count()},
	)
	turn := open(
		key{name: "role", doc: "Who said it.", of: optionalText()},
		key{name: "content", doc: "The text; another value counts as its JSON text.", of: anyValue()},
		key{name: "tokens", doc: "Tokens of the turn.", of: anyValue()},
	)
	return open(
		key{name: "tokens", doc: "The tokens of the run, or their total.", of: either(tokens, wholeNumber(0), null())},
		key{name: "turns", doc: "The turns, in order.", of: either(listOf(turn), null())},
		key{name: "cost_usd", doc: "The cost in dollars.", of: either(number(0), null())},
	)
}

func call() *jsonschema.Schema {
	function := open(
		key{name: "name", doc: "The tool.", of: anyText()},
		key{name: "arguments", doc: "The arguments.", of: anyValue()},
	)
	s := open(
		key{name: "name", doc: "The tool, without its server.", of: anyText()},
		key{name: "server", doc: "The server; `builtin` for a tool of the agent itself.", of: optionalText()},
		key{name: "args", doc: "The arguments: an object, or a text that holds one. Another value is malformed, as the model sent it.", of: anyValue()},
		key{name: "args_unknown", doc: "The log keeps no arguments.", of: either(boolean(), null())},
		key{name: "result", doc: "The result: its text, or another value.", of: anyValue()},
		key{name: "is_error", doc: "The call returned an error.", of: either(boolean(), null())},
		key{name: "error", doc: "The error that the call returned.", of: anyValue()},
		key{name: "duration_ms", doc: "How long it took, in milliseconds.", of: count()},
		key{name: "agent", doc: "The sub-agent that made the call.", of: anyValue()},
		key{name: "witness", doc: "What saw the call.", of: anyValue()},
		key{name: "fault", doc: "The kind of the fault that was put in the call's way.", of: anyValue()},
		key{name: "found", doc: "What a search for tools returned, in its order; the server of such a call is `builtin`.", of: either(toolNames("The server."), null())},
		key{name: "loaded", doc: "What was returned to a call that named the tools instead of searching, likewise; instead of `found`.", of: either(toolNames("The server."), null())},
		key{name: "query", doc: "What the search asked, at most 65536 bytes; of another call anything.", of: anyValue()},
		key{name: "deferred_tools", doc: "How many tools were deferred then, the client's own included; of another call anything.", of: anyValue()},
		key{name: "type", doc: "`tool_use`, in Anthropic's spelling of a call.", of: anyValue()},
		key{name: "input", doc: "The arguments, in Anthropic's spelling.", of: anyValue()},
		key{name: "function", doc: "The tool and its arguments, in OpenAI's spelling.", of: either(function, anyText(), null())},
	)
	s.AnyOf = []*jsonschema.Schema{{Required: []string{"name"}}, {Required: []string{"function"}}}
	return s
}
