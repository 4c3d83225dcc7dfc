package shard

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
)

// Set has the reports of the shards of one check. A nil set has none.
type Set struct {
	shards []named
	cases  map[string][]saved // by CaseKey
	faults []string
}

// Refuse adds a fault: the reason why a file is not among the reports.
func (s *Set) Refuse(fault string) { s.faults = append(s.faults, fault) }

// named is the report of a shard with the file that it was read from.
type named struct {
	file string
	*report.Report
}

// saved is a case of a shard.
type saved struct {
	shard named
	at    int
}

// Outcome is the result of a case in its shard.
type Outcome struct {
	From string // the shard: "shard 2 of 8"
	Case report.Case
	Kept report.KeptCase
	Seen []report.KeptServer
}

// maxReport bounds the size of a report, in bytes. It is the same as for a saved baseline.
const maxReport = 256 << 20

func readReport(in io.Reader) (*report.Report, error) {
	bounded := &io.LimitedReader{R: in, N: maxReport + 1}
	r, err := report.Read(bounded)
	if bounded.N <= 0 {
		return nil, fmt.Errorf("is longer than %d bytes", maxReport)
	}
	if err == nil && r.JudgedRun != 0 {
		return nil, errors.New(r.OfOneRun())
	}
	return r, err
}

// Add reads the report of a shard from file. The error's text follows the name of the file.
func (s *Set) Add(file string, in io.Reader) error {
	r, err := readReport(in)
	if err != nil {
		return err
	}
	if err := checkReport(r); err != nil {
		return err
	}
	one := named{file, r}
	if first := s.first(); len(s.shards) > 0 && (r.Mode != first.Mode || r.Shard.Of != first.Shard.Of) {
		return fmt.Errorf("is %s in mode %s, and %q is %s in mode %s", r.Shard, r.Mode, first.file, first.Shard, first.Mode)
	}
	s.shards = append(s.shards, one)
	if s.cases == nil {
		s.cases = map[string][]saved{}
	}
	for i := range r.Cases {
		key := CaseKey(r.Cases[i].Suite, r.Cases[i].ID)
		s.cases[key] = append(s.cases[key], saved{one, i})
	}
	return nil
}

func checkReport(r *report.Report) error {
	s := r.Shard
	switch {
	case s == nil:
		return errors.New(`is not the report of a shard; expected one that "mcp-gates run --shard I/N --format json" has written`)
	case s.Index < 1 || s.Index > s.Of || s.Of > maxShards:
		return fmt.Errorf("is said to be %s, expected at most %d shards", s, maxShards)
	case r.Mode != report.Replay && r.Mode != report.Live:
		return fmt.Errorf("has mode %q, expected %q or %q", clip(r.Mode), report.Replay, report.Live)
	}
	last := -1
	for _, kept := range s.Kept.Cases {
		if kept.At <= last || kept.At >= len(r.Cases) {
			return fmt.Errorf("keeps something of case %d after case %d, expected an order within %d cases", kept.At, last, len(r.Cases))
		}
		last = kept.At
	}
	inOrder := func(a, b report.KeptServer) int { return a.At - b.At }
	isElsewhere := func(k report.KeptServer) bool { return k.At < 0 || k.At >= len(r.Cases) }
	if !slices.IsSortedFunc(s.Kept.Seen, inOrder) || slices.ContainsFunc(s.Kept.Seen, isElsewhere) {
		return errors.New("keeps the tools of servers in another order than that of its cases")
	}
	return checkUnready(r)
}

// checkUnready reports suites that a shard left out without a reason.
func checkUnready(r *report.Report) error {
	kept := &r.Shard.Kept
	switch {
	case len(kept.Unready) == 0:
		return nil
	case r.Mode == report.Replay:
		return errors.New("keeps suites that could not be run, in a replay")
	case len(kept.Problems) == 0:
		return errors.New("keeps suites that could not be run, and no reason")
	}
	return nil
}

// first returns the first report; an empty one for an empty set.
func (s *Set) first() named {
	if s == nil || len(s.shards) == 0 {
		return named{Report: &report.Report{Shard: &report.Shard{}}}
	}
	return s.shards[0]
}

// Mode returns report.Replay or report.Live; "" for an empty set.
func (s *Set) Mode() string { return s.first().Mode }

// Decides reports whether the shards were checked with this flag, which is one of [report.Deciding].
func (s *Set) Decides(flag string) bool { return slices.Contains(s.first().Flags, flag) }

// Selection returns the selection of cases that the shards were started with.
func (s *Set) Selection() report.Selection { return s.first().Shard.Selection }

// Limits returns the bounds of the shards' live runs.
func (s *Set) Limits() report.Limits {
	if i := s.first().Invocation; i != nil {
		return i.Limits
	}
	return report.Limits{}
}

// Faults returns the reasons why the set is not the check that the plan describes: a sentence for each shard that is missing,
// doubled or of another check, for each refused file, and for cases that no shard or several shards have. It returns none for a
// complete set.
func (s *Set) Faults(p *Plan) []string {
	if len(s.faults) > 0 {
		return s.faults
	}
	if len(s.shards) == 0 {
		return []string{"there is no report of a shard, so nothing was checked"}
	}
	plan := p.SHA256()
	byIndex := map[int][]string{}
	var faults []string
	for _, one := range s.shards {
		byIndex[one.Shard.Index] = append(byIndex[one.Shard.Index], one.file)
		if one.Shard.PlanSHA256 != plan || !one.Tool.IsSameBuild(p.tool()) {
			faults = append(faults, fmt.Sprintf("%q is %s of another check: %s", one.file, one.Shard, difference(one, p)))
		}
	}
	of := s.first().Shard.Of
	for index := 1; index <= of; index++ {
		switch files := byIndex[index]; len(files) {
		case 0:
			faults = append(faults, fmt.Sprintf("shard %d of %d is missing: its cases were not checked", index, of))
		case 1:
		default:
			faults = append(faults, fmt.Sprintf("shard %d of %d is there %d times, in %q", index, of, len(files), files))
		}
	}
	if len(faults) > 0 {
		return faults
	}
	return s.caseFaults(p)
}

// difference returns the first thing in which the check of a shard differs from the plan, as the end of a message.
func difference(one named, p *Plan) string {
	s, want := one.Shard.Selection, p.Selection
	isSameSelection := slices.Equal(s.Suites, want.Suites) && s.Filter == want.Filter && slices.Equal(s.Tags, want.Tags) && slices.Equal(s.SkipTags, want.SkipTags)
	switch {
	case !one.Tool.IsSameBuild(p.tool()):
		return fmt.Sprintf("%q made it, and this is %s; merge needs the build that made the shards", clip(one.Tool.Title()), p.tool().Title())
	case s.Base != want.Base:
		return fmt.Sprintf("its base is %s, expected %s; give shards and merge the same --baseline", baseOf(s), baseOf(want))
	case s.FailOnStale != want.FailOnStale:
		return "it has another --fail-on-stale"
	case s.ByBase != want.ByBase:
		return "its --gates-from is another one; give shards and merge the same"
	case s.SkipForeign != want.SkipForeign:
		return "not all shards have --skip-foreign"
	case s.Affected != want.Affected:
		return "not all shards have --affected"
	case !isSameSelection:
		return "other suites, or other cases of them, were selected"
	case one.Shard.Planned != len(p.Cases):
		return fmt.Sprintf("it has %d cases over all shards, expected %d", one.Shard.Planned, len(p.Cases))
	case s.By != "" && s.By != want.By:
		return "another report balanced it"
	}
	return "its suites, their catalogs or recordings of tools are not those of the workspace"
}

func baseOf(s report.Selection) string { return cmp.Or(clip(s.Base), "none") }

func (s *Set) caseFaults(p *Plan) []string {
	want := map[string]int{}
	for _, key := range p.Cases {
		want[key]++
	}
	unready := s.Unready()
	saysWhy := func(key string) bool {
		suite, _, _ := strings.Cut(key, "\n")
		return slices.Contains(unready, suite)
	}
	missing, doubled := 0, 0
	for _, key := range p.Cases {
		switch have := len(s.cases[key]); {
		case have < want[key] && !saysWhy(key):
			missing++
		case have > want[key]:
			doubled++
		}
	}
	faults := s.foreignCases(want)
	if missing > 0 {
		faults = append(faults, fmt.Sprintf("no shard has %s of the check", judge.CountOf(missing, "case")))
	}
	if doubled > 0 {
		faults = append(faults, fmt.Sprintf("several shards have %s of the check", judge.CountOf(doubled, "case")))
	}
	return faults
}

// foreignCases returns a sentence for each shard with a case that is not part of the check. known has the keys of the check's cases.
func (s *Set) foreignCases(known map[string]int) (faults []string) {
	for _, one := range s.shards {
		isForeign := func(c report.Case) bool { return known[CaseKey(c.Suite, c.ID)] == 0 }
		if i := slices.IndexFunc(one.Cases, isForeign); i >= 0 {
			c := &one.Cases[i]
			faults = append(faults, fmt.Sprintf("%q has a case that is not one of the check: %q of %q", one.file, clip(c.ID), clip(c.Suite)))
		}
	}
	return faults
}

// Unready returns the suites whose cases a shard could not run live, sorted and without repeats.
func (s *Set) Unready() []string {
	list := slices.Concat(lists.Map(s.shards, func(one named) []string { return one.Shard.Kept.Unready })...)
	return slices.Compact(slices.Sorted(slices.Values(list)))
}

// Problems returns all mistakes that shards report, including the reasons why the cases of unready suites could not be run.
func (s *Set) Problems() (list []report.Problem) {
	for _, one := range s.shards {
		list = append(list, one.Problems...)
		list = append(list, one.Shard.Kept.Problems...)
	}
	return list
}

// Outcomes returns the outcomes of cases in the order of their keys; the zero Outcome for a case that no shard has. If several
// cases have the same key, they have the outcomes in the order of the shards.
func (s *Set) Outcomes(keys []string) []Outcome {
	taken := map[string]int{}
	list := make([]Outcome, len(keys))
	for i, key := range keys {
		if n := taken[key]; n < len(s.cases[key]) {
			list[i] = s.cases[key][n].outcome()
			taken[key]++
		}
	}
	return list
}

// outcome returns the outcome of a case in a shard's report, with the data that is kept for the merge.
func (c saved) outcome() Outcome {
	kept := c.shard.Shard.Kept
	out := Outcome{From: c.shard.Shard.String(), Case: c.shard.Cases[c.at]}
	if i, ok := slices.BinarySearchFunc(kept.Cases, c.at, func(k report.KeptCase, at int) int { return k.At - at }); ok {
		out.Kept = kept.Cases[i]
	}
	first, _ := slices.BinarySearchFunc(kept.Seen, c.at, func(k report.KeptServer, at int) int { return k.At - at })
	for _, one := range kept.Seen[first:] {
		if one.At != c.at {
			break
		}
		out.Seen = append(out.Seen, one)
	}
	return out
}
