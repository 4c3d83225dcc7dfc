package gates

// Verdict is the outcome of an assertion, a gate, a case or a report.
type Verdict string

// The verdicts, from best to worst; Skipped is none of these.
const (
	Pass    Verdict = "pass"
	Fail    Verdict = "fail"
	Error   Verdict = "error"
	Skipped Verdict = "skipped"
)

// Combine returns the verdict over parts: error if any could not be evaluated, else fail if any failed, else pass if
// any passed, else skipped.
func Combine(parts ...Verdict) Verdict {
	combined := Skipped
	for _, v := range parts {
		if rank(v) > rank(combined) {
			combined = v
		}
	}
	return combined
}

func rank(v Verdict) int {
	switch v {
	case Error:
		return 3
	case Fail:
		return 2
	case Pass:
		return 1
	}
	return 0
}

// Result is a judged gate. Its JSON form is a part of the report's contract (docs/report.md).
type Result struct {
	Gate       string           `json:"gate"`
	Line       int              `json:"line"`
	Verdict    Verdict          `json:"verdict"`
	Err        *Problem         `json:"error"`
	Metrics    map[string]Value `json:"metrics"`
	Assertions []Assertion      `json:"assertions"`
	Evidence
	Lines []string `json:"lines"`
}

// Problem says why something could not be evaluated. Exit is the exit status that it calls for: 2 when it comes of the
// user's files, 3 when something that a live run needs broke.
type Problem struct {
	Message string `json:"message"`
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Exit    int    `json:"exit"`
	Run     int    `json:"run,omitzero"` // whose error the message repeats; 0 for none
}

// Assertion is one judged expectation.
type Assertion struct {
	Target  string  `json:"target"`
	Matcher string  `json:"matcher"`
	Actual  any     `json:"actual"` // a Value, a JSON value, or nil when absent
	Verdict Verdict `json:"verdict"`
	Line    int     `json:"line"`
	Message string  `json:"message"`
}

// Evidence is what stands behind a gate's figures. Runs are numbers from 1, in order. Of the lists that belong to a
// gate's contract, empty ones are written and nil ones, of other gates, are not.
type Evidence struct {
	Counts       map[string]int `json:"counts,omitempty"`
	Matched      []Match        `json:"matched,omitzero"`
	Missed       []Miss         `json:"missed,omitzero"`
	Unexpected   []Tally        `json:"unexpected,omitzero"`
	Chosen       []Tally        `json:"chosen,omitzero"`
	Curve        []CurvePoint   `json:"curve,omitempty"`
	CurveAbsent  []int          `json:"curve_absent,omitempty"` // points of the curve at which no run finished, in order
	Unrecovered  []Tally        `json:"unrecovered,omitempty"`  // calls that returned an error and that no later call made good
	Invalid      []Tally        `json:"invalid,omitempty"`      // calls whose arguments the tool's schema refuses
	Hallucinated []Tally        `json:"hallucinated,omitempty"` // calls to tools that the catalog does not list
	Confusions   []Confusion    `json:"confusions,omitempty"`   // intents for which no right tool was picked
	Mutations    []Mutation     `json:"mutations,omitempty"`    // of descriptions, those that changed a pick
	PassHat      []int          `json:"pass_hat,omitempty"`     // percent, for k = 1..n
	Grade        string         `json:"grade,omitempty"`

	Selection *SelectionEvidence `json:"-"` // of tool_selection; a report writes it beside the case's rows
}

// Match says which tool matched a class, in which runs.
type Match struct {
	Class string `json:"class"`
	Tool  string `json:"tool"`
	Runs  []int  `json:"runs"`
}

// Miss names a class that was not matched, in the runs given. Line is the class's in the suite, and Members are the tools
// that would have satisfied it, as the suite writes them.
type Miss struct {
	Class   string   `json:"class"`
	Runs    []int    `json:"runs"`
	Line    int      `json:"line"`
	Members []string `json:"members,omitempty"`
}

// Tally says how often a tool was called, in which runs.
type Tally struct {
	Tool  string `json:"tool"`
	Calls int    `json:"calls"`
	Runs  []int  `json:"runs"`
}

// CurvePoint is what the runs that were offered Count distractors came to; there is at least one such run.
type CurvePoint struct {
	Count          int `json:"count"`
	Runs           int `json:"runs"`
	Accuracy       int `json:"accuracy"`        // percent
	CertifiedLower int `json:"certified_lower"` // percent
}

// Confusion is an intent of a benchmark for which no right tool was picked.
type Confusion struct {
	Intent string   `json:"intent"`
	Gold   []string `json:"gold"`
	Picked string   `json:"picked"` // "" when the intent shares no word with any tool
}

// Mutation is what spoiling one description did to a benchmark.
type Mutation struct {
	Tool     string `json:"tool"`
	Kind     string `json:"kind"`
	Accuracy Value  `json:"accuracy"` // afterwards
	Drop     Value  `json:"drop"`     // of the accuracy; below 0 when it rose
	Flipped  int    `json:"flipped"`  // intents whose pick was right and is not any more, or the reverse
}
