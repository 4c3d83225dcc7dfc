package describe

import (
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
)

// The names of definitions about tests.
const (
	testDef     = "test"
	agentDef    = "agent"
	envDef      = "env"
	blockPrefix = "gate_" // followed by the gate's name
)

// catalogGates judge a catalog. A suite has a list of its own for each of them, outside of its tests.
var catalogGates = []*judge.Gate{gates.ToolQuality, gates.ToolBench, gates.Findability}

// suite describes a suite file. [suite.Loader] reads it.
func suite() *jsonschema.Schema {
	s := object(
		schemaKey(),
		key{name: "name", doc: "The name of the suite; by default the file's name without its ending.", of: line()},
		key{name: "min_version", doc: "The oldest release of mcp-gates that may check the suite.", of: release()},
		key{name: "include", doc: "Files whose `servers`, `pricing`, `variables` and `defaults` the suite has, too, relative to its own.", of: texts()},
		key{name: "extends", doc: "One file, as in `include`.", of: text()},
		key{name: "servers", doc: "The MCP servers, by name. Where it declares any, every server that is named must be declared.", of: servers()},
		key{name: "agents", doc: "The cases, and agents whose keys `tests` inherit.", of: listOf(ref(agentDef))},
		key{name: "tests", doc: "The cases.", of: listOf(ref(testDef))},
		key{name: "tool_quality", doc: "Catalogs whose tools are held against the description rules.", of: listOf(ref(blockPrefix + gates.ToolQuality.Name))},
		key{name: "tool_bench", doc: "Catalogs whose descriptions are tried on requests of users.", of: listOf(ref(blockPrefix + gates.ToolBench.Name))},
		key{name: "findability", doc: "Catalogs whose tools clients are to find by their search.", of: listOf(ref(blockPrefix + gates.Findability.Name))},
		key{name: "defaults", doc: "Any key of a test, used where the test does not give it.", of: defaults()},
		key{name: "variables", doc: "Names for `${name}` in texts.", of: variables()},
		key{name: "pricing", doc: "Dollars per million tokens, by model; used for runs that recorded no cost.", of: mapOf(price())},
		key{name: "budget", doc: "How much live runs may cost.", of: budget()},
		key{name: "redact", doc: "What else is a secret in what live runs write, and what is not.", of: redacted()},
	)
	s.Title = "A suite of mcp-gates"
	s.Defs = map[string]*jsonschema.Schema{testDef: test(true), agentDef: test(false), envDef: environment()}
	for _, g := range gates.All {
		s.Defs[blockPrefix+g.Name] = block(g)
	}
	defineExpectations(s.Defs, gates.All)
	return s
}

// schemaKey is the key by which editors find a file's schema. The readers of the file skip it.
func schemaKey() key {
	return key{name: "$schema", doc: "The address or path of this schema, for editors.", of: anyValue()}
}

func release() *jsonschema.Schema {
	s := text()
	s.Pattern = `^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$`
	return s
}

// line describes a name, which reports show in one line.
func line() *jsonschema.Schema {
	s := text()
	s.MaxLength = jsonschema.Ptr(1000)
	return s
}

func variables() *jsonschema.Schema {
	s := mapOf(noValue())
	s.PatternProperties = map[string]*jsonschema.Schema{"^[A-Za-z_][A-Za-z0-9_.-]*$": ref(envDef)}
	return s
}

func environment() *jsonschema.Schema {
	s := object(
		key{name: "from_env", doc: "The environment variable that live runs read.", of: text()},
		key{name: "default", doc: "The value on a replay, and where the environment has none.", of: anyText()},
	)
	s.AnyOf = []*jsonschema.Schema{{Required: []string{"from_env"}}, {Required: []string{"default"}}}
	return s
}

func price() *jsonschema.Schema {
	return object(
		key{name: "input", doc: "Dollars per million tokens of input.", of: number(0), required: true},
		key{name: "output", doc: "Dollars per million tokens of output.", of: number(0), required: true},
	)
}

func budget() *jsonschema.Schema {
	return object(
		key{name: "per_test_usd_cents", doc: "Whole cents that the live runs of one test may cost.", of: wholeNumber(0)},
		key{name: "per_suite_usd_cents", doc: "Whole cents that the live runs of the suite may cost.", of: wholeNumber(0)},
	)
}

func redacted() *jsonschema.Schema {
	return object(
		key{name: "keys", doc: "Keys whose values are secrets.", of: texts()},
		key{name: "patterns", doc: "Regular expressions (RE2) of secrets.", of: texts()},
		key{name: "allow", doc: "Texts that are not secrets, whatever they look like.", of: texts()},
	)
}

func defaults() *jsonschema.Schema {
	keys := slices.DeleteFunc(testKeys(true), func(k key) bool { return k.name == "name" || k.name == "type" })
	return object(append(keys, keyOf(gates.ToolQuality, "rules"))...)
}

func keyOf(g *judge.Gate, name string) key {
	keys := keysOf(g.Keys, g)
	return keys[slices.IndexFunc(keys, func(k key) bool { return k.name == name })]
}
