package suite

// foreignKey is a key of mcptest's suites that has no counterpart of the same name here.
type foreignKey struct {
	where  string // foreignTop, foreignTest, foreignExpect or foreignServer
	key    string
	advice string // what to do
	judges bool   // of a key at the top: it holds checks, which are cases when they are left out
}

// Where foreign keys stand.
const (
	foreignTop    = "top level"
	foreignTest   = "test"
	foreignExpect = "expectation"
	foreignServer = "server"
)

// What is to be done about several keys.
const (
	adviceCalls    = `no verdict is asked of a model; expect something of "tool_calls" or "final_response", or try the gate "narrative"`
	adviceKeep     = "it tests a server, and not an agent; keep it in mcptest"
	adviceTools    = `one tool is not called by itself; a test of "agents" says which tools a prompt should lead to`
	adviceScore    = "each expectation must hold; there are no weights and no combined score"
	adviceCaching  = `recordings are what is kept: name them under "cassette"`
	adviceBaseline = `list "models" on a test, and compare with "run --baseline"`
)

// foreignKeys are the keys of mcptest's suites that its documentation shows and that suites do not have here. Each source is a page
// of https://mcptest.sh/docs: reference/config, capability-lanes, suite-composition, compositions, scenario-world, cache,
// url-targets, metamorphic-testing and the guide to evaluations.
var foreignKeys = []foreignKey{
	{foreignTop, "tools", adviceTools, true},
	{foreignTop, "evals", adviceCalls, true},
	{foreignTop, "compliance", adviceKeep, true},
	{foreignTop, "conformance", adviceKeep, true},
	{foreignTop, "security", adviceKeep + `; "lint" judges descriptions`, true},
	{foreignTop, "compositions", adviceKeep, true},
	{foreignTop, "scenarios", `record a run in the world of the scenario, and judge it with "trajectory", "tool_edges" or "golden_path"`, true},
	{foreignTop, "model_compat", adviceBaseline, true},
	{foreignTop, "coverage", `the gate "tool_edges" counts which of its "allowed" tools were called`, true},
	{foreignTop, "performance", `the gate "limits" has "max_duration"`, true},
	{foreignTop, "corpus", adviceKeep, true},
	{foreignTop, "model_compatibility", adviceBaseline, false},
	{foreignTop, "imports", "write the entries into this suite; several suites are checked in one run", false},
	{foreignTop, "fixtures", `write the errors as "faults" of a test, or start the mock server with "mock --fault"`, false},
	{foreignTop, "cache", adviceCaching, false},
	{foreignTop, "defaultTest", `write the keys under "defaults"`, false},
	{foreignTop, "run_options", `the expectation "tool_selection.certified_rate" takes few runs into account`, false},

	{foreignTest, "threshold", adviceScore, false},
	{foreignTest, "cache", adviceCaching, false},
	{foreignTest, "tool", adviceTools, false},
	{foreignTest, "args", adviceTools, false},
	{foreignTest, "rubric", adviceCalls, false},
	{foreignTest, "metamorphic", adviceKeep, false},
	{foreignTest, "setup", "start what a test needs before the run, in a step of its own", false},
	{foreignTest, "teardown", "stop what a test needs after the run, in a step of its own", false},
	{foreignTest, "effects", adviceCaching, false},

	{foreignExpect, "llm-judge", adviceCalls, false},
	{foreignExpect, "snapshot", `write the value itself, with "exact" or "contains"`, false},
	{foreignExpect, "weight", adviceScore, false},
	{foreignExpect, "assert-set", adviceScore, false},

	{foreignServer, "http", `the server's "timeout" and "wait_for_ready" bound how long it may take`, false},
	{foreignServer, "oauth", `fetch the token in a step before, and name its environment variable under "bearer_token_env"`, false},
	{foreignServer, "server_version", `a snapshot under "catalog" pins what the server offers`, false},
}

// foreignTypes are the values of type: of tests that are not of an agent.
var foreignTypes = []string{"tool", "resource", "prompt", "composition", "scenario", "eval"}

// findKey returns the row of a key at a place; nil when it is not one of mcptest's.
func findKey(where, key string) *foreignKey {
	for i := range foreignKeys {
		if row := &foreignKeys[i]; row.where == where && row.key == key {
			return row
		}
	}
	return nil
}
