// Package suite reads suite files: the cases, the places of their evidence, and the gates that judge them.
//
// [Find] finds the suites of a workspace, and [Loader.Load] reads one of them, with every catalog that it names. Keys for live
// runs are read and checked, too. Their texts keep their ${variables}.
package suite

import (
	"crypto/sha256"
	"math/big"
	"slices"
	"time"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// Suite is a suite file, read and configured.
type Suite struct {
	File     string            // workspace-relative, with slashes
	SHA256   [sha256.Size]byte // hash of the file and of included files; zero unless the loader fills in settings
	Name     string
	Servers  []*Server // in file order; those of included files come first
	Cases    []*Case   // in file order: tests, then tool_quality, tool_bench and findability; the cases of a test have the order of its models
	Pricing  map[string]model.Price
	Catalogs []*Catalog    // catalogs that the suite names, except those that only beside: names; without repeats, sorted by path
	Warnings source.Errors // remarks that are not mistakes

	Rules gates.Rules // defaults.rules, for findings about a catalog without a tool_quality entry

	Variables []Variable // in file order; those of included files come first
	Secrets   []string   // values of Variables from the environment, without repeats and without Models; empty on a replay
	Models    []string   // values of Variables from the environment that are in the names of models, and so are not secret
	Budget    Budget
	Redact    Redact
	Settings  []judge.Setting // settings of the whole suite that change no verdict: budget and redact; nil unless the loader fills in settings
}

// Catalog is a catalog file that a suite names.
type Catalog struct {
	Name    string   // name of the first server, or of the first tool_quality, tool_bench or findability entry, that names it
	Path    string   // workspace-relative
	Server  string   // the first server whose catalog: names it; "" if only entries do
	Source  []string // Source of the first server with this catalog that has one; nil if none has
	Catalog *catalog.Catalog
	Rules   []AppliedRules // rules of its tool_quality entries, otherwise of defaults:
}

// AppliedRules are description rules that apply to a catalog.
type AppliedRules struct {
	gates.Rules
	Case string // id of the tool_quality entry that has the rules; "" for defaults:
}

// Judged reports whether the catalog has a tool_quality entry.
func (c *Catalog) Judged() bool { return len(c.Rules) > 0 && c.Rules[0].Case != "" }

// Tools returns the catalog with every tool under the server's name.
func (c *Catalog) Tools() *catalog.Catalog {
	return c.Catalog.Named(c.Server)
}

// Server is an MCP server that a suite declares.
type Server struct {
	Name     string
	Pos      source.Pos
	Snapshot *catalog.Catalog // tools of catalog:, every one under the server's name; nil if absent
	Source   []string         // globs of the files that describe its tools, workspace-relative; nil if absent
	Start    Start

	tools map[string]bool // names in Snapshot
}

// Start is the command or the address by which a live run reaches a server. Its texts still contain their ${variables}.
type Start struct {
	Command        []string // program and arguments of a server on standard input and output; nil if absent
	URL            string   // address of a server over HTTP; "" if absent
	Transport      string   // "http" or "sse"; "" if absent
	Env            []Setting
	Headers        []Setting
	BearerTokenEnv string        // environment variable that holds the token
	Cwd            string        // workspace-relative; "" if absent
	Timeout        time.Duration // 0 if absent
	WaitForReady   time.Duration // 0 if absent
	Reuse          bool          // one session may serve several runs
}

// Setting is a named value of a server's environment or headers.
type Setting struct {
	Name    string
	Literal string // contains its ${variables}; "" if the value comes from the environment
	Source  Env
}

// Env is a value that live runs read from the environment.
type Env struct {
	Name       string // of the environment variable; "" if absent
	Default    string
	HasDefault bool
}

// Variable is an entry of variables:.
type Variable struct {
	Name string
	Env
}

// Budget bounds the costs of live runs, in US cents; an unknown bound means no bound.
type Budget struct {
	PerTest, PerSuite trace.Count
}

// Redact configures the secrets that are removed from all output, in addition to the known ones.
type Redact struct {
	Keys     []string
	Patterns []string // RE2
	Allow    []string
}

// Kind is the kind of evidence that a case is evaluated on.
type Kind int

// These are the kinds of cases.
const (
	AgentTest   Kind = iota // runs of an agent, on one model
	ToolQuality             // a catalog
	ToolBench               // a description benchmark
	Findability             // a search for the tools of catalogs
	Foreign                 // a check of another program; it is left out
)

// Gate returns the name of the gate of ToolQuality, ToolBench or Findability; "" for the other kinds.
func (k Kind) Gate() string {
	return map[Kind]string{ToolQuality: toolQuality, ToolBench: toolBench, Findability: findability}[k]
}

// Case is a unit of judgement: a test on one model, an entry of tool_quality or tool_bench, or an entry of findability under
// one search.
type Case struct {
	Kind   Kind
	ID     string     // SUITE::NAME or SUITE::NAME::MODEL
	Name   string     // of the test
	Model  string     // "" if absent; in an entry of findability, the search
	Matrix bool       // the test has models:, so its rows are named NAME [MODEL]
	Pos    source.Pos // position of the entry's dash
	Row    source.Pos // position in the table that contains the case; zero outside a table

	Servers                    []*Server // those of ServerNames that are declared
	ServerNames                []string  // all servers that the test names, in its order; nil without servers:
	Prompt                     string    // with replaced variables
	SystemPrompt               string
	Recorded                   Texts // the texts whose hashes are in recordings
	HasPrompt, HasSystemPrompt bool
	NameFree                   bool       // the prompt promises to name no tool and no server
	PromptPos                  source.Pos // of prompt:
	Runs                       int        // the number of runs that the suite asks for, at least 1
	Tags                       []string
	Agent                      *Agent // the agent of the case; nil for the built-in loop
	Live                       Live

	Cassettes       []string   // workspace-relative paths or globs
	CassettePos     source.Pos // position of cassette:, or Pos without one
	DefaultCassette bool       // the case has no cassette:, so Cassettes has the default path
	Log             *Log       // settings for Cassettes that are logs of another program; nil for cassettes
	Builtins        string     // builtins: of the test; "" if absent
	AllowRunErrors  int
	StaleCatalog    StalePolicy

	Faults   []Fault   // faults that live runs put between the agent and its servers
	Deferred *Deferred // tool search in live runs of the built-in loop; nil if the model sees all tools at once

	Catalog     *catalog.Catalog // catalog of a case that judges one; nil if the server has no snapshot
	Files       []CatalogFile    // files of Catalog, in an entry of findability
	BesideFiles []CatalogFile    // likewise of Beside
	Beside      *catalog.Catalog // tools that compete with those of Catalog in a search; nil if there are none

	ErrorPattern *judge.Pattern // error_pattern: of the test: a matching result is an error for all gates; nil if absent

	Checks  []judge.Check
	Expect  judge.RunExpect // per run
	Members []judge.Member  // tools that gates name and that may be called: class members, expected tools, correct entries
	Listed  []judge.Member  // tools that gates or faults name and that need not be called
	Lost    []string        // names of Members and Listed that only [Loader.Had] knows, not today's snapshots

	// Settings has everything that can change the verdict, sorted by key; nil unless the loader fills in settings.
	Settings []judge.Setting

	// Mistakes are the mistakes of the case's entry, sorted. A case with mistakes has no gates and no evidence, and is an
	// error.
	Mistakes source.Errors
	LeftOut  *LeftOut // reason why no gate judges the case; nil if a gate does or only Mistakes prevent it
}

// CatalogFile is a file of tools that an entry of findability names.
type CatalogFile struct {
	Path   string
	Server string // server of the tools that do not name their own
}

// LeftOut is the reason why a case is not judged.
type LeftOut struct {
	Pos    source.Pos // of the reason
	Reason string
}

// IsJudged reports whether the gates judge the case: it has no mistakes, and is not left out.
func (c *Case) IsJudged() bool { return len(c.Mistakes) == 0 && c.LeftOut == nil }

// Texts are a case's prompts with every variable replaced by its default. The hashes in a recording are of these texts, so that
// a replay finds the recording whatever the environment contained.
type Texts struct {
	Prompt, SystemPrompt string
}

// Live has the settings that only live runs of a case need.
type Live struct {
	Script          string // path of the recorded runs that builtin:script plays; "" if absent
	Provider        string
	BaseURL         string    // contains its ${variables}
	API             model.API // "" if absent
	MaxTurns        int       // 0 if absent
	MaxOutputTokens int       // 0 if absent
	Temperature     *big.Rat  // nil if absent
}

// CountsBuiltins reports whether the gates judge calls of the agent's own tools like other calls. recorded is the cassette's
// setting.
func (c *Case) CountsBuiltins(recorded string) bool {
	if c.Builtins != "" {
		return c.Builtins == builtinsCount
	}
	if c.Log != nil && c.Log.Builtins != "" {
		return c.Log.Builtins == builtinsCount
	}
	return recorded == builtinsCount
}

// DisplayName returns the case's name in rows and lines: NAME, or NAME [MODEL] in a matrix.
func (c *Case) DisplayName() string {
	if c.Matrix {
		return c.Name + " [" + c.Model + "]"
	}
	return c.Name
}

// StalePolicy is the consequence of a difference between a recording and today's snapshots.
type StalePolicy string

// These are the policies. The default treats each kind of difference as docs/suite.md describes.
const (
	StaleDefault  StalePolicy = ""
	StaleFail     StalePolicy = "fail"
	StaleAffected StalePolicy = "affected"
	StaleWarn     StalePolicy = "warn"
	StaleIgnore   StalePolicy = "ignore"
)

// AtLeast returns the policy, or floor if floor is stricter. The floor is StaleFail, StaleAffected, or StaleDefault for no floor.
func (p StalePolicy) AtLeast(floor StalePolicy) StalePolicy {
	if floor == StaleFail || floor == StaleAffected && p != StaleFail {
		return floor
	}
	return p
}

// Startable reports whether a live run can reach the server.
func (s *Server) Startable() bool { return len(s.Start.Command) > 0 || s.Start.URL != "" }

// Snapshots returns today's tools of the case's servers; nil if no server has a snapshot.
func (c *Case) Snapshots() *catalog.Catalog { return snapshots(c.Servers) }

// Snapshots returns the tools of the suite's servers with these names; nil if none has a snapshot.
func (s *Suite) Snapshots(names []string) *catalog.Catalog {
	return snapshots(slices.DeleteFunc(slices.Clone(s.Servers), func(one *Server) bool { return !slices.Contains(names, one.Name) }))
}

func snapshots(servers []*Server) *catalog.Catalog {
	return catalog.Merge(lists.Map(servers, func(s *Server) *catalog.Catalog { return s.Snapshot })...)
}

// HasAllSnapshots reports whether every server of the case has a snapshot. It is false for a case without servers, because its
// current tools are unknown.
func (c *Case) HasAllSnapshots() bool {
	return len(c.Servers) > 0 && len(c.Servers) == len(c.ServerNames) && // if a server is not declared, ServerNames is longer
		!slices.ContainsFunc(c.Servers, func(server *Server) bool { return server.Snapshot == nil })
}

// Server returns the case's declared server with this name; nil if there is none.
func (c *Case) Server(name string) *Server {
	for _, server := range c.Servers {
		if server.Name == name {
			return server
		}
	}
	return nil
}

// IsRecordable reports whether the suite has everything that a live run of the case needs.
func (c *Case) IsRecordable() bool {
	return c.Log == nil && c.HasPrompt && (c.Model != "" || c.Agent != nil) && len(c.Servers) > 0 && len(c.Servers) == len(c.ServerNames) &&
		!slices.ContainsFunc(c.Servers, func(server *Server) bool { return !server.Startable() })
}
