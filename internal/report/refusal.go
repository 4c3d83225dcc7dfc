package report

import "slices"

// The demands on a change that can refuse it: inputs of the action, and flags of run and merge.
const (
	FailOnWeakened = "fail-on-weakened"
	FailOnBreaking = "fail-on-breaking"
)

// Refusal is why a change is refused, whatever its cases' verdicts are.
type Refusal struct {
	Demand  string `json:"demand"`  // FailOnWeakened or FailOnBreaking
	Exit    int    `json:"exit"`    // ExitFail, or ExitWorld where it is not known whether the demand is met
	Title   string `json:"title"`   // in a few words
	Message string `json:"message"` // a sentence
}

// Refuses reports whether the change is refused by a demand.
func (r *Report) Refuses(demand string) bool {
	return slices.ContainsFunc(r.Refused, func(one Refusal) bool { return one.Demand == demand })
}
