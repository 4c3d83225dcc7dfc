package report

import "slices"

// The demands on a change that can refuse it: inputs of the action, flags of run and merge, and keys of suites.
const (
	FailOnWeakened = "fail-on-weakened"
	FailOnBreaking = "fail-on-breaking"
	CheckSnapshots = "check-snapshots" // of run alone
	MaxDrop        = "max_drop"        // of suites
)

// Refusal is why a change is refused, whatever its cases' verdicts are.
type Refusal struct {
	Demand  string `json:"demand"`  // one of these
	Exit    int    `json:"exit"`    // ExitFail, or ExitWorld where it is not known whether the demand is met
	Title   string `json:"title"`   // in a few words
	Message string `json:"message"` // a sentence
}

// Refuses reports whether the change is refused by a demand.
func (r *Report) Refuses(demand string) bool {
	return slices.ContainsFunc(r.Refused, func(one Refusal) bool { return one.Demand == demand })
}

// Flag is a flag of run, with its value, that decides the outcome of a check.
type Flag struct {
	Text      string // as a shell takes it
	NeedsBase bool   // run refuses it without a baseline
}

// LiveFromBase is the flag by which the base's suites say what is run.
const LiveFromBase = "--live-from base"

// Deciding are the flags that decide the outcome, whatever the suites say. Those that only choose cases are not among them.
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

// Decided returns those of the report's flags that are known here: a saved report can hold any text.
func (r *Report) Decided() (list []Flag) {
	for _, flag := range Deciding {
		if slices.Contains(r.Flags, flag.Text) {
			list = append(list, flag)
		}
	}
	return list
}
