// Package trace holds what agents did: runs, and the tool calls of each. It reads recorded runs (cassettes) as a
// stream and writes them; live runs end in the same types, so that a gate cannot distinguish the two.
//
// [Read] takes a cassette in any of the shapes in which people keep runs: a cassette object, one bare run, an array of
// runs, or one run a line (JSON Lines). The whole file is checked, but only the parts in [Keep] are built in memory. [Write]
// writes the one canonical shape.
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

// Trace is the evidence of one case: its runs, and the tools that the agent was offered.
type Trace struct {
	Header

	// Runs are in the order recorded, those that did not finish included.
	Runs []Run

	// Others are scored runs that the gates do not judge, such as those at other points of a distractor curve. Reading
	// leaves it empty.
	Others []Run

	// Catalog lists the tools that the runs saw, injected distractors included: the recorded ones, else those of the
	// suite's snapshots; nil when neither is there.
	Catalog *catalog.Catalog

	// Current lists the tools of the case's servers today, as their snapshots have them; nil when no server has one.
	// Reading leaves it nil.
	Current *catalog.Catalog

	// Surface is the cl100k count of what the judged runs were offered of Catalog, and CurrentSurface that of the servers'
	// snapshots of today. They are filled in only for gates that ask for them (judge.NeedTokens).
	Surface, CurrentSurface Count

	// ToolTokens are the cl100k counts of the tools of Catalog, in its order; nil unless Surface is known and a gate
	// that judges a catalog asks.
	ToolTokens []int64

	// InstructionsTokens is the cl100k count of the servers' instructions; unknown where a catalog does not keep them, and unless a gate
	// that judges a catalog asks.
	InstructionsTokens Count

	// Deferral is what the judged runs saw where tools were deferred; nil where none was. Reading leaves it nil.
	Deferral *Deferral

	// InPlace says that the runs are from logs of another program, which were read where they stand.
	InPlace bool

	// Logged is the format of the logs that were read where they stand; "" where there are several.
	Logged string

	// Sources are the cassettes that were read, in order; none for a live run.
	Sources []Source

	// BuiltinsApart says that gates see calls of [BuiltinServer] only where they name them. Reading leaves it false.
	BuiltinsApart bool

	// Competing is what a case on finding tools looks at besides Catalog; nil for any other.
	Competing *Competing

	// FailedCost is the sum of what runs that did not finish cost, in micro-dollars: they are not judged, but paid for.
	// Reading leaves it unknown.
	FailedCost Count
}

// Competing holds the catalogs that a case on finding tools looks at besides its own.
type Competing struct {
	Beside     *catalog.Catalog // whose tools compete; nil for none
	Base       *catalog.Catalog // the case's own catalog in the base; nil without one
	BaseBeside *catalog.Catalog
	NoBase     string // why there is no Base, where there is none
	MostWork   int    // bounds intents × tools of both sides, where there is a Base; 0 for no bound
}

// Source is a cassette that a trace was read from.
type Source struct {
	File     string
	Runs     int      // in this file, those that did not finish included
	Recorder string   // the program that wrote it; "" when it does not say
	Hashed   bool     // it has the hashes of the prompt and of the catalog that it was recorded for
	Keeps    []string // see [Header.Keeps]
	Sealed   bool     // it holds a catalog, and the hash that the catalog had when it was recorded
}

// Header is the part of a cassette above the runs.
type Header struct {
	Test               string `json:"test,omitzero"`
	Model              string `json:"model,omitzero"`
	Provider           string `json:"provider,omitzero"`
	ProviderModel      string `json:"provider_model,omitzero"` // as the provider names the model that answered; "" when not recorded
	RecordedAt         string `json:"recorded_at,omitzero"`
	Recorder           string `json:"recorder,omitzero"`
	PromptSHA256       string `json:"prompt_sha256,omitzero"` // lower-case hex, as the others; "" when not recorded
	SystemPromptSHA256 string `json:"system_prompt_sha256,omitzero"`
	CatalogSHA256      string `json:"catalog_sha256,omitzero"`
	Agent              string `json:"agent,omitzero"`        // the program that made the runs: a preset, or its command as the suite writes it; "" for the built-in loop
	AgentSHA256        string `json:"agent_sha256,omitzero"` // of "agent" as the suite writes it
	AgentRun           string `json:"agent_run,omitzero"`    // how it was run: AgentBlind, AgentCwd and AgentHome as far as they hold, between blanks
	AgentVersion       string `json:"agent_version,omitzero"`
	ToolSearch         string `json:"tool_search,omitzero"` // SearchOn or SearchOff where the suite asked the agent for it; see [Header.Searches]
	Builtins           string `json:"builtins,omitzero"`    // BuiltinsCount where the calls of BuiltinServer count like others; "" otherwise

	Faults []fault.Fault `json:"faults,omitempty"` // that were put between the agent and its servers, as the suite has them; see [Header.KeepsFaults]

	Recorded    *catalog.Catalog `json:"catalog,omitzero"`     // the catalog in the cassette; nil when it has none
	Distractors []catalog.Ref    `json:"distractors,omitzero"` // the injected tools, in order; nil when not recorded

	// Deferred are the tools that were not in front of the model until a search returned them, as far as the recording names
	// them: those of which it has more than the name are in Recorded, too. It is nil when no tool was deferred, and empty
	// where some were and none is known.
	Deferred   []catalog.Ref `json:"deferred,omitzero"`
	DeferredBy string        `json:"deferred_by,omitzero"` // how the built-in loop had tools found, as the suite asked for it; "" where it deferred none
}

// The values of ToolSearch.
const (
	SearchOn  = "on"
	SearchOff = "off"
)

// Searches reports whether the agent kept tools from its model until a search returned them: it was asked to, or its log shows it.
func (h *Header) Searches() bool { return h.ToolSearch == SearchOn || h.Deferred != nil }

// The facts that a header can keep about how the runs were made.
const (
	KeepsModel        = "model"
	KeepsAgent        = "agent" // the program of one's own that made the runs
	KeepsPrompt       = "prompt"
	KeepsSystemPrompt = "system_prompt"
	KeepsCatalog      = "catalog" // the tools that the agent was offered
	KeepsServers      = "servers" // these, each with its server
)

// Keeps lists what the header records of how the runs were made, by name or by hash: today's suite is compared with it.
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

// PromptSHA256 returns the hash of a prompt or a system prompt as recordings have it, in lower-case hex.
func PromptSHA256(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Split returns the runs that are scored, and those that failed to finish, each in the order recorded.
func (t *Trace) Split() (scored, failed []Run) {
	n := 0
	for i := range t.Runs {
		if unfinished(&t.Runs[i]) {
			n++
		}
	}
	switch n { // there can be a million, which are not to be held twice
	case 0:
		return t.Runs, nil
	case len(t.Runs):
		return nil, t.Runs
	}
	scored, failed = make([]Run, 0, len(t.Runs)-n), make([]Run, 0, n)
	for i := range t.Runs {
		if run := &t.Runs[i]; unfinished(run) {
			failed = append(failed, *run)
		} else {
			scored = append(scored, *run)
		}
	}
	return scored, failed
}

func unfinished(run *Run) bool { return run.Error != "" }

// Run is one run of an agent.
type Run struct {
	Number int        // from 1, in the order recorded
	Pos    source.Pos // the line of the cassette on which the run begins, without column; zero for a live run
	Calls  []Call

	Input, Output, Total Count // tokens, as recorded; see Tokens
	Cost                 Count // micro-dollars, as recorded
	Duration             Count // milliseconds

	Extra *Extra // nil when nothing of it was recorded

	// Offered is how many of the trace's distractors this run was offered, from the start of the list; unknown: all.
	Offered Count

	// Error says why the run did not finish: the provider or the harness broke. Such a run is not scored.
	Error string

	StopReason    string
	FinalResponse string // empty unless asked for (KeepAnswers)
	HasFinal      bool   // whether a final response was recorded; false unless asked for (KeepAnswers)
	Turns         []Turn // nil unless asked for (KeepTurns, KeepUsage)

	// DroppedReplies is how many turns of the model were read and not kept; see Replies.
	DroppedReplies int

	// ResponseTokens is the cl100k count of FinalResponse, filled in only where an expectation asks for it.
	ResponseTokens Count
}

// Extra is what few recordings hold of a run. It is kept apart, because a recording can have a million runs.
type Extra struct {
	CacheRead, CacheWrite Count        // tokens of the run's Input that the provider read from its cache, and wrote to it
	Delegations           []Delegation // in order; nil when none was recorded
}

// Value returns what is there, nothing for nil.
func (e *Extra) Value() Extra {
	if e == nil {
		return Extra{}
	}
	return *e
}

// NeedExtra returns the run's Extra, which it makes where the run has none, to write to it.
func (r *Run) NeedExtra() *Extra {
	if r.Extra == nil {
		r.Extra = &Extra{}
	}
	return r.Extra
}

// Replies returns how many turns are the model's. A run without any has none recorded, because the model did reply.
func (r *Run) Replies() Count {
	n := r.DroppedReplies
	for i := range r.Turns {
		if r.Turns[i].isReply() {
			n++
		}
	}
	return Count{N: int64(n), Known: n > 0}
}

// DropTurns drops the turns, but for the count of the model's.
func (r *Run) DropTurns() { r.DroppedReplies, r.Turns = int(r.Replies().N), nil }

// Tokens returns the tokens of the run: the recorded total, else input and output when both are there, else unknown.
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
	Content string // JSON text when the recording held something other than text; "" unless asked for (KeepTurns)

	Input, Output, Total Count // tokens of the reply; unknown for a message that is none
}

// Tokens returns the tokens of the turn: the recorded total, else input and output when both are there, else unknown.
func (t *Turn) Tokens() Count {
	if t.Total.Known || !t.Input.Known || !t.Output.Known {
		return t.Total
	}
	return Known(t.Input.N + t.Output.N)
}

// Call is one tool call. A trace can hold hundreds of thousands of calls, so that what only some gates read stands in
// Detail.
type Call struct {
	Tool   *Tool
	Args   ArgsState
	Failed bool    // is_error is true, or error is present and not null, false, "" or {}
	Names  *Names  // of its arguments, shared by calls; nil for none, and unless asked for (KeepTimelines without KeepArgs)
	Detail *Detail // nil unless something in it was asked for (KeepArgs, KeepResults), the call met a fault, or it searched for tools
}

// Tool is what a call named. Equal tools of one trace share a pointer, so that a *Tool can key a map.
type Tool struct {
	catalog.Ref
}

// ArgsState says what a call's arguments were.
type ArgsState uint8

// The states of a call's arguments.
const (
	ArgsEmpty     ArgsState = iota // absent, the empty string or {}
	ArgsObject                     // a JSON object with a member, or a string that holds one
	ArgsMalformed                  // anything else: null, an array, a string that holds no JSON object
	ArgsUnknown                    // the recording does not keep arguments, so that nothing is known of them
)

// Detail is the part of a call that only some gates read, or only a report shows.
type Detail struct {
	Args     jsontext.Value // the JSON object of the arguments, without white space; nil when empty or malformed, and unless asked for (KeepArgs)
	Result   string         // the result's text, or JSON text when it was something else; "" unless asked for (KeepResults)
	Error    string         // likewise of the error; KeepResults
	Duration Count          // milliseconds; KeepResults or KeepTimelines
	Agent    string         // the sub-agent that made the call; "" for the main agent; KeepResults or KeepTimelines
	Witness  string         // what saw the call, where it is not the whole of the recording: WitnessProxy or WitnessProgram; KeepResults
	Fault    string         // the kind of the fault that was put in the call's way, as package fault names it; "" for none; always kept
	Search   *Search        // of a call of BuiltinServer that searched for tools, or loaded them by name; nil for another call; always kept
}

// Search is a call by which the model asked for tools that were not in front of it.
type Search struct {
	Query  string        // what it asked; "" where the recording does not keep it
	Pool   Count         // how many tools were deferred then, the client's own included
	ByName bool          // it named the tools that it loads, and searched for none
	Tools  []catalog.Ref // what was returned, in its order; nil where the recording does not keep it
}

// BuiltinsCount says that the calls of an agent's own tools count like others.
const BuiltinsCount = "count"

// The witnesses of a call of a program of one's own.
const (
	WitnessProxy   = "proxy"   // only the proxy between the program and the server
	WitnessProgram = "program" // only the program's own output or log
)

// BuiltinServer is the server of an agent's own tools, such as a shell, in recordings of other programs' logs. A suite
// that declares a server of that name means that server.
const BuiltinServer = "builtin"

// Arguments returns the JSON object of the call's arguments, or nil when they are empty or malformed, or were not
// asked for.
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

// Result returns the text of the call's result, or "" when there is none or it was not asked for.
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

// Keep says which parts of a cassette are kept in memory.
type Keep uint8

// The parts that are skipped unless they are asked for.
const (
	KeepArgs      Keep = 1 << iota // arguments of calls
	KeepResults                    // results of calls
	KeepTurns                      // conversation turns
	KeepAnswers                    // final responses
	KeepUsage                      // conversation turns without their content
	KeepTimelines                  // durations of calls, the sub-agents that made them, and the names of their arguments
)
