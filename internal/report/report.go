// Package report holds the results of a check, and of its comparison with a base: the types that all renderings read, the
// words that they share, the verdict of the whole, and JSON. Package compare compares two reports; text and markdown are
// renderings, one package each. No rendering decides anything: verdicts and figures are there before it begins.
package report

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/judge"
)

// Version of the JSON report's contract.
const Version = 1

// Where the runs of a report come from.
const (
	Replay = "replay" // recordings
	Live   = "live"   // servers and models that were run for it
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
	Unread   []string      `json:"unread,omitempty"` // suites that could not be read for their mistakes, sorted
	Cases    []Case        `json:"cases"`            // by suite, then in file order
	Catalogs []Catalog     `json:"catalogs"`         // by path
	Baseline *Comparison   `json:"baseline"`         // nil when nothing was compared

	// Refused is why the change is refused, whatever the cases' verdicts are; none unless something was demanded of it.
	Refused []Refusal `json:"refused,omitempty"`

	// Executables are what the suites have live runs execute, by suite; none unless settings were asked for.
	Executables []Executable `json:"executables,omitempty"`

	// SuiteSettings are what the suites may spend and redact, by suite; none unless settings were asked for.
	SuiteSettings []SuiteSetting `json:"suite_settings,omitempty"`

	Complexity []Complexity `json:"complexity,omitempty"` // by name; none when no case says how complex its task is

	Shard *Shard `json:"shard,omitzero"` // which part of a check this is; nil for a whole one

	Affected *AffectedSuites `json:"affected,omitzero"` // where only the suites that the change touches were checked; else nil

	JudgedRun int `json:"judged_run,omitzero"` // the run of each case that was judged alone; 0 for all runs

	Chosen *Chosen `json:"chosen,omitzero"` // what left cases or suites out; nil where all are there

	// Servers are those that the suites declare, in their order.
	Servers []DeclaredServer `json:"-"`

	// Outdated are the tools whose snapshots are older than the code, and Uncovered the globs of source: that leave out code which
	// those of the base have. They are in the JSON of the comparison.
	Outdated  []OutdatedTool `json:"-"`
	Uncovered []Weakening    `json:"-"`

	// Incomplete says that shards are missing, or are not of one check: nothing is to be compared.
	Incomplete bool `json:"-"`

	Flags []string `json:"flags,omitempty"` // of run, or as inputs of the action, that decide the outcome: of [Deciding], in its order

	Invocation *Invocation `json:"invocation,omitzero"` // what else was asked for; nil where nothing was

	Words []WordsRow `json:"-"` // of cases with a prompt; nil unless they were asked for

	Sparklines Sparklines `json:"-"` // how figures went; nil unless they were asked for
}

// DeclaredServer is a server that a suite declares.
type DeclaredServer struct {
	Name    string
	Path    string // of the file that declares it
	Line    int
	Catalog string // the path of the catalog of its tools; "" for none
}

// Optional is a text that may be absent: JSON null when it is empty.
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
	Build   string `json:"build,omitzero"` // the commit that it was built from or, of go install, the checksum of the module; not there where it is not known
}

// IsSameBuild reports whether both are one build of the program. Two of unknown commits may be any, and count as two.
func (t Tool) IsSameBuild(other Tool) bool { return t == other && t.Build != "" }

// BuildName is the commit or the checksum, with its noun.
func (t Tool) BuildName() string {
	switch {
	case t.Build == "":
		return "commit unknown"
	case strings.HasPrefix(t.Build, "h1:"):
		return "module " + t.Build
	}
	return "commit " + t.Build
}

// Title is the program with its version and the beginning of its commit or checksum.
func (t Tool) Title() string {
	const short = 12 // digits of a commit that are enough to find it
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
	Critical int `json:"critical"` // DESC findings over all catalogs
	Warning  int `json:"warning"`
}

// Problem is something wrong at a place in a user's file.
type Problem struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	Message string `json:"message"`
}

// Case is one judged case.
type Case struct {
	ID        string         `json:"id"`
	Suite     string         `json:"suite"`
	Name      string         `json:"name"`       // the test's, without its model
	Model     Optional       `json:"model"`      // null when there is none
	ModelNote Optional       `json:"model_note"` // what answered, where that was no model; else null
	Line      int            `json:"line"`
	Verdict   judge.Verdict  `json:"verdict"`
	Err       *judge.Problem `json:"error"`
	Cassettes []string       `json:"cassettes"` // workspace-relative paths that were read
	Runs      Runs           `json:"runs"`
	Tokens    *Tokens        `json:"tokens"`     // nil when no scored run has tokens
	TokenNote Optional       `json:"token_note"` // what the agent's tokens are, where no provider counts them; else null
	CostUSD   Optional       `json:"cost_usd"`   // six decimals; null when no run has a cost
	Gates     []judge.Result `json:"gates"`
	Expect    []RunAssertion `json:"expect"`
	Rows      []Row          `json:"rows"`

	// Timelines are the calls of the runs, of a case that does not pass and whose rows do not say all about them: which call
	// failed, was made again, how long it took or who made it.
	Timelines []Timeline `json:"timelines,omitempty"`

	// Shown are the calls of the runs that were asked for, whatever the verdict, where Timelines does not have them.
	Shown []Timeline `json:"-"`

	Cut *CaseCut `json:"cut,omitzero"` // what is left out, because the runs are many; nil for nothing

	ToolSelection *judge.SelectionEvidence `json:"tool_selection,omitzero"` // nil without such a gate, or a run for it to judge

	Settings   []Setting   `json:"settings"`   // what the suite says about how the case is judged, by key
	Recordings []Recording `json:"recordings"` // of Cassettes, in their order

	// Kind is the gate that judges a catalog, tool_quality or tool_bench, and Catalog the path of that catalog; both are
	// "" for a test of an agent, and Catalog for tools without a file of their own.
	Kind    string `json:"kind,omitempty"`
	Catalog string `json:"catalog,omitempty"`

	Freshness *Freshness `json:"freshness,omitzero"` // nil for a case that judges a catalog, for live runs, and in older reports
	ByWords   *ByWords   `json:"by_words,omitzero"`  // nil where the words lead to a right tool, or never did

	Builtins []BuiltinCalls `json:"builtins,omitempty"` // calls of the agent's own tools, which the gates do not see

	// RenewedBy says how newer evidence is made: ByImport or ByLogs; "" where runs are recorded.
	RenewedBy Optional `json:"renewed_by,omitzero"`

	Unrecordable bool `json:"-"` // the suite does not give what a live run needs

	// Again says that the case is to be recorded again: its evidence is affected, broken, unknown, missing, short or refused.
	Again bool `json:"-"`

	Base *BaseJudgement `json:"-"` // how the base's suite judges the same evidence; nil unless that was asked for

	// Own is the judgement by the change's own suite of a case to which the base's, which differs, gave the verdict; nil where no other suite
	// than the change's own judged it.
	Own     *OwnJudgement `json:"own,omitzero"`
	Removed bool          `json:"removed,omitzero"` // only the base has the case, whose suites judge

	LeftOut Optional `json:"left_out,omitzero"` // why no gate judges the case, whatever its evidence: HasMistakes, it has none, or it has what only another program knows

	Partial bool `json:"partial,omitzero"` // only a part of its recording is there, to which --resume adds the missing runs

	Complexity Optional `json:"complexity,omitzero"` // of the task, as the suite has it: serial or parallel
}

// The values of [Case.RenewedBy].
const (
	ByImport = "import" // of a log of another program
	ByLogs   = "logs"   // that another program writes where the case reads them
)

// HasMistakes is [Case.LeftOut] of a case whose entry in the suite has mistakes.
const HasMistakes = "its entry in the suite has mistakes"

// BuiltinCalls counts the calls of a tool of the agent itself, such as its shell.
type BuiltinCalls struct {
	Tool  string `json:"tool"`
	Calls int    `json:"calls"`
	Runs  int    `json:"runs"` // in which it was called
}

// Setting is one thing that the suite says about how a case is judged, and that can turn a failure into a pass.
type Setting struct {
	Key   string `json:"key"` // such as runs, equal_function_sets.classes["fetch"].members, equal_function_sets.expect.tool_selection.f1
	Value string `json:"value"`
	File  string `json:"file,omitempty"` // that holds it, where that is not the suite's: an included one
	Line  int    `json:"line"`           // in File, else in the suite
}

// SuiteSetting is one thing that a suite says as a whole, and that bears on no verdict.
type SuiteSetting struct {
	Suite string `json:"suite"`
	Key   string `json:"key"` // such as redact.allow or budget.per_test_usd_cents
	Value string `json:"value"`
	Line  int    `json:"line"` // in the suite
}

// Recording is a cassette that was read.
type Recording struct {
	Path     string   `json:"path"`
	SHA256   Optional `json:"sha256"` // of its bytes; null unless it was asked for, or when it could not be read
	Runs     int      `json:"runs"`
	Recorder Optional `json:"recorder"` // who says to have written it
	Hashed   bool     `json:"hashed"`   // it says which prompt and which catalog it was recorded for
	Keeps    []string `json:"keeps"`    // of model, agent, prompt, system_prompt, catalog and servers those that it names or has the hash of
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
	Median int64 `json:"median"` // of an even count, the lower of the two in the middle
	Max    int64 `json:"max"`
}

// RunAssertion is a judged per-run expectation.
type RunAssertion struct {
	Run int `json:"run"`
	judge.Assertion
}

// Row is one run of a case. Verdict is that of its per-run expectations: pass when there is none, error for a run
// that did not finish, skipped for one that is there for the curve alone. Rows of one case share what they have in
// common: a case can have a hundred thousand.
type Row struct {
	Run     int           `json:"run"`
	Name    string        `json:"name"` // NAME #3, in a matrix NAME [MODEL] #3
	Verdict judge.Verdict `json:"verdict"`
	Called  []string      `json:"called"`               // qualified ids, each once, in order of first call
	More    int           `json:"more_called,omitzero"` // how many tools more it called, which the report leaves out
	Tokens  *int64        `json:"tokens"`
	Err     Optional      `json:"error"` // why the run did not finish

	*RowSelection // of a run that tool_selection judges: else nil
}

// RowSelection is what tool_selection found in a run, as [judge.SelectionRun] has it.
type RowSelection struct {
	Selected   bool  `json:"selected"`
	OverBudget *bool `json:"over_budget"` // nil where there is a budget and the run has no tokens
}

// Suites returns the paths of the suites. The catalog of a server that was asked for its tools stands where the server is
// declared, perhaps with others.
func (r *Report) Suites() map[string]bool {
	suites := map[string]bool{}
	for i := range r.Cases {
		suites[r.Cases[i].Suite] = true
	}
	return suites
}

// HasSuites reports whether the cases are of several suites, so that each has to name its own.
func (r *Report) HasSuites() bool {
	return slices.ContainsFunc(r.Cases, func(c Case) bool { return c.Suite != r.Cases[0].Suite })
}
