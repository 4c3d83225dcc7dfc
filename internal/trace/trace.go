// Package trace has the types for runs of agents and their tool calls. It reads recorded runs (cassettes) as a stream and
// writes them. Live runs use the same types, so that a gate cannot distinguish the two.
//
// [Read] reads a cassette in any of the common shapes of runs: a cassette object, one bare run, an array of runs, or one run
// per line (JSON Lines). The whole file is checked, but only the parts in [Keep] are built in memory. [Write] writes the
// canonical shape.
package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/source"
)

// Trace is the evidence of one case: its runs, and the tools that the agent was offered. [Read] leaves Others, Current, Deferral,
// BuiltinsApart and FailedCost empty: the evaluation of the case fills them in.
type Trace struct {
	Header

	// Runs are in recorded order, including those that did not finish.
	Runs []Run

	// Others are scored runs that the gates do not judge, such as those at other points of a distractor curve.
	Others []Run

	// Catalog lists the tools that the runs saw, including injected distractors: the recorded tools, otherwise those of the
	// suite's snapshots; nil if there are neither.
	Catalog *catalog.Catalog

	// Current lists the current tools of the case's servers, from their snapshots; nil if no server has a snapshot.
	Current *catalog.Catalog

	// Surface is the cl100k count of the tools of Catalog that the judged runs were offered, and CurrentSurface that of the
	// servers' current snapshots. They are filled in only for gates that ask for them (judge.NeedTokens).
	Surface, CurrentSurface Count

	// ToolTokens are the cl100k counts of the tools of Catalog, in its order; nil unless Surface is known and a gate that
	// judges a catalog asks for them.
	ToolTokens []int64

	// InstructionsTokens is the cl100k count of the servers' instructions; unknown unless catalogs keep them and a gate that
	// judges a catalog asks for it.
	InstructionsTokens Count

	// Deferral counts what the judged runs with deferred tools saw; nil if no tool was deferred.
	Deferral *Deferral

	// InPlace means that the runs come from logs of another program that were not imported, but read directly.
	InPlace bool

	// Logged is the format of the logs that were read directly; "" if there are no such logs, or several formats.
	Logged string

	// Sources are the cassettes that were read, in order; none for a live run.
	Sources []Source

	// BuiltinsApart hides calls of [BuiltinServer] from gates that do not name them.
	BuiltinsApart bool

	// Competing has the other catalogs of a case on finding tools; nil for any other case.
	Competing *Competing

	// FailedCost is the total cost of runs that did not finish, in micro-dollars: they are not judged, but paid for.
	FailedCost Count
}

// Competing has the catalogs that a case on finding tools uses in addition to its own.
type Competing struct {
	Beside     *catalog.Catalog // competing tools; nil for none
	Base       *catalog.Catalog // the case's own catalog in the base; nil without one
	BaseBeside *catalog.Catalog // competing tools in the base; nil for none
	NoBase     string           // reason why Base is nil; "" if there is a Base
	MostWork   int              // bound on intents × tools in head and base, if there is a Base; 0 for no bound
}

// Source is a cassette that a trace was read from.
type Source struct {
	File     string
	Runs     int      // number of runs in this file, including those that did not finish
	Recorder string   // the program that wrote the cassette; "" if unknown
	Hashed   bool     // the cassette has the hashes of its prompt and of its catalog
	Keeps    []string // see [Header.Keeps]
	Sealed   bool     // the cassette has a catalog, and the hash of the catalog at the time of recording
}

// Header is the part of a cassette above the runs.
type Header struct {
	Test               string `json:"test,omitzero"`
	Model              string `json:"model,omitzero"`
	Provider           string `json:"provider,omitzero"`
	ProviderModel      string `json:"provider_model,omitzero"` // the provider's name for the model that answered; "" if not recorded
	RecordedAt         string `json:"recorded_at,omitzero"`
	Recorder           string `json:"recorder,omitzero"`
	PromptSHA256       string `json:"prompt_sha256,omitzero"` // lower-case hex, like the other hashes; "" if not recorded
	SystemPromptSHA256 string `json:"system_prompt_sha256,omitzero"`
	CatalogSHA256      string `json:"catalog_sha256,omitzero"`
	Agent              string `json:"agent,omitzero"`        // a preset, or the program's command as in the suite; "" for the built-in loop
	AgentSHA256        string `json:"agent_sha256,omitzero"` // hash of "agent" as it is in the suite
	AgentRun           string `json:"agent_run,omitzero"`    // the words of AgentBlind, AgentCwd and AgentHome that apply, separated by spaces
	AgentVersion       string `json:"agent_version,omitzero"`
	ToolSearch         string `json:"tool_search,omitzero"` // SearchOn or SearchOff if the suite asked the agent for it; see [Header.Searches]
	Builtins           string `json:"builtins,omitzero"`    // BuiltinsCount if calls of BuiltinServer count like other calls; "" otherwise

	Faults []fault.Fault `json:"faults,omitempty"` // faults between the agent and its servers, as in the suite; see [Header.KeepsFaults]

	Recorded    *catalog.Catalog `json:"catalog,omitzero"`     // the catalog in the cassette; nil if there is none
	Distractors []catalog.Ref    `json:"distractors,omitzero"` // the injected tools, in order; nil if not recorded

	// Deferred are the tools that the model did not see until a search returned them, as far as the recording names them. Tools
	// with a known definition are also in Recorded. It is nil if no tool was deferred, and empty if the deferred tools are
	// unknown.
	Deferred   []catalog.Ref `json:"deferred,omitzero"`
	DeferredBy string        `json:"deferred_by,omitzero"` // the tool search of the built-in loop, as in the suite; "" if it deferred no tools
}

// The values of ToolSearch.
const (
	SearchOn  = "on"
	SearchOff = "off"
)

// Searches reports whether the agent hid tools from its model until a search returned them: the suite asked for it, or the log
// shows it.
func (h *Header) Searches() bool { return h.ToolSearch == SearchOn || h.Deferred != nil }

// The facts that a header can have about the origin of the runs.
const (
	KeepsModel        = "model"
	KeepsAgent        = "agent" // the user's program that made the runs
	KeepsPrompt       = "prompt"
	KeepsSystemPrompt = "system_prompt"
	KeepsCatalog      = "catalog" // the tools that the agent was offered
	KeepsServers      = "servers" // the server of each tool that the agent was offered
)

// Keeps lists the facts that the header records about the origin of the runs, by name or by hash. They are compared with the
// current suite.
func (h *Header) Keeps() []string {
	noServer := func(t *catalog.Tool) bool { return t.Server == "" }
	hasTools := h.Recorded != nil && len(h.Recorded.Tools) > 0
	var list []string
	for _, one := range []struct {
		name string
		kept bool
	}{
		{KeepsModel, h.Model != ""},
		{KeepsAgent, h.AgentSHA256 != ""},
		{KeepsPrompt, h.PromptSHA256 != ""},
		{KeepsSystemPrompt, h.SystemPromptSHA256 != ""},
		{KeepsCatalog, h.Recorded != nil},
		{KeepsServers, hasTools && !slices.ContainsFunc(h.Recorded.Tools, noServer)},
	} {
		if one.kept {
			list = append(list, one.name)
		}
	}
	return list
}

// PromptSHA256 returns the hash of a prompt or a system prompt in the form of recordings, in lower-case hex.
func PromptSHA256(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Split returns the runs that are scored, and those that did not finish, each in recorded order.
func (t *Trace) Split() (scored, failed []Run) {
	n := 0
	for i := range t.Runs {
		if isUnfinished(&t.Runs[i]) {
			n++
		}
	}
	switch n { // a million runs should not be held twice
	case 0:
		return t.Runs, nil
	case len(t.Runs):
		return nil, t.Runs
	}
	scored, failed = make([]Run, 0, len(t.Runs)-n), make([]Run, 0, n)
	for i := range t.Runs {
		if run := &t.Runs[i]; isUnfinished(run) {
			failed = append(failed, *run)
		} else {
			scored = append(scored, *run)
		}
	}
	return scored, failed
}

func isUnfinished(run *Run) bool { return run.Error != "" }

// Run is one run of an agent.
type Run struct {
	Number int        // number of the run, counted from 1 in recorded order
	Pos    source.Pos // the line of the cassette on which the run begins, without column; zero for a live run
	Calls  []Call

	Input, Output, Total Count // tokens, as recorded; see Tokens
	Cost                 Count // micro-dollars, as recorded
	Duration             Count // milliseconds

	Extra *Extra // nil if none of its values was recorded

	// Offered is the number of the trace's distractors that this run was offered, from the start of the list; unknown means
	// all.
	Offered Count

	// Error is the reason why the run did not finish: the provider or the harness broke. Such a run is not scored.
	Error string

	StopReason    string
	FinalResponse string // empty unless asked for (KeepAnswers)
	HasFinal      bool   // whether a final response was recorded; false unless asked for (KeepAnswers)
	Turns         []Turn // nil unless asked for (KeepTurns, KeepUsage)

	// DroppedReplies is the number of the model's turns that were read but not kept; see Replies.
	DroppedReplies int

	// ResponseTokens is the cl100k count of FinalResponse, filled in only if an expectation asks for it.
	ResponseTokens Count
}

// Extra has the values of a run that few recordings have. It is a separate type because a recording can have a million runs.
type Extra struct {
	CacheRead, CacheWrite Count        // tokens of the run's Input that the provider read from its cache, and wrote to it
	Delegations           []Delegation // delegations in order; nil if none was recorded
}

// Value returns the values, or empty ones for nil.
func (e *Extra) Value() Extra {
	if e == nil {
		return Extra{}
	}
	return *e
}

// NeedExtra returns the run's Extra for writing, and creates it if needed.
func (r *Run) NeedExtra() *Extra {
	if r.Extra == nil {
		r.Extra = &Extra{}
	}
	return r.Extra
}

// Replies returns the number of turns of the model. It is unknown if the run has none, because the model must have replied.
func (r *Run) Replies() Count {
	n := r.DroppedReplies
	for i := range r.Turns {
		if r.Turns[i].isReply() {
			n++
		}
	}
	return Count{N: int64(n), Known: n > 0}
}

// DropTurns drops the turns, and keeps the number of the model's turns.
func (r *Run) DropTurns() { r.DroppedReplies, r.Turns = int(r.Replies().N), nil }

// Tokens returns the tokens of the run: the recorded total, otherwise the sum of input and output if both are known, otherwise
// unknown.
func (r *Run) Tokens() Count {
	if r.Total.Known || !r.Input.Known || !r.Output.Known {
		return r.Total
	}
	return Known(r.Input.N + r.Output.N)
}

// Delegation is work that one agent handed to another.
type Delegation struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Turn is one message of a conversation.
type Turn struct {
	Role    string
	Content string // JSON text if the recording has a value other than text; "" unless asked for (KeepTurns)

	Input, Output, Total Count // tokens of the reply; unknown for a message that is not a reply
}

// Tokens returns the tokens of the turn: the recorded total, otherwise the sum of input and output if both are known, otherwise
// unknown.
func (t *Turn) Tokens() Count {
	if t.Total.Known || !t.Input.Known || !t.Output.Known {
		return t.Total
	}
	return Known(t.Input.N + t.Output.N)
}

// Call is one tool call. Values that only some gates read are in Detail, because a trace can have hundreds of thousands of
// calls.
type Call struct {
	Tool   *Tool
	Args   ArgsState
	Failed bool    // is_error is true, or error is present and not null, false, "" or {}
	Names  *Names  // argument names, shared by calls; kept only with KeepTimelines and without KeepArgs; nil if the call has no arguments
	Detail *Detail // nil unless a part of it was asked for (KeepArgs, KeepResults), the call met a fault, or it searched for tools
}

// Tool is the tool that a call named. Equal tools of one trace share a pointer, so that a *Tool can be the key of a map.
type Tool struct {
	catalog.Ref
}

// ArgsState is the state of a call's arguments.
type ArgsState uint8

// The states of a call's arguments.
const (
	ArgsEmpty     ArgsState = iota // absent, the empty string or {}
	ArgsObject                     // a JSON object with a member, or a string that contains one
	ArgsMalformed                  // anything else: null, an array, a string that does not contain a JSON object
	ArgsUnknown                    // the recording does not keep arguments
)

// Detail is the part of a call that only some gates read, or that only a report shows.
type Detail struct {
	Args     jsontext.Value // the JSON object of the arguments, without white space; nil if empty, malformed or not asked for (KeepArgs)
	Result   string         // the result's text, or JSON text for another value; "" if empty, not recorded or not asked for (KeepResults)
	Error    string         // the error's text, or JSON text for another value; "" unless asked for (KeepResults)
	Duration Count          // milliseconds; unknown unless asked for (KeepResults or KeepTimelines)
	Agent    string         // the sub-agent that made the call; "" for the main agent, or without KeepResults and KeepTimelines
	Witness  string         // the only observer of the call: WitnessProxy or WitnessProgram; "" for others, or without KeepResults
	Fault    string         // the kind of the fault that the call met, in the words of package fault; "" for none; always kept
	Search   *Search        // the search for tools, or their loading by name, in a call of BuiltinServer; nil for another call; always kept
}

// Search is a call by which the model asked for tools that it did not see.
type Search struct {
	Query  string        // "" if the recording does not keep it
	Pool   Count         // number of tools that were deferred at the time, including the client's own
	ByName bool          // the call named the tools to load instead of searching
	Tools  []catalog.Ref // the returned tools, in order; nil if the recording does not keep them
}

// BuiltinsCount means that calls of an agent's own tools count like other calls.
const BuiltinsCount = "count"

// The observers of a call of the user's program.
const (
	WitnessProxy   = "proxy"   // only the proxy between the program and the server saw it
	WitnessProgram = "program" // only the program's own output or log has it
)

// BuiltinServer is the server of an agent's own tools, such as a shell, in recordings of other programs' logs. If a suite
// declares a server with this name, the name means that server.
const BuiltinServer = "builtin"

// Arguments returns the JSON object of the call's arguments, or nil if they are empty or malformed, or were not asked for.
func (c *Call) Arguments() jsontext.Value {
	if c.Detail == nil {
		return nil
	}
	return c.Detail.Args
}

// Search returns the call as a search for tools; nil for another call.
func (c *Call) Search() *Search {
	if c.Detail == nil {
		return nil
	}
	return c.Detail.Search
}

// Result returns the text of the call's result, or "" if there is none or it was not asked for.
func (c *Call) Result() string {
	if c.Detail == nil {
		return ""
	}
	return c.Detail.Result
}

// Count is a number that may not have been recorded.
type Count struct {
	N     int64
	Known bool
}

// Known returns a recorded number.
func Known(n int64) Count { return Count{n, true} }

// Keep selects the parts of a cassette that are kept in memory.
type Keep uint8

// The parts that are skipped unless asked for.
const (
	KeepArgs      Keep = 1 << iota // arguments of calls
	KeepResults                    // results of calls
	KeepTurns                      // conversation turns
	KeepAnswers                    // final responses
	KeepUsage                      // conversation turns without their content
	KeepTimelines                  // durations of calls, the sub-agents that made them, and the names of their arguments
)
