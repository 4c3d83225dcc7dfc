// Package report holds the results of a check, and of its comparison with a base: the types that all renderings read, the words
// that they share, the verdict of the whole report, and JSON. Package compare compares two reports. Each rendering, such as
// text or markdown, is a package. Renderings decide nothing: verdicts and figures are complete before they begin.
package report

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
)

// Version is the version of the JSON report's contract.
const Version = 1

// A report's runs come from one of these sources.
const (
	Replay = "replay" // recordings
	Live   = "live"   // servers and models were run for the report
)

// Report is what one check found. Its JSON form is a contract, documented in docs/report.md.
type Report struct {
	Version  int           `json:"report"`
	Tool     Tool          `json:"tool"`
	Mode     string        `json:"mode"` // Replay or Live
	Verdict  judge.Verdict `json:"verdict"`
	Counts   Counts        `json:"counts"`
	Problems []Problem     `json:"problems"`         // mistakes in users' files, sorted
	Warnings []Problem     `json:"warnings"`         // sorted
	Unread   []string      `json:"unread,omitempty"` // suites that could not be read because of their mistakes, sorted
	Cases    []Case        `json:"cases"`            // sorted by suite; in a suite in file order
	Catalogs []Catalog     `json:"catalogs"`         // ordered by path
	Baseline *Comparison   `json:"baseline"`         // the comparison with the base; nil if nothing was compared

	// Refused lists the reasons why the change is refused, whatever the verdicts of the cases. It is empty if no demand was
	// made.
	Refused []Refusal `json:"refused,omitempty"`

	// Executables lists what live runs of the suites execute, by suite. It is empty unless settings were asked for.
	Executables []Executable `json:"executables,omitempty"`

	// SuiteSettings lists what the suites may spend and redact, by suite. It is empty unless settings were asked for.
	SuiteSettings []SuiteSetting `json:"suite_settings,omitempty"`

	Complexity []Complexity `json:"complexity,omitempty"` // sorted by name; empty if no case has a complexity

	Shard *Shard `json:"shard,omitzero"` // which part of a check the report covers; nil for a whole check

	Affected *AffectedSuites `json:"affected,omitzero"` // the suites that the change touches, if only these were checked; else nil

	JudgedRun int `json:"judged_run,omitzero"` // the number of the run that was judged alone in each case; 0 for all runs

	Chosen *Chosen `json:"chosen,omitzero"` // what left cases or suites out; nil if the report covers all

	// Servers are the servers that the suites declare, in order.
	Servers []DeclaredServer `json:"-"`

	// Outdated are the tools whose snapshots are older than the code. Uncovered are the globs of source: that leave out code
	// which the base's globs cover. Both are written as a part of the comparison.
	Outdated  []OutdatedTool `json:"-"`
	Uncovered []Weakening    `json:"-"`

	// Incomplete means that shards are missing or belong to different checks, so the report must not be compared.
	Incomplete bool `json:"-"`

	Flags []string `json:"flags,omitempty"` // flags or inputs of the action that decide the outcome, in the order of [Deciding]

	Invocation *Invocation `json:"invocation,omitzero"` // further arguments of the check; nil if there were none

	Words []WordsRow `json:"-"` // rows of the cases with a prompt; nil unless asked for

	Sparklines Sparklines `json:"-"` // lines of figures over time; nil unless asked for
}

// DeclaredServer is a server that a suite declares.
type DeclaredServer struct {
	Name    string
	Path    string // path of the file that declares the server
	Line    int
	Catalog string // path of the catalog with its tools; "" for none
}

// Optional is a text that may be absent. In JSON, an empty text is null.
type Optional string

// MarshalJSON writes the text, or null when it is empty.
func (o Optional) MarshalJSON() ([]byte, error) {
	if o == "" {
		return []byte("null"), nil
	}
	return jsontext.AppendQuote(nil, strings.ToValidUTF8(string(o), "\uFFFD"))
}

// Tool names the program that made the report.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Build   string `json:"build,omitzero"` // the commit of the build or, with go install, the checksum of the module; absent if unknown
}

// IsSameBuild reports whether t and other are the same build of the program. Builds of unknown commits count as different.
func (t Tool) IsSameBuild(other Tool) bool { return t == other && t.Build != "" }

// BuildName returns the commit or the checksum, with its noun.
func (t Tool) BuildName() string {
	switch {
	case t.Build == "":
		return "commit unknown"
	case strings.HasPrefix(t.Build, "h1:"):
		return "module " + t.Build
	}
	return "commit " + t.Build
}

// Title returns the program's name with its version and the beginning of its commit or checksum.
func (t Tool) Title() string {
	const short = 12 // number of digits of a commit that is shown
	noun, build, _ := strings.Cut(t.BuildName(), " ")
	return t.Name + " " + t.Version + " (" + noun + " " + build[:min(short, len(build))] + ")"
}

// Counts are the figures of the report as a whole.
type Counts struct {
	Cases    int `json:"cases"`
	Passed   int `json:"passed"`
	Failed   int `json:"failed"`
	Errors   int `json:"errors"`
	Skipped  int `json:"skipped"`
	Critical int `json:"critical"` // description findings over all catalogs
	Warning  int `json:"warning"`
}

// Problem is a fault at a place in a user's file.
type Problem struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	Message string `json:"message"`
}

// Case is the result of one case.
type Case struct {
	ID        string         `json:"id"`
	Suite     string         `json:"suite"`
	Name      string         `json:"name"`       // name of the test, without its model
	Model     Optional       `json:"model"`      // null if there is none
	ModelNote Optional       `json:"model_note"` // a note on the agent if it is not a model; else null
	Line      int            `json:"line"`
	Verdict   judge.Verdict  `json:"verdict"`
	Err       *judge.Problem `json:"error"`
	Cassettes []string       `json:"cassettes"` // workspace-relative paths of the cassettes that were read
	Runs      Runs           `json:"runs"`
	Tokens    *Tokens        `json:"tokens"`     // nil if no scored run has tokens
	TokenNote Optional       `json:"token_note"` // a note on the agent's tokens if no provider counts them; else null
	CostUSD   Optional       `json:"cost_usd"`   // six decimals; null if no run has a cost
	Gates     []judge.Result `json:"gates"`
	Expect    []RunAssertion `json:"expect"`
	Rows      []Row          `json:"rows"`

	// Timelines are the calls of the runs, for a case that does not pass. They are set only if the rows lack something: which
	// call failed or was repeated, how long it took, or which agent made it.
	Timelines []Timeline `json:"timelines,omitempty"`

	// Shown are the calls of the runs that were asked for, whatever the verdict. Runs in Timelines are left out.
	Shown []Timeline `json:"-"`

	Cut *CaseCut `json:"cut,omitzero"` // what is left out because there are many runs; nil if nothing is left out

	ToolSelection *judge.SelectionEvidence `json:"tool_selection,omitzero"` // nil without this gate, or without a run that it judges

	Settings   []Setting   `json:"settings"`   // settings by which the suite judges the case, sorted by key
	Recordings []Recording `json:"recordings"` // recordings in the order of Cassettes

	// Kind is the gate that judges a catalog: tool_quality or tool_bench. Catalog is the path of that catalog. Both are "" for
	// a test of an agent. Catalog is also "" for tools without a file of their own.
	Kind    string `json:"kind,omitempty"`
	Catalog string `json:"catalog,omitempty"`

	Freshness *Freshness `json:"freshness,omitzero"` // nil for a case that judges a catalog, for live runs, and in older reports
	ByWords   *ByWords   `json:"by_words,omitzero"`  // nil if the words find a right tool now, or found none in the base

	Builtins []BuiltinCalls `json:"builtins,omitempty"` // calls of the agent's own tools that the gates do not see

	// RenewedBy says how newer evidence is made: ByImport or ByLogs; "" if runs are recorded.
	RenewedBy Optional `json:"renewed_by,omitzero"`

	Unrecordable bool `json:"-"` // the suite lacks something that a live run needs

	// Again means that the case is to be recorded again, because its evidence is affected, broken, unknown, missing, short or
	// refused.
	Again bool `json:"-"`

	Base *BaseJudgement `json:"-"` // the judgement of the same evidence by the base's suite; nil unless asked for

	// Own is the judgement by the change's own suite. It is set if the base's suite differs and gave the verdict.
	Own     *OwnJudgement `json:"own,omitzero"`
	Removed bool          `json:"removed,omitzero"` // only the base has the case, and the base's suites judge it

	// why no gate judges the case: HasMistakes, no gates, or data that only another program understands
	LeftOut Optional `json:"left_out,omitzero"`

	Partial bool `json:"partial,omitzero"` // the recording lacks runs, which --resume adds

	Complexity Optional `json:"complexity,omitzero"` // complexity of the task in the suite: serial or parallel
}

// These are the values of [Case.RenewedBy].
const (
	ByImport = "import" // imported from a log of another program
	ByLogs   = "logs"   // read from logs that another program writes to a place that the case names
)

// HasMistakes is [Case.LeftOut] of a case whose entry in the suite has mistakes.
const HasMistakes = "its entry in the suite has mistakes"

// BuiltinCalls counts the calls of an agent's own tool, such as its shell.
type BuiltinCalls struct {
	Tool  string `json:"tool"`
	Calls int    `json:"calls"`
	Runs  int    `json:"runs"` // number of runs with such a call
}

// Setting is a setting by which a suite judges a case; a change of it can turn a failure into a pass.
type Setting struct {
	Key   string `json:"key"` // for example runs, equal_function_sets.classes["fetch"].members
	Value string `json:"value"`
	File  string `json:"file,omitempty"` // included file that contains Line; "" for the suite itself
	Line  int    `json:"line"`           // line in File, or in the suite without File
}

// SuiteSetting is a setting of a whole suite that changes no verdict.
type SuiteSetting struct {
	Suite string `json:"suite"`
	Key   string `json:"key"` // for example redact.allow or budget.per_test_usd_cents
	Value string `json:"value"`
	Line  int    `json:"line"` // line in the suite
}

// Recording is a cassette that was read.
type Recording struct {
	Path     string   `json:"path"`
	SHA256   Optional `json:"sha256"` // hash of the recording's bytes; null unless asked for, or if the file could not be read
	Runs     int      `json:"runs"`
	Recorder Optional `json:"recorder"` // recorder that the recording names
	Hashed   bool     `json:"hashed"`   // the recording has hashes of its prompt and its catalog
	Keeps    []string `json:"keeps"`    // facts with a value or a hash, of model, agent, prompt, system_prompt, catalog and servers
}

// Runs counts the runs of a case.
type Runs struct {
	Recorded int `json:"recorded"`
	Scored   int `json:"scored"`
	Errors   int `json:"errors"` // runs that did not finish
}

// Tokens sums up the tokens of the scored runs that have them.
type Tokens struct {
	Total  int64 `json:"total"`
	Median int64 `json:"median"` // if the count is even, the lower of the two middle values
	Max    int64 `json:"max"`
}

// RunAssertion is a judged expectation on one run.
type RunAssertion struct {
	Run int `json:"run"`
	judge.Assertion
}

// Row is one run of a case. Verdict is the verdict of the expectations on this run: pass without expectations, error if the run
// did not finish, skipped if the run is only for the curve. Rows of one case share equal values, because a case can have a
// hundred thousand rows.
type Row struct {
	Run     int           `json:"run"`
	Name    string        `json:"name"` // NAME #3; in a matrix NAME [MODEL] #3
	Verdict judge.Verdict `json:"verdict"`
	Called  []string      `json:"called"`               // qualified ids without repeats, in the order of the first call
	More    int           `json:"more_called,omitzero"` // number of further called tools that the report leaves out
	Tokens  *int64        `json:"tokens"`
	Err     Optional      `json:"error"` // why the run did not finish; null if it did

	*RowSelection // nil if tool_selection does not judge the run
}

// RowSelection is the result of tool_selection for a run, see [judge.SelectionRun].
type RowSelection struct {
	Selected   bool  `json:"selected"`
	OverBudget *bool `json:"over_budget"` // nil if there is a budget and the run has no tokens
}

// Suites returns the paths of the suites that have cases in the report.
func (r *Report) Suites() map[string]bool {
	return lists.SetOf(r.Cases, func(c Case) string { return c.Suite })
}

// HasSuites reports whether the cases belong to several suites. Then each case is shown with its suite.
func (r *Report) HasSuites() bool {
	return slices.ContainsFunc(r.Cases, func(c Case) bool { return c.Suite != r.Cases[0].Suite })
}
