package report

import "fmt"

// Shard says which part of a check a report holds. The reports of all shards merge into that of the whole check.
type Shard struct {
	Index      int    `json:"index"` // 1 to Of
	Of         int    `json:"of"`
	PlanSHA256 string `json:"plan_sha256"` // of the cases of the whole check, and of what judges them
	Planned    int    `json:"planned"`     // cases of the whole check

	Selection Selection `json:"selection"`
	Kept      Kept      `json:"kept"`
}

// String names the shard: "shard 2 of 8".
func (s *Shard) String() string { return fmt.Sprintf("shard %d of %d", s.Index, s.Of) }

// Before begins a headline about a shard; "" for a whole check.
func (s *Shard) Before() string {
	if s == nil {
		return ""
	}
	return s.String() + ": "
}

// MayBeEmpty reports whether nothing is wrong when the report judges nothing: other shards have the cases of the check. The
// merged report must judge something.
func (r *Report) MayBeEmpty() bool {
	return r.Shard != nil && r.Shard.Planned > 0 && len(r.Problems) == 0
}

// Selection is what was asked for, by which a merge finds the same cases.
type Selection struct {
	Suites      []string `json:"suites"` // files, globs and folders; none: the usual places
	Filter      string   `json:"filter"` // RE2; "" for none
	Tags        []string `json:"tags"`
	SkipTags    []string `json:"skip_tags"`
	FailOnStale string   `json:"fail_on_stale"` // the floor of stale_catalog; "" for none
	SkipForeign bool     `json:"skip_foreign,omitempty"`
	ByBase      bool     `json:"by_base,omitzero"` // the base's suites give the verdicts
	By          string   `json:"by"`               // the SHA-256 of the report by which cases are divided; "" for their ids
	Base        string   `json:"base"`             // the base, whose suites judge, too; "" for none
}

// Kept is what the report of the whole check is made of, and other reports do not have.
type Kept struct {
	Cases    []KeptCase   `json:"cases"`    // those that have something to keep, in their order
	Seen     []KeptServer `json:"seen"`     // servers without a snapshot
	Unready  []string     `json:"unready"`  // suites whose cases could not be run live
	Problems []Problem    `json:"problems"` // why
}

// KeptCase is what is kept of a case.
type KeptCase struct {
	At       int            `json:"at"` // the place in the report's cases, from 0
	Problems []Problem      `json:"problems"`
	Warnings []Problem      `json:"warnings"`
	Stale    []Problem      `json:"stale"` // warnings that several cases of a suite can have in common
	Base     *BaseJudgement `json:"base"`
}

// KeptServer is a server whose tools are known from a case alone.
type KeptServer struct {
	At     int    `json:"at"` // the case, as of KeptCase
	Server string `json:"server"`
	Tools  string `json:"tools"` // as tools/list has them: a text, because JSON in JSON would be laid out again
}
