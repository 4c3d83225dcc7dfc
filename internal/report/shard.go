package report

import (
	"fmt"

	"github.com/org/mcp-gates/internal/judge"
)

// Shard describes which part of a check a report covers. The reports of all shards can be merged into the report of the whole
// check.
type Shard struct {
	Index      int    `json:"index"` // 1 to Of
	Of         int    `json:"of"`
	PlanSHA256 string `json:"plan_sha256"` // hash of the cases of the whole check, and of everything that judges them
	Planned    int    `json:"planned"`     // number of cases of the whole check

	Selection Selection `json:"selection"`
	Kept      Kept      `json:"kept"`
}

// String returns a text such as "shard 2 of 8".
func (s *Shard) String() string { return fmt.Sprintf("shard %d of %d", s.Index, s.Of) }

// OfOneRun returns a text, to follow the report's name, on the single run that was chosen by hand; "" if all runs were judged.
func (r *Report) OfOneRun() string {
	if r.JudgedRun == 0 {
		return ""
	}
	return fmt.Sprintf("judges run %d of each case alone (--judge-run), expected the report of a check", r.JudgedRun)
}

// Before returns the beginning of the headline if the report covers only a part of a check: one run of each case, a shard, or the
// suites that a change touches; "" for a whole check.
func (r *Report) Before() string {
	before := ""
	if r.JudgedRun != 0 {
		before = fmt.Sprintf("run %d of each case alone: ", r.JudgedRun)
	}
	if r.Shard != nil {
		before += r.Shard.String() + ": "
	}
	switch {
	case r.Affected == nil:
		return before
	case len(r.Cases) == 0 && len(r.Problems) == 0:
		return before + r.Affected.String() + ", " // [Report.Nothing] follows
	}
	return before + r.Affected.String() + ": "
}

// Nothing returns the message that there was no case.
func (r *Report) Nothing() string {
	if r.Affected != nil {
		return "nothing checked"
	}
	return "nothing was checked"
}

// MayBeEmpty reports whether a report without problems may have no cases, because other shards have them, or because the change
// touches no suite that has cases. A merged report has no Shard, so that the first reason does not apply to it.
func (r *Report) MayBeEmpty() bool {
	othersHaveCases := r.Shard != nil && r.Shard.Planned > 0
	leftOutCases := r.Affected != nil && r.Chosen != nil && r.Chosen.Of > 0
	return (othersHaveCases || leftOutCases) && len(r.Problems) == 0
}

// AffectedSuites counts the suites that a change touches, and all suites. The other suites are the same as in the base.
type AffectedSuites struct {
	Suites int `json:"suites"` // including suites that the change removes
	Of     int `json:"of"`
}

// String returns a text such as "3 of 25 suites affected".
func (a *AffectedSuites) String() string {
	return fmt.Sprintf("%d of %s affected", a.Suites, judge.CountOf(a.Of, "suite"))
}

// Selection has the arguments of a check that a merge needs to find the same cases.
type Selection struct {
	Suites      []string `json:"suites"` // files, globs and folders; empty for the usual places
	Filter      string   `json:"filter"` // regular expression (RE2); "" for none
	Tags        []string `json:"tags"`
	SkipTags    []string `json:"skip_tags"`
	FailOnStale string   `json:"fail_on_stale"` // the floor of stale_catalog; "" for none
	SkipForeign bool     `json:"skip_foreign,omitempty"`
	ByBase      bool     `json:"by_base,omitzero"`  // the base's suites give the verdicts
	Affected    bool     `json:"affected,omitzero"` // check only the suites that the change touches
	// SHA-256 of the report by whose durations cases are divided; "" if they are divided by their ids
	By   string `json:"by"`
	Base string `json:"base"` // the base, whose suites also judge; "" for none
}

// Kept has the data of a shard that are needed to make the report of the whole check. Other reports do not have it.
type Kept struct {
	Cases    []KeptCase   `json:"cases"`    // cases with something to keep, in order
	Seen     []KeptServer `json:"seen"`     // servers without a snapshot
	Unready  []string     `json:"unready"`  // suites whose cases could not be run live
	Problems []Problem    `json:"problems"` // reasons why these suites could not be run live
}

// KeptCase holds the kept data of a case.
type KeptCase struct {
	At       int            `json:"at"` // index in the report's cases
	Problems []Problem      `json:"problems"`
	Warnings []Problem      `json:"warnings"`
	Stale    []Problem      `json:"stale"` // warnings that several cases of a suite may share
	Base     *BaseJudgement `json:"base"`
	Vague    bool           `json:"vague,omitzero"` // the case also passes with vague descriptions
}

// KeptServer is a server whose tools are known only from a case.
type KeptServer struct {
	At     int    `json:"at"` // index of the case in the report's cases
	Server string `json:"server"`
	Tools  string `json:"tools"` // result of tools/list, as a text, because embedded JSON would be formatted again
}
