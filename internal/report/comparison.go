package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lexical"
)

// Comparison is the difference between a report and the report of its base. It holds everything that renderings show of the base.
type Comparison struct {
	Base    Base      `json:"base"`
	Totals  [2]Totals `json:"totals"`  // of base and head; over the catalogs that could be compared
	Cases   []Pair    `json:"cases"`   // of the head, in its order
	Removed []Gone    `json:"removed"` // cases of the base that the head does not have, in the base's order

	Regressions  []Regression         `json:"regressions"`            // in the order of cases, then of catalogs
	Weakened     []Weakening          `json:"weakened"`               // by case: first the weakening in effect, then the settings by key
	Unjudged     []Unjudged           `json:"unjudged"`               // cases that the base's suites could not judge, in the order of cases
	Tools        []ToolChange         `json:"tools"`                  // the biggest increase first
	Breaking     []Breaking           `json:"breaking"`               // changes that break callers of the base's tools, by tool
	MayBreak     []Breaking           `json:"may_break"`              // changes that may break callers, by tool
	ServersGone  []string             `json:"servers_gone"`           // servers without tools in the head, sorted: Breaking leaves them out
	Instructions []InstructionsChange `json:"instructions,omitempty"` // servers whose instructions differ, by path and server
	Undescribed  bool                 `json:"undescribed"`            // the base is a saved report without descriptions: Breaking is not known
	New          []Finding            `json:"new_findings"`
	Fixed        []Finding            `json:"fixed_findings"`
	Cassettes    []CassetteChange     `json:"cassettes"` // by path

	Outdated []OutdatedTool `json:"outdated,omitempty"` // tools whose snapshots are older than the code, by snapshot, in its order

	Scores []ScoreMove `json:"scores,omitempty"` // of catalogs, if rules moved them, by path, the mean first

	Costs []CostMove `json:"costs,omitempty"` // of catalogs whose cost changed, in the order of the head's catalogs

	// Executable lists what live runs execute in the head and did not execute in the base, by suite.
	Executable []ExecutableChange `json:"executable_changes,omitempty"`

	// Uncompared lists the options that left cases out of the comparison, if the change must not weaken or break anything; "" if all cases
	// are compared.
	Uncompared Optional `json:"uncompared,omitzero"`

	Partial []Partial `json:"partial,omitempty"` // saved reports that do not cover all cases, the base first; none if both left out the same
}

// Partial is a report in a comparison that does not cover all cases.
type Partial struct {
	Report string `json:"report"` // SideBase or SideHead
	Chosen
}

// The sides of a comparison.
const (
	SideBase = "base"
	SideHead = "head"
)

// Base describes the base of a comparison. The caller sets the first three fields as far as they are known.
type Base struct {
	Ref      Optional      `json:"ref"`            // a branch or tag
	SHA      Optional      `json:"sha"`            // a commit
	File     Optional      `json:"file"`           // a saved report
	Tool     *Tool         `json:"tool,omitempty"` // the build that made the saved report, if it differs from the head's; else nil
	Verdict  judge.Verdict `json:"verdict"`
	Mistakes int           `json:"mistakes"`           // in its suites, cassettes and catalogs, whose cases and tools could not be compared
	Mistaken []string      `json:"mistaken,omitempty"` // ids of its cases with mistakes in their entries, which could not be compared
	Unread   []string      `json:"unread"`             // suites with mistakes, sorted: they judged nothing, their settings were not compared
}

// Saved sets the fields for a base that is a saved report, which another program may have made than the head's.
func (b *Base) Saved(path string, base, head Tool) {
	b.File = Optional(path)
	if path != "" && !base.IsSameBuild(head) {
		b.Tool = &base
	}
}

// Totals are figures of a report as a whole.
type Totals struct {
	Cases    int   `json:"cases"`
	Broken   int   `json:"broken"`         // cases that failed or could not be evaluated
	F1       *int  `json:"f1"`             // percent, pooled over the cases with an F1; nil if none has one
	Rate     *int  `json:"rate"`           // selection rate in percent, rounded down, pooled likewise
	Surface  Count `json:"surface_tokens"` // sum over the catalogs with known tokens; null if there are none
	Catalogs int   `json:"catalogs"`
}

// Pair is a case of the head with the case of the base that it is compared with.
type Pair struct {
	ID      string        `json:"id"`
	WasID   Optional      `json:"was_id"`  // of the base's case, if it was renamed
	New     bool          `json:"new"`     // the base has no such case
	Changed bool          `json:"changed"` // the verdict or a figure differs
	Worse   bool          `json:"worse"`   // the case has a regression, or it passed and is left out now
	Fixed   bool          `json:"fixed"`   // it passes, did not pass in the base, and does not pass because of a weakened suite
	Base    judge.Verdict `json:"base_verdict,omitempty"`

	Figures []Delta `json:"figures"` // the figures of figureNames that either side has, in that order
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
	NotEvaluated bool     `json:"not_evaluated"` // its suite exists, but has a mistake
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

// The kinds of regressions.
const (
	WorseVerdict  = "verdict"       // a case's verdict is worse
	WorseFigure   = "figure"        // the figure of a failing assertion moved away from its bound
	NewFailure    = "expectation"   // an assertion fails or a gate is not evaluated, unlike in the base; the case is not worse otherwise
	MoreRuns      = "runs"          // an expectation on every run fails in a larger share of the runs
	BrokenNewCase = "new_case"      // a new case does not pass
	NotEvaluated  = "not_evaluated" // cases of a suite that has a mistake now
	NewCritical   = "critical"      // a new critical finding
	DroppedTooFar = "max_drop"      // a figure is farther below the base's than max_drop allows
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

// LeftOut returns the weakenings by which a case that passed is left out. It omits a weakening if a case got worse with it.
func (c *Comparison) LeftOut() []Weakening {
	listed := map[string]bool{}
	for i := range c.Regressions {
		listed[c.Regressions[i].Case] = true
	}
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
	Path   string   `json:"path"`         // of the catalog
	Line   int      `json:"line"`         // in the head's; 0 for a removed tool
	Base   Count    `json:"base"`         // surface tokens; 0 for an added tool, null if its schema is not known
	Head   Count    `json:"head"`

	Parts    []ToolPart  `json:"parts,omitzero"`    // the parts of a changed or renamed tool that differ
	Probably Optional    `json:"probably,omitzero"` // the name that a removed tool probably has now
	Alike    []AlikeTool `json:"alike,omitzero"`    // the tools that an added tool resembles, the closest first
}

// ToolPart is a part of a tool that differs; see [change.Part].
type ToolPart struct {
	Aspect   change.Aspect      `json:"aspect"`
	Argument Optional           `json:"argument"`
	Keyword  Optional           `json:"keyword,omitzero"` // of JSON Schema
	Base     Optional           `json:"base"`             // null if the base has no such part
	Head     Optional           `json:"head"`             // null if the head has no such part
	Gains    []string           `json:"gains,omitzero"`   // the first few members that the list gained
	Loses    []string           `json:"loses,omitzero"`   // the first few members that the list lost
	Diff     []lexical.DiffPart `json:"diff,omitzero"`
}

// InstructionsChange is a server whose instructions differ.
type InstructionsChange struct {
	Server string             `json:"server"`
	Path   string             `json:"path"` // of the catalog
	Line   int                `json:"line"` // in the head's
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

// The kinds of changes to tools and cassettes.
const (
	Added   = "added"
	Removed = "removed"
	Hidden  = "hidden"  // hidden from models; of tools only
	Renamed = "renamed" // of tools alone
	Changed = "changed"

	// Outdated is a change of a tool in the code that its snapshot lacks; used for evidence only.
	Outdated = "outdated"
)

// Delta returns by how many tokens the tool grew; 0 if this is not known.
func (t ToolChange) Delta() int {
	more, _ := t.Head.Minus(t.Base)
	return int(more)
}

// CassetteChange is a cassette that was added, removed or changed.
type CassetteChange struct {
	Kind     string   `json:"kind"` // added, removed or changed
	Path     string   `json:"path"`
	Base     int      `json:"base_runs"` // 0 for an added cassette
	Head     int      `json:"head_runs"` // 0 for a removed one
	Recorder Optional `json:"recorder"`  // of the head's
	Hashed   bool     `json:"hashed"`
}

// ByRecorder reports whether the head's cassette claims that a recorder wrote it, for a prompt and a catalog that it names by their
// hashes. Anybody can write this claim, so it is only the author's word.
func (c CassetteChange) ByRecorder() bool { return c.Recorder != "" && c.Hashed }

// Weakening is a change of how a case is judged that can turn a failure into a pass.
type Weakening struct {
	Kind  string   `json:"kind"`
	Case  string   `json:"case"` // id
	Suite string   `json:"suite"`
	Name  string   `json:"name"` // of the case
	Model Optional `json:"model"`
	Key   string   `json:"key"`            // of the setting; "" for a removed case
	Base  Optional `json:"base"`           // null if the base has no such setting
	Head  Optional `json:"head"`           // null if the head has no such setting
	File  string   `json:"file,omitempty"` // the file that Line is in, if it is not the suite: an included file
	Line  int      `json:"line"`           // in the head's suite: the case's line for a removed setting, 0 for a removed case

	Reason   string   `json:"reason,omitempty"`  // for a weakening in effect: the message of the failure by the base's suite
	Settings []string `json:"settings,omitzero"` // for a weakening in effect: the keys of the case's other entries

	// ToldOnly marks a change that is shown, but that fail-on-weakened does not count.
	ToldOnly bool `json:"told_only"`
}

// Path returns the file in which Line is.
func (w *Weakening) Path() string { return cmp.Or(w.File, w.Suite) }

// The kinds of weakenings. SettingChanged is a change that may be harmless.
const (
	CaseRemoved       = "case removed"
	GateRemoved       = "gate removed"
	NotJudged         = "no longer judged" // no gate judges the case, whatever its verdict was
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

// Summary returns the counts of the changes as text; strong writes a text in bold.
func (c *Comparison) Summary(strong func(string) string) string {
	var parts []string
	if n := len(c.Regressions); n > 0 {
		parts = append(parts, strong(judge.CountOf(n, "regression")))
	}
	counted, shown := c.countWeakenings()
	if counted > 0 {
		parts = append(parts, strong(judge.CountOf(counted, "weakening")))
	}
	if shown > 0 {
		parts = append(parts, judge.CountOf(shown, "other change")+" of how it is judged")
	}
	if n := len(c.LeftOut()); n > 0 {
		parts = append(parts, strong(judge.CountOf(n, "case")+" left out that passed"))
	}
	if n := len(c.OutdatedSnapshots()); n > 0 {
		parts = append(parts, strong(judge.CountOf(n, "snapshot")+" older than the code"))
	}
	if n := len(c.Executable); n > 0 {
		parts = append(parts, strong(judge.CountOf(n, "executable change")))
	}
	if n := c.fixed(); n > 0 {
		parts = append(parts, judge.CountOf(n, "case")+" fixed")
	}
	if c.FindingsChanged() {
		parts = append(parts, fmt.Sprintf("findings +%d −%d", len(c.New), len(c.Fixed)))
	}
	for _, part := range []struct {
		n    int
		noun string
	}{{len(c.Tools), "tool"}, {len(c.Cassettes), "cassette"}} {
		if part.n > 0 {
			parts = append(parts, judge.CountOf(part.n, part.noun)+" changed")
		}
	}
	if !c.IsChanged() {
		return "nothing changed"
	}
	if !c.Regressed() {
		parts = append([]string{"no case got worse"}, parts...)
	}
	return strings.Join(parts, ", ")
}

func (c *Comparison) fixed() int {
	n := 0
	for _, p := range c.Cases {
		if p.Fixed {
			n++
		}
	}
	return n
}

// FindingsChanged reports whether head and base have different findings.
func (c *Comparison) FindingsChanged() bool { return len(c.New)+len(c.Fixed) > 0 }
