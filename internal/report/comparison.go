package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/lists"
)

// Comparison is the difference between a report and the report of its base. It holds everything that renderings show of the base.
type Comparison struct {
	Base    Base      `json:"base"`
	Totals  [2]Totals `json:"totals"`  // totals of base and head, over the catalogs that could be compared
	Cases   []Pair    `json:"cases"`   // cases of the head, in its order
	Removed []Gone    `json:"removed"` // cases of the base that the head does not have, in the base's order

	Regressions []Regression `json:"regressions"` // in the order of cases, then of catalogs
	Weakened    []Weakening  `json:"weakened"`    // by case: first what changes the verdict, then settings by key
	Unjudged    []Unjudged   `json:"unjudged"`    // cases that the base's suites could not judge, in the order of cases
	Tools       []ToolChange `json:"tools"`       // tools that differ, the biggest increase of tokens first
	Breaking    []Breaking   `json:"breaking"`    // changes that break callers of the base's tools, by tool
	MayBreak    []Breaking   `json:"may_break"`   // changes that may break callers, by tool
	// servers without tools in the head, sorted; Breaking leaves out their tools
	ServersGone  []string             `json:"servers_gone"`
	Instructions []InstructionsChange `json:"instructions,omitempty"` // servers whose instructions differ, by path and server
	// the base is a saved report without descriptions, so Breaking is unknown
	Undescribed bool             `json:"undescribed"`
	New         []Finding        `json:"new_findings"`
	Fixed       []Finding        `json:"fixed_findings"`
	Cassettes   []CassetteChange `json:"cassettes"` // ordered by path

	Outdated []OutdatedTool `json:"outdated,omitempty"` // tools whose snapshots are older than the code, in the order of the snapshots

	Scores []ScoreMove `json:"scores,omitempty"` // scores of catalogs that rules moved, by path, the mean first

	Costs []CostMove `json:"costs,omitempty"` // catalogs whose cost changed, in the order of the head's catalogs

	// Executable lists what live runs execute in the head and did not execute in the base, by suite.
	Executable []ExecutableChange `json:"executable_changes,omitempty"`

	// Uncompared names the options that left cases out of the comparison. It is "" if only --affected or nothing left cases out, or
	// without --fail-on-weakened, --fail-on-breaking and --gates-from base.
	Uncompared Optional `json:"uncompared,omitzero"`

	// saved reports that do not cover all cases, the base first; empty if both left out the same cases
	Partial []Partial `json:"partial,omitempty"`
}

// Partial is a report in a comparison that does not cover all cases.
type Partial struct {
	Report string `json:"report"` // SideBase or SideHead
	Chosen
}

// These are the sides of a comparison.
const (
	SideBase = "base"
	SideHead = "head"
)

// Base describes the base of a comparison. The caller sets the first three fields, as far as they are known.
type Base struct {
	Ref      Optional      `json:"ref"`            // a branch or tag
	SHA      Optional      `json:"sha"`            // a commit
	File     Optional      `json:"file"`           // a saved report
	Tool     *Tool         `json:"tool,omitempty"` // build that made the saved report; nil if it also made the head's report, or if the base is not a saved report
	Verdict  judge.Verdict `json:"verdict"`
	Mistakes int           `json:"mistakes"`           // mistakes in the base's files, whose cases and tools were not compared
	Mistaken []string      `json:"mistaken,omitempty"` // ids of the base's cases with mistakes, which were not compared
	// suites with mistakes, sorted; they judged nothing, and their settings were not compared
	Unread []string `json:"unread"`
}

// Saved sets the fields of a base that is a saved report. base and head are the builds that made the two reports.
func (b *Base) Saved(path string, base, head Tool) {
	b.File = Optional(path)
	if path != "" && !base.IsSameBuild(head) {
		b.Tool = &base
	}
}

// Totals are figures of the whole report.
type Totals struct {
	Cases    int   `json:"cases"`
	Broken   int   `json:"broken"`         // cases that failed or could not be evaluated
	F1       *int  `json:"f1"`             // F1 in percent over all cases with an F1; nil if none
	Rate     *int  `json:"rate"`           // selection rate in percent over all cases with a rate, rounded down; nil if none
	Surface  Count `json:"surface_tokens"` // sum over the catalogs whose tokens are known; null if there are none
	Catalogs int   `json:"catalogs"`
}

// Pair is a case of the head with the case of the base that it is compared with.
type Pair struct {
	ID      string        `json:"id"`
	WasID   Optional      `json:"was_id"`  // id of the base's case, if the case was renamed
	New     bool          `json:"new"`     // the base has no such case
	Changed bool          `json:"changed"` // the verdict or a figure differs
	Worse   bool          `json:"worse"`   // the case has a regression, or it passed in the base and is left out now
	Fixed   bool          `json:"fixed"`   // the case passes now and did not pass in the base, and this is not due to a weakened suite
	Base    judge.Verdict `json:"base_verdict,omitempty"`

	Figures []Delta `json:"figures"` // figures that base or head has, in the order of [Figures]
	Others  []Delta `json:"others"`  // other figures that changed, by name

	Drops []Drop `json:"drops,omitempty"` // figures whose drop has a bound

	BaseCurve []judge.CurvePoint `json:"base_curve,omitempty"` // the base's curve, if it differs from the head's

	NewMissed     []string `json:"new_missed"`     // classes that the base did not miss
	NewUnexpected []string `json:"new_unexpected"` // tools that the base's runs did not call unexpectedly
	NewFailures   []string `json:"new_failures"`   // targets of assertions that fail and did not fail in the base
}

// Gone is a case that the head does not have.
type Gone struct {
	ID           string   `json:"id"`
	Suite        string   `json:"suite"`
	Name         string   `json:"name"`
	Model        Optional `json:"model"`
	NotEvaluated bool     `json:"not_evaluated"` // the suite still exists, but has a mistake
}

// Regression is something that got worse than in the base.
type Regression struct {
	Kind string `json:"kind"`
	Case string `json:"case"` // id of the head's case; for a finding, the catalog's path
	What string `json:"what"` // target of an assertion, or rule and tool
	Path string `json:"path"`
	Line int    `json:"line"`
	Base string `json:"base"` // verdict or figure; "" if there is none
	Head string `json:"head"`
}

// These are the kinds of regressions.
const (
	WorseVerdict = "verdict" // a case's verdict is worse
	WorseFigure  = "figure"  // the figure of a failing assertion moved away from its bound
	// an assertion fails or a gate cannot be evaluated, unlike in the base, and the case has no other regression
	NewFailure    = "expectation"
	MoreRuns      = "runs"          // an expectation on each run fails in a larger share of the runs
	BrokenNewCase = "new_case"      // a new case does not pass
	NotEvaluated  = "not_evaluated" // a case whose suite has a mistake now
	NewCritical   = "critical"      // a new critical finding
	DroppedTooFar = "max_drop"      // a figure dropped by more than max_drop allows
)

// IsChanged reports whether anything that renderings show differs from the base.
func (c *Comparison) IsChanged() bool {
	return len(c.Removed)+len(c.Regressions)+len(c.Weakened)+len(c.Executable)+len(c.Outdated)+len(c.Tools)+len(c.Instructions)+len(c.New)+len(c.Fixed)+len(c.Cassettes) > 0 ||
		slices.ContainsFunc(c.Cases, func(p Pair) bool { return p.New || p.Changed || p.WasID != "" })
}

// Regressed reports whether anything is worse than in the base.
func (c *Comparison) Regressed() bool { return c.Worse() > 0 }

// Worse returns the number of things that are worse than in the base: the regressions, and the cases that are left out.
func (c *Comparison) Worse() int { return len(c.Regressions) + len(c.LeftOut()) }

// LeftOut returns the weakenings by which a case that passed is left out. It omits cases with a regression, which
// [Comparison.Regressions] already counts.
func (c *Comparison) LeftOut() []Weakening {
	listed := lists.SetOf(c.Regressions, func(r Regression) string { return r.Case })
	return slices.DeleteFunc(slices.Clone(c.Weakened), func(w Weakening) bool {
		skipsPass := w.Kind == NotJudged && w.Base == Optional(judge.Pass) && w.Head == Optional(judge.Skipped)
		return !skipsPass || listed[w.Case]
	})
}

// IsWeakened reports whether the change weakens its own judgement in a way that counts for fail-on-weakened.
func (c *Comparison) IsWeakened() bool {
	return slices.ContainsFunc(c.Weakened, func(w Weakening) bool { return !w.ToldOnly })
}

// ToolChange is a tool that was added, removed, renamed or changed.
type ToolChange struct {
	Kind   string   `json:"kind"` // added, removed, renamed or changed
	Server string   `json:"server"`
	Name   string   `json:"name"`
	Was    Optional `json:"was,omitzero"` // the old name of a renamed tool
	Path   string   `json:"path"`         // path of the catalog
	Line   int      `json:"line"`         // line in the head's catalog; 0 for a removed tool
	Base   Count    `json:"base"`         // surface tokens; 0 for an added tool, null if its schema is unknown
	Head   Count    `json:"head"`

	Parts    []ToolPart  `json:"parts,omitzero"`    // the parts of a changed or renamed tool that differ
	Probably Optional    `json:"probably,omitzero"` // the name that a removed tool probably has now
	Alike    []AlikeTool `json:"alike,omitzero"`    // the tools that an added tool resembles, the closest first
}

// ToolPart is a part of a tool that differs; see [change.Part].
type ToolPart struct {
	Aspect   change.Aspect      `json:"aspect"`
	Argument Optional           `json:"argument"`
	Keyword  Optional           `json:"keyword,omitzero"` // keyword of JSON Schema
	Base     Optional           `json:"base"`             // null if the base has no such part
	Head     Optional           `json:"head"`             // null if the head has no such part
	Gains    []string           `json:"gains,omitzero"`   // the first few members that the list gained
	Loses    []string           `json:"loses,omitzero"`   // the first few members that the list lost
	Diff     []lexical.DiffPart `json:"diff,omitzero"`
}

// InstructionsChange is a server whose instructions differ.
type InstructionsChange struct {
	Server string             `json:"server"`
	Path   string             `json:"path"` // path of the catalog
	Line   int                `json:"line"` // line in the head's catalog
	Base   int                `json:"base"` // tokens
	Head   int                `json:"head"`
	Diff   []lexical.DiffPart `json:"diff,omitzero"`
}

// AlikeTool is a tool that another tool resembles.
type AlikeTool struct {
	Server  string `json:"server"`
	Name    string `json:"name"`
	Percent int    `json:"percent"` // cosine of their descriptions
}

// These are the kinds of changes to tools and cassettes.
const (
	Added   = "added"
	Removed = "removed"
	Hidden  = "hidden"  // hidden from models; only for tools
	Renamed = "renamed" // only for tools
	Changed = "changed"

	// Outdated means that a tool changed in the code and not in its snapshot. It is only used for evidence.
	Outdated = "outdated"
)

// Delta returns the number of tokens by which the tool grew; 0 if it is unknown.
func (t ToolChange) Delta() int {
	more, _ := t.Head.Minus(t.Base)
	return int(more)
}

// CassetteChange is a cassette that was added, removed or changed.
type CassetteChange struct {
	Kind     string   `json:"kind"` // added, removed or changed
	Path     string   `json:"path"`
	Base     int      `json:"base_runs"` // 0 for an added cassette
	Head     int      `json:"head_runs"` // 0 for a removed cassette
	Recorder Optional `json:"recorder"`  // recorder that the head's cassette names
	Hashed   bool     `json:"hashed"`
}

// ByRecorder reports whether the head's cassette says that a recorder wrote it, and has the hashes of its prompt and its
// catalog. Anybody can write this, so it proves nothing.
func (c CassetteChange) ByRecorder() bool { return c.Recorder != "" && c.Hashed }

// Weakening is a change in the judging of a case that can turn a failure into a pass.
type Weakening struct {
	Kind  string   `json:"kind"`
	Case  string   `json:"case"` // id
	Suite string   `json:"suite"`
	Name  string   `json:"name"` // name of the case
	Model Optional `json:"model"`
	Key   string   `json:"key"`            // key of the setting; "" for a removed case
	Base  Optional `json:"base"`           // null if the base has no such setting
	Head  Optional `json:"head"`           // null if the head has no such setting
	File  string   `json:"file,omitempty"` // included file that contains Line; "" for the suite
	Line  int      `json:"line"`           // line in the head's suite; the case's line for a removed setting; 0 for a removed case

	Reason   string   `json:"reason,omitempty"`  // if the weakening changes the verdict: message of the failure by the base's suite
	Settings []string `json:"settings,omitzero"` // if the weakening changes the verdict: keys of the case's other entries

	// ToldOnly means that the change is shown, but does not count for fail-on-weakened.
	ToldOnly bool `json:"told_only"`
}

// Path returns the file in which Line is.
func (w *Weakening) Path() string { return cmp.Or(w.File, w.Suite) }

// These are the kinds of weakenings. A change of kind SettingChanged may be harmless.
const (
	CaseRemoved       = "case removed"
	GateRemoved       = "gate removed"
	NotJudged         = "no longer judged" // no gate judges the case any more, whatever its verdict was
	AssertionRemoved  = "no longer expected"
	BoundLowered      = "lower bound lowered"
	BoundRaised       = "upper bound raised"
	MayBeAbsent       = "may be absent now"
	LowerMinimum      = "minimum lowered"
	HigherMaximum     = "maximum raised"
	MinimumRemoved    = "minimum removed"
	MaximumRemoved    = "maximum removed"
	FewerRuns         = "fewer runs asked for"
	MoreErrorsAllowed = "more run errors allowed"
	StaleAllowed      = "stale catalogs allowed"
	ToolAdded         = "tool added to those that count"
	ClassRemoved      = "class removed"
	ClassAdded        = "class added"
	NothingCorrect    = "no correct tools left"
	FewerDistractors  = "fewer distractors"
	FewerIntents      = "fewer intents"
	FewerCompeting    = "fewer competing catalogs"
	Unrestricted      = "restricted no more"
	PatternRemoved    = "error pattern removed"
	FaultRemoved      = "fault removed"
	FaultMilder       = "fault made milder"
	RuleDisabled      = "rule disabled"
	RuleIgnored       = "findings ignored"
	SeverityLowered   = "severity lowered"
	PriceLowered      = "price lowered"
	OrderChanged      = "order changed"
	SharedRemoved     = "tool left to another class"
	OthersChanged     = "changes what other gates judge"
	MeaningChanged    = "means other tools now"
	ServersLeftOut    = "calls to more servers are left out"
	GivenRemoved      = "no longer given"
	GivenUnkept       = "changed, and the recording does not keep it"
	GivenChanged      = "changed, and the recording keeps it" // shown, not counted
	RecordingLost     = "its runs fail by the base's suite"
	RedactedNoMore    = "redacted no more" // shown, not counted
	MaySpendMore      = "may spend more"   // shown, not counted
	WorkflowChanged   = "workflow changed"
	SourceUncovered   = "leaves out code that describes tools"
	SettingChanged    = "changed"
)

// WholeWorkflow is the key of a [WorkflowChanged] weakening of a whole file. Its Head says what is different.
const WholeWorkflow = "workflow"

// Summary returns a text with the counts of the changes. strong writes a text in bold.
func (c *Comparison) Summary(strong func(string) string) string {
	var parts []string
	add := func(n int, noun, what string, show func(string) string) {
		if n > 0 {
			parts = append(parts, show(judge.CountOf(n, noun)+what))
		}
	}
	plain := func(text string) string { return text }
	counted, shown := c.countWeakenings()
	add(len(c.Regressions), "regression", "", strong)
	add(counted, "weakening", "", strong)
	add(shown, "other change", " of how it is judged", plain)
	add(len(c.LeftOut()), "case", " left out that passed", strong)
	add(len(c.OutdatedSnapshots()), "snapshot", " older than the code", strong)
	add(len(c.Executable), "executable change", "", strong)
	add(lists.Count(c.Cases, func(p Pair) bool { return p.Fixed }), "case", " fixed", plain)
	if c.FindingsChanged() {
		parts = append(parts, fmt.Sprintf("findings +%d −%d", len(c.New), len(c.Fixed)))
	}
	add(len(c.Tools), "tool", " changed", plain)
	add(len(c.Cassettes), "cassette", " changed", plain)
	if !c.IsChanged() {
		return "nothing changed"
	}
	if !c.Regressed() {
		parts = append([]string{"no case got worse"}, parts...)
	}
	return strings.Join(parts, ", ")
}

// FindingsChanged reports whether head and base have different findings.
func (c *Comparison) FindingsChanged() bool { return len(c.New)+len(c.Fixed) > 0 }
