package judge

import (
	"fmt"
	"slices"
)

// Breach describes a failed assertion of a gate with floors. Its JSON form is a part of the report's contract (docs/report.md).
type Breach struct {
	Case   string      `json:"case"`            // display name of the case
	Figure string      `json:"figure,omitzero"` // the figure; "" if the assertion's message already has it
	Bound  string      `json:"bound,omitzero"`  // the bound that was expected
	Of     string      `json:"of,omitzero"`     // the runs behind the figure, such as "3 of 10 runs"
	Budget bool        `json:"budget,omitzero"` // the bound is an upper bound
	Runs   []BreachRun `json:"runs,omitempty"`  // the runs that caused the breach, by number
	More   int         `json:"more,omitzero"`   // number of further runs that caused the breach, which are not in Runs
}

// BreachRun is a run that caused a breach, and what the run did.
type BreachRun struct {
	Run int    `json:"run"`
	Did string `json:"did"`
}

// Broken returns the reason why an assertion with a breach does not hold.
func (a *Assertion) Broken() string {
	switch b := a.Breach; {
	case b.Figure == "":
		return a.Message
	case b.Budget:
		return fmt.Sprintf("%s exceeded the %s budget (%s)", b.Of, b.Bound, b.Figure)
	default:
		return fmt.Sprintf("%s is below the %s floor (%s)", b.Figure, b.Bound, b.Of)
	}
}

// Floor returns the text line of an assertion with a breach.
func (a *Assertion) Floor() string { return "FLOOR " + a.Breach.Case + ": " + a.Broken() }

// Lines returns the line of Floor and an indented line for each run that caused the breach.
func (a *Assertion) Lines() []string {
	lines := []string{a.Floor()}
	for _, run := range a.Breach.Runs {
		lines = append(lines, fmt.Sprintf("  run %d: %s", run.Run, run.Did))
	}
	if a.Breach.More > 0 {
		lines = append(lines, fmt.Sprintf("  and %s, which the report leaves out", CountOf(a.Breach.More, "more run")))
	}
	return lines
}

// Breached reports whether any assertion of the result has a breach.
func (r *Result) Breached() bool {
	return slices.ContainsFunc(r.Assertions, func(a Assertion) bool { return a.Breach != nil })
}

// Lines returns the headline and the lines of each breach; no lines if the result has no headline.
func (r *Result) Lines() []string {
	if r.Headline == "" {
		return []string{}
	}
	lines := []string{r.Headline}
	for i := range r.Assertions {
		if r.Assertions[i].Breach != nil {
			lines = append(lines, r.Assertions[i].Lines()...)
		}
	}
	return lines
}
