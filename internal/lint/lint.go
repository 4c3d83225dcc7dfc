// Package lint judges how a catalog describes its tools: whether an agent that sees only names, descriptions and schemas
// knows what each tool does and how to call it.
//
// [Check] applies [Rules] to a [catalog.Catalog] and returns findings, scores and counts. It is a pure function of its
// input: no model, no clock, no file. There are three families. DESC rules read the descriptions, SCH rules the input
// schema, and MCP rules check the demands of the protocol and of widespread clients.
//
// A [Rule] is a value in the file of its family and a row of [Rules], with its documentation and two examples for the
// tests (Bad must have a finding, Good must not). Its Trial counts the correct ones among up to 100 findings in
// published catalogs: [PresetRecommended] requires 95 of 100. CONTRIBUTING.md says how to add one.
package lint

import (
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
)

// Severity is the weight of a finding. A greater severity is worse.
type Severity int

// The severities. Pass is the severity of the only finding of a tool without flaws; no rule has it.
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

// PassRule is the rule of the only finding of a tool without flaws.
const PassRule = "PASS"

// Rule looks for one flaw of tools. Exactly one of Check and CheckAll is set.
type Rule struct {
	ID       string   // DESC-001
	Severity Severity // unless a suite says otherwise
	Smell    string   // "" for the SCH and MCP families
	Reads    Reads    // the parts of a tool that it reads

	Title  string // the flaw, as a clause: "description is missing or under 20 characters"
	Why    string // Markdown: the reason for the rule, and its exact conditions
	Bad    string // a tool, or a list of tools, in JSON, with this finding
	Good   string // the tools of Bad, changed so that they have no finding
	Source string // the source of the rule
	Fix    string // a change that helps all tools at once, as a sentence without a period

	Scored      bool  // a part of the score measures the same property, so the findings lower the score
	Recommended bool  // the rule is in the preset [PresetRecommended]; critical rules always are
	Trial       Trial // the share of correct findings

	Check    func(*View, Report)               // checks one tool
	CheckAll func([]*View, func(*View) Report) // checks all tools of a catalog together
}

// Reads is the part of a tool that a rule reads. Every rule must have one, so the zero value is invalid.
type Reads int

const (
	Texts   Reads = iota + 1 // the name and the description, which every tool has
	Schemas                  // schemas or annotations are read, too: the rule is not applied to tools of a manifest
)

func (r *Rule) appliesTo(t *catalog.Tool) bool { return r.Reads == Texts || !t.SchemaUnknown }

// Trial counts the correct findings of a rule in published catalogs. docs/rules/precision.md explains how they were
// judged.
type Trial struct {
	Found  int // different findings in the catalogs
	Judged int // number of found findings that were drawn at random and judged
	Right  int // number of judged findings that are right
}

// isPrecise reports whether at least 95 of 100 of the judged findings were right, and some were judged.
func (t Trial) isPrecise() bool { return t.Judged > 0 && 100*t.Right >= 95*t.Judged }

func (r *Rule) family() string {
	family, _, _ := strings.Cut(r.ID, "-")
	return family
}

// Report takes the notes of a rule.
type Report func(Note)

// Note is one flaw that a rule found: the part of a [Finding] that only the rule's check knows.
type Note struct {
	AtName     bool     // the finding is about the tool or its name, not about its description
	Path       []string // path of its argument, a.b[].c as "a", "b", "[]", "c"; nil if it is not about an argument
	Message    string   // the flaw, quoted, and what was expected
	Suggestion string   // the better text; "" if that is not known
	Doubtful   bool     // fewer than 95 of 100 such findings are right; [PresetRecommended] does not show them
}

// Finding is a flaw of a tool, or the statement that the tool has none.
type Finding struct {
	Rule       string // or PassRule
	Severity   Severity
	Tool       *catalog.Tool
	Argument   string // a.b[].c; "" if it is not about an argument
	Message    string
	Suggestion string
	Doubtful   bool       // see [Note]
	Pos        source.Pos // position of its argument or description, otherwise of the tool's name
}

// Config adapts the rules to a project. The zero value applies all rules with their defaults.
type Config struct {
	Disable  map[string]bool     // rules that are not applied, by id
	Severity map[string]Severity // severities that replace the defaults, by id of the rule
	Ignore   []Ignore

	// Clients are presets of package agents. Rules about the limits of clients check these clients; if there are none, all
	// known clients.
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
	Index     int  // index of the entry in Config.Ignore
	KnownTool bool // the catalog has the tool, but not the finding
}

// Result holds the findings of [Check] in a catalog, with scores and counts.
type Result struct {
	Findings []Finding // worst first, then in the order of the tools and of Rules; of each severity the first 100,000

	Scores    []int // score of each tool, in the catalog's order, in 1/10000; NoScore if its schema is unknown
	Min, Mean int   // least score, and the mean rounded down; meaningless unless HasScores
	HasScores bool  // false for a catalog without tools, or with one that has no score

	Smells        map[string]int // findings by smell; a smell without findings is not in the map
	Counts        Counts
	UnusedIgnores []UnusedIgnore // entries in the order of Config.Ignore
}

// SmellTotal returns the number of findings of all smells.
func (r *Result) SmellTotal() int {
	total := 0
	for _, n := range r.Smells {
		total += n
	}
	return total
}

// Counts are numbers of findings by family and severity. Critical and Warning count the DESC rules.
type Counts struct {
	Critical, Warning                       int
	SchemaCritical, SchemaWarning           int
	ConformanceCritical, ConformanceWarning int
}
