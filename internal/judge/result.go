package judge

import (
	"maps"
	"slices"
	"strings"
)

// Verdict is the outcome of an assertion, a gate, a case or a report.
type Verdict string

// Pass, Fail and Error are in order from best to worst. Skipped means that nothing was judged.
const (
	Pass    Verdict = "pass"
	Fail    Verdict = "fail"
	Error   Verdict = "error"
	Skipped Verdict = "skipped"
)

// Combine returns the verdict over parts: error if a part is an error, otherwise fail if a part fails, otherwise pass if a part
// passes, otherwise skipped.
func Combine(parts ...Verdict) Verdict {
	combined := Skipped
	for _, v := range parts {
		if rank(v) > rank(combined) {
			combined = v
		}
	}
	return combined
}

func rank(v Verdict) int { return slices.Index([]Verdict{Skipped, Pass, Fail, Error}, v) }

// Result is a judged gate. Its JSON form is a part of the report's contract (docs/report.md).
type Result struct {
	Gate       string
	Line       int
	Verdict    Verdict
	Err        *Problem
	Metrics    map[string]Value
	Assertions []Assertion
	Grounds
	Headline string   // the figures in one line of text; "" for a gate without a headline
	MaxDrop  *MaxDrop // how far a figure may be below the base's; nil for no bound
}

// Problem is the reason why something could not be evaluated. Exit is the exit status: 2 if the cause is in the user's files, 3 if
// something failed that a live run needs.
type Problem struct {
	Message string `json:"message"`
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Exit    int    `json:"exit"`
	Run     int    `json:"run,omitzero"` // number of the run whose error the message repeats; 0 for none
}

// Assertion is one judged expectation.
type Assertion struct {
	Target  string  `json:"target"`
	K       int     `json:"k,omitzero"` // k of min_pass_hat; 0 for any other assertion
	Matcher string  `json:"matcher"`
	Actual  any     `json:"actual"` // a Value, a JSON value, or nil if absent
	Verdict Verdict `json:"verdict"`
	Line    int     `json:"line"`
	Message string  `json:"message"`
	Says    string  `json:"says,omitzero"`    // the suite's own message, with which Message begins
	Instead string  `json:"instead,omitzero"` // why the expectation that this one replaces does not apply; "" if it replaces none
	Breach  *Breach `json:"breach,omitzero"`  // nil if the assertion holds, and for gates without floors
}

// Grounds are the evidence for a gate's figures.
type Grounds struct {
	Counts      map[string]int
	Notes       []Note         // in order within each kind
	NotesCut    map[string]int // number of notes that are left out because there are too many, by kind
	Lists       []string       // kinds whose list is in a report even if the list is empty
	Curve       []CurvePoint
	CurveAbsent []int  // points of the curve at which no run finished, in order
	PassHat     []int8 // percent, for k = 1..n
	Grade       string

	Selection *SelectionEvidence // evidence of the gate tool_selection; nil for other gates
}

// CurvePoint is the result of the runs that were offered Count distractors; there is at least one such run.
type CurvePoint struct {
	Count          int `json:"count"`
	Runs           int `json:"runs"`
	Accuracy       int `json:"accuracy"`        // percent
	CertifiedLower int `json:"certified_lower"` // percent
}

// SelectionEvidence is the result of the gate tool_selection, run by run. Its JSON form is a part of the report's contract
// (docs/report.md). Rates are whole percents.
type SelectionEvidence struct {
	Expected []string         `json:"expected"` // expected tools, as the suite writes them
	Rate     int              `json:"rate"`
	Within   *int             `json:"within_budget_rate"` // nil if there is a budget, but the tokens of a run are unknown
	PassHat  []int8           `json:"pass_hat"`           // values for k = 1, 2, …; empty if Within is nil
	Runs     []SelectionRun   `json:"runs"`               // the runs that the gate judges, by number
	Tokens   *SelectionTokens `json:"tokens"`             // nil if no run has tokens
}

// SelectionRun is one judged run. Tokens and Called share memory with the rows of a report, because a case can have a hundred
// thousand runs.
type SelectionRun struct {
	Run        int      `json:"run"`
	Selected   bool     `json:"selected"`
	OverBudget *bool    `json:"over_budget"` // nil if there is a budget, but the run's tokens are unknown
	Tokens     *int64   `json:"tokens"`
	Called     []string `json:"called"` // qualified ids without repeats, in the order of the first call
}

// SelectionTokens sums up the tokens of the judged runs whose tokens are known.
type SelectionTokens struct {
	Median int64 `json:"median"` // if the count is even, the lower of the two middle values
	Max    int64 `json:"max"`
}

// Figures returns the names of a result's figures, except names with a parameter, in the order of the gate's documentation. Names
// that the documentation lacks come last, sorted. g may be nil.
func (g *Gate) Figures(r *Result) []string {
	var known []string
	if g != nil {
		known = targetNames(g.Targets)
	}
	place := func(name string) int {
		if at := slices.Index(known, name); at >= 0 {
			return at
		}
		return len(known)
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(r.Metrics)), func(name string) bool { return strings.Contains(name, "[") })
	slices.SortStableFunc(names, func(a, b string) int { return place(a) - place(b) })
	return names
}

// Broken reports whether something failed or could not be evaluated.
func (v Verdict) Broken() bool { return v == Fail || v == Error }
