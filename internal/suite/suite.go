// Package suite reads suite files: which cases there are, where their evidence stands, and which gates judge them.
//
// [Find] finds the suites of a workspace, and [Loader.Load] reads one, with every catalog that it names. Keys for live runs
// are read and checked, too. Their texts are kept as they are written, with their ${variables}.
package suite

import (
	"crypto/sha256"
	"math/big"
	"slices"
	"time"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// Suite is a suite file, read and configured.
type Suite struct {
	File     string            // workspace-relative, with slashes
	SHA256   [sha256.Size]byte // of the file's bytes, and of those of included files; zero unless the loader was asked for settings
	Name     string
	Servers  []*Server // in file order, those of included files first
	Cases    []*Case   // in file order: tests, then tool_quality, tool_bench and findability; the models of a test in its order
	Pricing  map[string]model.Price
	Catalogs []*Catalog    // every catalog that the suite names, once each, by path
	Warnings source.Errors // things that are not mistakes, but worth a look

	Rules gates.Rules // how findings are made where no tool_quality entry says so: rules: of defaults:

	Variables []Variable // in file order, those of included files first
	Secrets   []string   // values of Variables that were read from the environment, none twice, without Models; none on a replay
	Models    []string   // those of them that stand in the names of models, which are not secret
	Budget    Budget
	Redact    Redact
	Settings  []judge.Setting // of the whole suite, which bear on no verdict: budget and redact; nil unless the loader was asked for them
}

// Catalog is a catalog file that a suite names.
type Catalog struct {
	Name    string   // of the first server, tool_quality or tool_bench entry that names it
	Path    string   // workspace-relative
	Server  string   // that has it for its catalog:, the first of several; "" when only entries name it
	Source  []string // of the first server that has it and has a source:
	Catalog *catalog.Catalog
	Rules   []AppliedRules // how its findings are made: of its tool_quality entries, else of defaults:
}

// AppliedRules says how the description rules are applied to a catalog.
type AppliedRules struct {
	gates.Rules
	Case string // id of the tool_quality entry that says so; "" for defaults:
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
	Snapshot *catalog.Catalog // of catalog:, every tool under the server's name; nil when it has none
	Source   []string         // globs of the files that describe its tools, workspace-relative; none when it is not given
	Start    Start

	tools map[string]bool // names in Snapshot
}

// Start is how a live run reaches a server. Texts still hold their ${variables}.
type Start struct {
	Command        []string // program and arguments of a server on standard input and output; nil when there is none
	URL            string   // of a server over HTTP; "" when there is none
	Transport      string   // "http" or "sse" when it is given
	Env            []Setting
	Headers        []Setting
	BearerTokenEnv string        // environment variable that holds the token
	Cwd            string        // workspace-relative; "" when it is not given
	Timeout        time.Duration // 0 when it is not given
	WaitForReady   time.Duration // 0 when it is not given
	Reuse          bool          // one session may serve several runs
}

// Setting is a named value of a server's environment or headers.
type Setting struct {
	Name    string
	Literal string // holds its ${variables}; "" when the value comes from the environment
	Source  Env
}

// Env is a value that live runs read from the environment.
type Env struct {
	Name       string // of the environment variable; "" when there is none
	Default    string
	HasDefault bool
}

// Variable is an entry of variables:.
type Variable struct {
	Name string
	Env
}

// Budget bounds what live runs may spend, in US cents; an unknown bound is none.
type Budget struct {
	PerTest, PerSuite trace.Count
}

// Redact adds to what is taken for a secret in everything that is written.
type Redact struct {
	Keys     []string
	Patterns []string // RE2
	Allow    []string
}

// Kind says what a case is evaluated on.
type Kind int

// The kinds of cases.
const (
	AgentTest   Kind = iota // runs of an agent, on one model
	ToolQuality             // a catalog
	ToolBench               // a description benchmark
	Findability             // how well a search finds the tools of catalogs
	Foreign                 // a check of another program, which is left out
)

// Gate returns the gate that judges a catalog; "" for a test of an agent.
func (k Kind) Gate() string {
	return map[Kind]string{ToolQuality: toolQuality, ToolBench: toolBench, Findability: findability}[k]
}

// Case is one thing to judge: a test on one model, an entry of tool_quality or tool_bench, or one of findability under one search.
type Case struct {
	Kind   Kind
	ID     string     // SUITE::NAME or SUITE::NAME::MODEL
	Name   string     // of the test
	Model  string     // "" when there is none; of an entry of findability its search
	Matrix bool       // the test has models:, so that its rows are named NAME [MODEL]
	Pos    source.Pos // of the entry's dash
	Row    source.Pos // in the table that holds the case; zero for a case that is in none

	Servers                    []*Server // the declared ones that the test names, in its order
	ServerNames                []string  // all that the test names, in its order; nil when it says nothing of servers
	Prompt                     string    // variables replaced
	SystemPrompt               string
	Recorded                   Texts // whose hashes recordings hold
	HasPrompt, HasSystemPrompt bool
	NameFree                   bool       // the prompt promises to name no tool and no server
	PromptPos                  source.Pos // of prompt:
	Runs                       int        // asked for, at least 1
	Tags                       []string
	Agent                      *Agent // that runs the case; nil for the built-in loop
	Live                       Live

	Cassettes       []string   // workspace-relative paths or globs
	CassettePos     source.Pos // of cassette:, else Pos
	DefaultCassette bool       // Cassettes is the path that a case has when none is given
	Log             *Log       // how Cassettes are read where they are logs of another program; nil for cassettes
	Builtins        string     // builtins: of the test; "" when it is not given
	AllowRunErrors  int
	StaleCatalog    StalePolicy

	Faults   []Fault   // that live runs put between the agent and its servers
	Deferred *Deferred // how live runs of the built-in loop let the model find tools; nil where all are in front of it

	Catalog     *catalog.Catalog // of a case that judges one; nil when the server has no snapshot
	Files       []CatalogFile    // of Catalog, of an entry of findability
	BesideFiles []CatalogFile    // likewise of Beside
	Beside      *catalog.Catalog // whose tools compete with those of Catalog in a search; nil for none

	ErrorPattern *judge.Pattern // error_pattern: of the test: a result that matches is an error for all gates; nil when it has none

	Checks  []judge.Check
	Expect  judge.RunExpect // per run
	Members []judge.Member  // what the gates name: class members, expected tools, correct entries
	Listed  []judge.Member  // what they name besides, without a wish that it be called
	Lost    []string        // of Members and Listed, those that today's snapshots lack and [Loader.Had] knows, of any case

	// Settings is everything that bears on the verdict, sorted by key; nil unless the loader was asked for it.
	Settings []judge.Setting

	// Mistakes are those of the case's entry, sorted: with any, the case has no gates and no evidence, and is an error.
	Mistakes source.Errors
	LeftOut  *LeftOut // why no gate judges the case; nil where one does, or only Mistakes keep them from it
}

// CatalogFile is the file of tools that an entry of findability judges.
type CatalogFile struct {
	Path   string
	Server string // of its tools that name none
}

// LeftOut says why a case is not judged.
type LeftOut struct {
	Pos    source.Pos // of what is the reason
	Reason string
}

// IsJudged reports whether the gates judge the case: it has no mistakes, and is not left out.
func (c *Case) IsJudged() bool { return len(c.Mistakes) == 0 && c.LeftOut == nil }

// Texts are a case's prompts with every variable replaced by its default: what the hashes in a recording are of, so that
// a replay finds them again whatever the environment held.
type Texts struct {
	Prompt, SystemPrompt string
}

// Live is what only live runs of a case need.
type Live struct {
	Script          string // path of the recorded runs that builtin:script plays; "" when it is not given
	Provider        string
	BaseURL         string    // holds its ${variables}
	API             model.API // "" when it is not given
	MaxTurns        int       // 0 when it is not given
	MaxOutputTokens int       // 0 when it is not given
	Temperature     *big.Rat  // nil when it is not given
}

// CountsBuiltins reports whether the gates judge calls of the agent's own tools like others. recorded is what the cassette
// says.
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

// StalePolicy says what a difference between a recording and today's snapshots does.
type StalePolicy string

// The policies. The default treats each kind of difference as docs/suite.md says.
const (
	StaleDefault  StalePolicy = ""
	StaleFail     StalePolicy = "fail"
	StaleAffected StalePolicy = "affected"
	StaleWarn     StalePolicy = "warn"
	StaleIgnore   StalePolicy = "ignore"
)

// AtLeast returns the policy, or floor where that is stricter; an empty floor is none.
func (p StalePolicy) AtLeast(floor StalePolicy) StalePolicy {
	if floor == StaleFail || floor == StaleAffected && p != StaleFail {
		return floor
	}
	return p
}

// Startable reports whether a live run can reach the server.
func (s *Server) Startable() bool { return len(s.Start.Command) > 0 || s.Start.URL != "" }

// Snapshots returns the tools of the case's servers as they are today; nil when no server has a snapshot.
func (c *Case) Snapshots() *catalog.Catalog { return snapshots(c.Servers) }

// Snapshots returns the tools of the suite's servers of these names; nil when none has a snapshot.
func (s *Suite) Snapshots(names []string) *catalog.Catalog {
	return snapshots(slices.DeleteFunc(slices.Clone(s.Servers), func(one *Server) bool { return !slices.Contains(names, one.Name) }))
}

func snapshots(servers []*Server) *catalog.Catalog {
	cats := make([]*catalog.Catalog, len(servers))
	for i, server := range servers {
		cats[i] = server.Snapshot
	}
	return catalog.Merge(cats...)
}

// HasAllSnapshots reports whether every server of the case has a snapshot; false for a case without servers, of whose tools
// nobody knows what they are today.
func (c *Case) HasAllSnapshots() bool {
	return len(c.Servers) > 0 && len(c.Servers) == len(c.ServerNames) && // others are not declared
		!slices.ContainsFunc(c.Servers, func(server *Server) bool { return server.Snapshot == nil })
}

// Server returns the declared server of the case; nil where there is none of that name.
func (c *Case) Server(name string) *Server {
	for _, server := range c.Servers {
		if server.Name == name {
			return server
		}
	}
	return nil
}

// IsRecordable reports whether the suite gives everything that a live run of the case needs.
func (c *Case) IsRecordable() bool {
	return c.Log == nil && c.HasPrompt && (c.Model != "" || c.Agent != nil) && len(c.Servers) > 0 && len(c.Servers) == len(c.ServerNames) &&
		!slices.ContainsFunc(c.Servers, func(server *Server) bool { return !server.Startable() })
}
