// Package lint judges how a catalog describes its tools: whether an agent that sees only names, descriptions and schemas
// knows what each tool does and how to call it.
//
// [Check] applies [Rules] to a [catalog.Catalog] and returns findings, scores and counts. It is a pure function of its
// input: no model, no clock, no file. There are three families. DESC rules read the descriptions, SCH rules the input
// schema, and MCP rules check the demands of the protocol and of widespread clients.
//
// A [Rule] is a value in the file of its family and a row of [Rules], with its documentation and two examples that the tests try
// (Bad must be found, Good must not). Trial says how many of up to 100 of its findings in published catalogs were right:
// [PresetRecommended] takes 95 of 100. CONTRIBUTING.md says how to add one.
package lint

import (
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
)

// Severity is how bad a finding is. A higher one is worse.
type Severity int

// The severities. Pass is that of the one finding of a tool without any; no rule has it.
const (
	Pass Severity = iota
	Warning
	Critical
)

// String returns pass, warning or critical.
func (s Severity) String() string {
	switch s {
	case Pass:
		return "pass"
	case Warning:
		return "warning"
	case Critical:
		return "critical"
	}
	return fmt.Sprintf("severity %d", int(s))
}

// ParseSeverity returns the severity that a suite may give to a rule: warning or critical.
func ParseSeverity(word string) (Severity, bool) {
	switch word {
	case "warning":
		return Warning, true
	case "critical":
		return Critical, true
	}
	return Pass, false
}

// The smells, groups of DESC rules that suites can gate on.
const (
	Underspecified      = "underspecified"
	Verbose             = "verbose"
	Uninformative       = "uninformative"
	Brittle             = "brittle"
	MissingExamples     = "missing_examples"
	MissingReturnFormat = "missing_return_format"
	InvalidAnnotation   = "invalid_annotation"
	MissingAnnotations  = "missing_annotations"
)

// Smells lists the smells in the order in which reports show them.
var Smells = []string{
	Underspecified, Verbose, Uninformative, Brittle,
	MissingExamples, MissingReturnFormat, InvalidAnnotation, MissingAnnotations,
}

// PassRule stands in for the rule in the finding of a tool that has no other.
const PassRule = "PASS"

// Rule looks for one flaw of tools. Exactly one of Check and CheckAll is set.
type Rule struct {
	ID       string   // DESC-001
	Severity Severity // unless a suite says otherwise
	Smell    string   // "" for the SCH and MCP families
	Reads    Reads    // what of a tool it looks at

	Title  string // what is found, as a clause: "description is missing or under 20 characters"
	Why    string // Markdown: why it matters, and how exactly it is judged
	Bad    string // a tool, or a list of tools, in JSON, with this finding
	Good   string // the same without it
	Source string // where the rule comes from
	Fix    string // what to do once for all tools, as a sentence without a period

	Scored      bool  // a part of the score looks at the same thing, so that its findings lower the score
	Recommended bool  // it is in the preset [PresetRecommended]; a critical rule always is
	Trial       Trial // how often it is right

	Check    func(*View, Report)               // looks at one tool
	CheckAll func([]*View, func(*View) Report) // looks at all tools of a catalog
}

// Reads says what of a tool a rule looks at. Each rule has one of them, so that the zero value is none.
type Reads int

const (
	Texts   Reads = iota + 1 // the name and the description, which are known of every tool
	Schemas                  // also schemas or annotations: it is not applied to tools that stand in a manifest
)

func (r *Rule) appliesTo(t *catalog.Tool) bool { return r.Reads == Texts || !t.SchemaUnknown }

// Trial says how often findings of a rule in published catalogs were right. docs/rules/precision.md says how they were judged.
type Trial struct {
	Found  int // different findings in the catalogs
	Judged int // of these, drawn at random
	Right  int // of the judged ones
}

// isPrecise reports whether at least 95 of 100 of the judged findings were right, and some were judged.
func (t Trial) isPrecise() bool { return t.Judged > 0 && 100*t.Right >= 95*t.Judged }

func (r *Rule) family() string {
	family, _, _ := strings.Cut(r.ID, "-")
	return family
}

// Report takes the notes of a rule.
type Report func(Note)

// Note is one flaw that a rule found; the rest of a [Finding] is the same for every rule.
type Note struct {
	AtName     bool     // it is about the tool or its name, rather than about its description
	Path       []string // of the argument it is about, a.b[].c as "a", "b", "[]", "c"; nil when it is about none
	Message    string   // what was found, quoted, and what was expected
	Suggestion string   // what to write instead; "" when that is not known
	Doubtful   bool     // less than 95 times of 100 right, for what is missing may stand elsewhere; [PresetRecommended] does not show it
}

// Finding is a flaw of a tool, or the statement that it has none.
type Finding struct {
	Rule       string // or PassRule
	Severity   Severity
	Tool       *catalog.Tool
	Argument   string // a.b[].c, or "" when it is about none
	Message    string
	Suggestion string
	Doubtful   bool       // as of [Note]
	Pos        source.Pos // of the argument or the description that it is about, otherwise of the tool's name
}

// Config adapts the rules to a project. The zero value applies all of them as they are.
type Config struct {
	Disable  map[string]bool     // by rule
	Severity map[string]Severity // by rule
	Ignore   []Ignore

	// Clients are presets of package agents. Rules on what clients make of tools look at these, or at every known client where
	// there are none.
	Clients []string
}

func (c Config) severity(rule *Rule) Severity {
	if c.Disable[rule.ID] {
		return Pass
	}
	if s, ok := c.Severity[rule.ID]; ok {
		return s
	}
	return rule.Severity
}

// Ignore drops the findings of one rule about one tool.
type Ignore struct {
	Rule   string
	Tool   string // name, or server.name
	Reason string
}

// UnusedIgnore is an entry of Config.Ignore that dropped nothing.
type UnusedIgnore struct {
	Index     int  // in Config.Ignore
	KnownTool bool // the catalog has the tool: only the finding has gone
}

// Result is what [Check] found in a catalog.
type Result struct {
	Findings []Finding // worst first, then in the order of the tools and of Rules; of each severity the first 100,000 that were made

	Scores    []int // of each tool, in the catalog's order, in 1/10000; NoScore where its schema is not known
	Min, Mean int   // of Scores, the mean rounded down; meaningless unless HasScores
	HasScores bool  // false for a catalog without tools, or with one that has no score

	Smells        map[string]int // findings by smell; a smell without findings is not in the map
	Counts        Counts
	UnusedIgnores []UnusedIgnore // in the order of Config.Ignore
}

// SmellTotal returns the findings of all smells.
func (r *Result) SmellTotal() int {
	total := 0
	for _, n := range r.Smells {
		total += n
	}
	return total
}

// Counts are findings by family and severity. Critical and Warning are those of the DESC rules.
type Counts struct {
	Critical, Warning                       int
	SchemaCritical, SchemaWarning           int
	ConformanceCritical, ConformanceWarning int
}
