package report

import "slices"

// These demands can refuse a change. They are inputs of the action, flags of run and merge, and keys of suites.
const (
	FailOnWeakened = "fail-on-weakened"
	FailOnBreaking = "fail-on-breaking"
	CheckSnapshots = "check-snapshots" // a flag of run only
	MaxDrop        = "max_drop"        // a key of suites
)

// Refusal is a reason to refuse a change, whatever the verdicts of its cases.
type Refusal struct {
	Demand  string `json:"demand"`  // one of the demands above
	Exit    int    `json:"exit"`    // ExitFail, or ExitWorld if it is unknown whether the demand is met
	Title   string `json:"title"`   // a few words
	Message string `json:"message"` // a sentence
}

// Refuses reports whether a demand refuses the change.
func (r *Report) Refuses(demand string) bool {
	return slices.ContainsFunc(r.Refused, func(one Refusal) bool { return one.Demand == demand })
}

// Flag is a flag of run, with its value, that decides the outcome of a check.
type Flag struct {
	Text      string // the flag with its value, quoted for a shell
	NeedsBase bool   // run rejects the flag without a baseline
}

// LiveFromBase is the flag that takes the commands of live runs from the base's suites.
const LiveFromBase = "--live-from base"

// Deciding lists the flags that affect the outcome whatever the suites contain. It omits flags that only choose cases.
var Deciding = []Flag{
	{"--skip-foreign", false},
	{"--fail-on-stale affected", false},
	{"--fail-on-stale any", false},
	{"--fail-on regression", false},
	{"--fail-on never", false},
	{"--fail-on-weakened", true},
	{"--fail-on-breaking", true},
	{"--gates-from base", true},
	{LiveFromBase, true},
	{"--check-snapshots", false},
}

// Decided returns the flags of the report that are in Deciding, because a saved report can have any text.
func (r *Report) Decided() []Flag {
	return slices.DeleteFunc(slices.Clone(Deciding), func(f Flag) bool { return !slices.Contains(r.Flags, f.Text) })
}
