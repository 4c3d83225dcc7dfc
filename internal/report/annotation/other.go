package annotation

import "github.com/org/mcp-gates/internal/report"

// These are the rules of items that belong neither to a lint rule nor to a gate.
const (
	Mistake       = "mistake"
	NotEvaluated  = "not_evaluated"
	Expectation   = "expect"
	Weakened      = "weakened"
	BreaksCallers = "breaks_callers"
	StaleEvidence = "stale_evidence"
	Dropped       = report.MaxDrop
	Remark        = "warning"
)

// Other is a rule that is neither a lint rule nor a gate.
type Other struct {
	ID    string
	Level Level  // level of most of its items
	Title string // a clause
	Help  string // advice in Markdown: a sentence or two
}

// Others lists the rules that are neither lint rules nor gates, in the order of their items.
var Others = []Other{
	{Mistake, Failure, "a file has a mistake", "Mend the file: nothing that depends on it is checked before."},
	{NotEvaluated, Failure, "a case could not be evaluated", "Without evidence a case is an error, and never a pass. Record its runs again, or mend what the message names."},
	{Expectation, Failure, "an expectation on single runs does not hold", "See what the runs did with `mcp-gates run --run N`, and `expect` of the case in the suite for what is wanted."},
	{Dropped, Failure, "a figure is farther below the base's than max_drop allows", "See what the runs did with `mcp-gates run --verbose`, mend descriptions or agent, and record again; or have a larger bound reviewed."},
	{Weakened, Warning, "the change softens how a case is judged", "Undo what the change softens in the suite, or have it reviewed: `fail-on-weakened` makes it a failure."},
	{BreaksCallers, Warning, "a change to a tool breaks those who call it", "Keep the old name and arguments, or tell callers: `fail-on-breaking` makes it a failure."},
	{StaleEvidence, Warning, "recordings were made with another version of a tool", "Record the cases again that the message names."},
	{Remark, Warning, "something in a file deserves a look", "Do as the message says, or leave it: a warning changes no verdict."},
}
