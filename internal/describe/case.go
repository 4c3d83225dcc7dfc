package describe

import (
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/org/mcp-gates/internal/agents"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/imports"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/toolsearch"
)

func test(isTest bool) *jsonschema.Schema {
	s := object(append(testKeys(isTest), casesKey())...)
	tool := map[string]*jsonschema.Schema{gates.ToolSelection.Name: {Required: []string{expectedTool}}}
	s.If, s.Then = &jsonschema.Schema{Not: &jsonschema.Schema{Required: []string{"cases"}}}, &jsonschema.Schema{Properties: tool}
	return s
}

// expectedTool is the key of tool_selection that each row of a table provides, in a test with a table.
const expectedTool = "expected_tool"

func testKeys(isTest bool) []key {
	keys := []key{{name: "name", doc: "Unique in the file, over all lists; one line.", of: line(), required: true}}
	if isTest {
		keys = append(keys, key{name: "type", doc: "The kind of the entry.", of: choice("agent"), byDefault: "agent"})
	}
	keys = append(keys, givenKeys()...)
	keys = append(keys, runnerKey(isTest))
	keys = append(keys, evidenceKeys()...)
	keys = append(keys, liveKeys()...)
	keys = append(keys, key{name: "expect", doc: "Expectations on every single run.", of: runExpect()})
	for _, g := range gates.All {
		if !slices.Contains(catalogGates, g) {
			title, _, _ := strings.Cut(g.Doc, "\n")
			keys = append(keys, key{name: g.Name, doc: title + ".", of: ref(blockPrefix + g.Name)})
		}
	}
	return keys
}

func casesKey() key {
	of := object(
		key{name: "file", doc: "The table, relative to the suite: CSV with a header (`.csv`), or JSON Lines (`.jsonl`, `.ndjson`).", of: matching(`\.([cC][sS][vV]|[jJ][sS][oO][nN][lL]|[nN][dD][jJ][sS][oO][nN])$|\$\{`), required: true},
		key{name: "prompt", doc: "The column of the prompts.", of: anyText(), byDefault: "prompt"},
		key{name: expectedTool, doc: "The column of what `tool_selection` expects; `a | b` is any of these.", of: anyText(), byDefault: expectedTool},
		key{name: "classes", doc: "The column of equal-function sets, with `,` or `;` between them; `a | b` is any of these.", of: anyText(), byDefault: "classes"},
		key{name: "name", doc: "The column of names; a row without one has its prompt for a name.", of: anyText(), byDefault: "name"},
	)
	return key{name: "cases", doc: "A table of prompts: each row is a case.", of: of, examples: []any{map[string]any{"file": "prompts.csv"}}}
}

func givenKeys() []key {
	nameFree := object(key{name: "name_free", doc: "The prompt promises to name no tool and no server.", of: boolean(), byDefault: false})
	return []key{
		{name: "model", doc: "The model the runs are of.", of: line()},
		{name: "models", doc: "The models the runs are of: one case a model.", of: either(text(), oneOrMore(text()))},
		{name: "servers", doc: "Which servers the agent had.", of: texts()},
		{name: "server", doc: "The server that the agent had.", of: line()},
		{name: "prompt", doc: "What the agent is asked. Live runs need it, and stale recordings are found by it.", of: anyText()},
		{name: "user_prompt", doc: "Another name for `prompt`.", of: anyText()},
		{name: "system_prompt", doc: "The system prompt.", of: anyText()},
		{name: "discovery", doc: "How the prompt asks.", of: nameFree},
		{name: "faults", doc: "Tools that fail in live runs.", of: faults()},
		{name: "tags", doc: "Words for `--tag` and `--skip-tag`.", of: texts()},
	}
}

func evidenceKeys() []key {
	classes := keyOf(gates.EqualFunctionSets, "classes")
	classes.doc = "Equal-function sets for all gates of the test that ask for classes; a gate's own list replaces them."
	return []key{
		{name: "runs", doc: "How many runs there must be at least, and how many a live run makes; 0 means 1.", of: wholeNumber(0), byDefault: 1},
		{name: "cassette", doc: "A path, a glob, or a list of them, relative to the suite; `${model}` stands for the model, `${row}` for the name of a table's row. A map names logs of another program. By default a file beside the suite, named after it and the test.",
			of: either(text(), oneOrMore(text()), log())},
		{name: "allow_run_errors", doc: "How many runs may have broken off without making the case an error.", of: wholeNumber(0), byDefault: 0},
		{name: "builtins", doc: "`apart`: no gate sees the calls of an agent's own tools, unless it names `builtin.TOOL`; `count`: they count like others.", of: choice("apart", "count"), byDefault: "apart"},
		{name: "stale_catalog", doc: "What a difference between a recording and today's snapshots does.", of: choice("fail", "affected", "warn", "ignore")},
		{name: "error_pattern", doc: "A call whose result matches this regular expression (RE2) returned an error, for all gates of the test.", of: text(), examples: []any{"(?i)^error"}},
		classes,
	}
}

func liveKeys() []key {
	return []key{
		{name: "provider", doc: "Who is asked for the model, where its name does not say it.", of: line()},
		{name: "base_url", doc: "The address of the provider, where it is not the provider's own.", of: address()},
		{name: "api", doc: "Which of OpenAI's interfaces is used.", of: choice(model.APINames()...)},
		{name: "max_turns", doc: "How many replies of the model a live run takes at most.", of: wholeNumber(1), byDefault: 10},
		{name: "max_output_tokens", doc: "How many tokens a reply may have at most.", of: wholeNumber(1), byDefault: 4096},
		{name: "temperature", doc: "The temperature that the model is asked with.", of: numberUpTo(2)},
		{name: "deferred", doc: "No tool is in front of the model until a search returns it; `off` where a test is not to inherit that.", of: either(deferral(), matching("^off$"))},
		{name: "script", doc: "The recorded runs that `builtin:script` plays: a path relative to the suite.", of: text()},
	}
}

// deferral describes how deferred tools are found.
func deferral() *jsonschema.Schema {
	return object(
		key{name: "search", doc: "The client whose search it is.", of: choice(toolsearch.Names()...), required: true},
		key{name: "limit", doc: "How many tools a search returns at most; by default as many as the client's.", of: wholeNumber(1)},
	)
}

func address() *jsonschema.Schema { return matching(`^https?://.|\$\{`) }

func duration() *jsonschema.Schema {
	return matching(`^\+?(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+$`)
}

func log() *jsonschema.Schema {
	scalar := &jsonschema.Schema{Types: []string{"string", "number", "boolean"}}
	where := object(
		key{name: "prompt", doc: "The prompt of the runs; by default that of the test.", of: text()},
		key{name: "prompt_sha256", doc: "The SHA-256 of the prompt.", of: matching("^[0-9a-fA-F]{64}$")},
		key{name: "model", doc: "The model of the runs.", of: text()},
		key{name: "cwd", doc: "The folder in which the agent worked.", of: text()},
		key{name: "metadata", doc: "Metadata of the runs, by key; values are compared as they are written.", of: mapOf(scalar)},
	)
	where.PatternProperties[`^metadata\.`] = scalar
	return object(
		key{name: "path", doc: "A path, a glob or a list of them.", of: either(text(), oneOrMore(text())), required: true},
		key{name: "format", doc: "The format of the logs; `auto` recognises it.", of: choice(append([]string{imports.Auto}, imports.Names()...)...), byDefault: imports.Auto},
		key{name: "where", doc: "Which runs are judged: all that is given must be equal.", of: where},
		key{name: "split", doc: "`session`: a session is a run; `turn`: each message of the user, with what follows it, is a run.",
			of: choice(string(imports.SplitSession), string(imports.SplitTurn)), byDefault: string(imports.SplitSession)},
		key{name: "subagents", doc: "`leave-out`: the calls of sub-agents are not calls of the run.",
			of: choice(string(imports.SubagentsInclude), string(imports.SubagentsLeaveOut)), byDefault: string(imports.SubagentsInclude)},
		key{name: "builtins", doc: "As on a test, whose own value wins.", of: choice("apart", "count")},
	)
}

func runnerKey(isTest bool) key {
	k := key{name: "agent", doc: "A preset of a command-line agent, or a program of your own, that works on the prompt."}
	label := matching("^(" + strings.Join(agents.Names(), "|") + ")$")
	if isTest {
		k.doc += " Also an entry of `agents` whose keys this test inherits, or a label for recorded runs."
		label = text()
	}
	k.of = either(label, program())
	for _, name := range agents.Names() {
		k.examples = append(k.examples, name)
	}
	return k
}

func program() *jsonschema.Schema {
	s := object(
		key{name: "command", doc: "The program and its arguments. `${prompt}`, `${model}`, `${mcp_config}` and `${mcp_url.SERVER}` stand for those of the run.", of: command()},
		key{name: "preset", doc: "The preset of a command-line agent.", of: choice(agents.Names()...)},
		key{name: "output", doc: "The format of what the command writes: `text`, only its answer, or a format that `mcp-gates import` reads.", of: choice(append([]string{"text"}, imports.Names()...)...), byDefault: "text"},
		key{name: "args", doc: "Further arguments of a preset.", of: listOf(anyText())},
		key{name: "builtins", doc: "Whether the agent of a preset keeps its own tools.", of: choice("off", "on"), byDefault: "off"},
		key{name: "tool_search", doc: "Whether the agent of a preset finds tools by a search. `claude-code` can be asked for both, `codex` for `on`, the others for `off`.", of: choice("off", "on")},
		key{name: "timeout", doc: "How long a run may take, such as `90s`.", of: duration()},
		key{name: "env", doc: "Its environment, by name.", of: settings()},
		key{name: "home", doc: "`fresh`: an empty folder a run; `inherit`: that of the caller.", of: choice("fresh", "inherit"), byDefault: "fresh"},
		key{name: "cwd", doc: "The folder in which it works; by default an empty one a run.", of: text()},
		key{name: "version", doc: "The command whose output is the agent's version.", of: command()},
	)
	ofPreset := &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{"output": noValue()}}
	ofCommand := &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{"args": noValue(), "builtins": noValue(), "tool_search": noValue()}}
	s.If, s.Then, s.Else = &jsonschema.Schema{Required: []string{"preset"}}, ofPreset, ofCommand
	return s
}

func command() *jsonschema.Schema {
	s := oneOrMore(anyText())
	s.PrefixItems = []*jsonschema.Schema{text()}
	return s
}

func settings() *jsonschema.Schema {
	return mapOf(either(anyText(), environment()))
}

func servers() *jsonschema.Schema {
	none := listOf(noValue())
	return either(mapOf(server()), none)
}

func server() *jsonschema.Schema {
	source := either(text(), oneOrMore(text()))
	source.MaxItems = jsonschema.Ptr(20)
	token := key{name: "bearer_token_env", doc: "The environment variable that holds the token.", of: text(), required: true}
	return object(
		key{name: "catalog", doc: "What the server advertises: the path of a catalog, relative to the suite.", of: text()},
		key{name: "source", doc: "Where its tools are described: a file, a folder, a glob or a list of up to 20 of them, relative to the suite.", of: source},
		key{name: "command", doc: "The program and its arguments, of a server on standard input and output.", of: command(), examples: []any{[]any{"npx", "-y", "PACKAGE"}}},
		key{name: "url", doc: "The address, of a server over HTTP.", of: address()},
		key{name: "transport", doc: "`http`: streamable HTTP; `sse`: the older protocol.", of: choice("http", "sse"), byDefault: "http"},
		key{name: "env", doc: "The environment of the program, by name.", of: settings()},
		key{name: "headers", doc: "Headers of the requests, by name.", of: settings()},
		key{name: "auth", doc: "How requests are authorised.", of: object(token)},
		key{name: "cwd", doc: "The folder in which the program is started; by default that of the suite.", of: text()},
		key{name: "timeout", doc: "How long each request may take.", of: duration(), byDefault: "60s"},
		key{name: "wait_for_ready", doc: "How long connecting may take. Where it is given, connecting is tried again until then.", of: duration(), byDefault: "60s"},
		key{name: "reuse", doc: "One session may serve several runs.", of: boolean(), byDefault: false},
	)
}
