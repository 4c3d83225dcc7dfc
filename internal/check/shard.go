package check

import (
	"fmt"
	"maps"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/shard"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// isLive reports whether the runs were made for the check, or for its shards.
func (c *checker) isLive() bool {
	return c.options.Live != nil || c.options.Merge.Mode() == report.Live
}

// divideCases returns the cases of this check's shard; in a merge, the cases whose outcomes its shards have; otherwise all
// cases. It is called after the cases were paired with the base's, so that each shard is judged in the same way as the whole
// check.
func (c *checker) divideCases(selected []selectedCase, suites []*suite.Suite, r *report.Report) []selectedCase {
	d, set := c.options.Shard, c.options.Merge
	if d == nil && set == nil {
		return selected
	}
	plan := c.sharedPlan(selected, suites, r.Mode)
	if set != nil {
		return c.mergeOutcomes(selected, plan, r)
	}
	r.Shard = &report.Shard{
		Index: d.Index, Of: d.Of, PlanSHA256: plan.SHA256(), Planned: len(selected), Selection: plan.Selection,
		Kept: report.Kept{Unready: []string{}, Problems: []report.Problem{}},
	}
	ids := lists.Map(selected, func(s selectedCase) string { return s.ID })
	var mine []selectedCase
	for i, of := range d.Shards(ids) {
		if of == d.Index {
			mine = append(mine, selected[i])
		}
	}
	return mine
}

// sharedPlan returns the data that all shards of a check have in common: options, cases, and the hashes of the files that judge
// them.
func (c *checker) sharedPlan(selected []selectedCase, suites []*suite.Suite, mode string) *shard.Plan {
	o := &c.options
	p := &shard.Plan{Version: o.Version, Build: o.Build, Mode: mode, Cases: keysOf(selected)}
	p.Selection = report.Selection{
		Suites: o.Suites, Tags: o.Tags, SkipTags: o.SkipTags, FailOnStale: string(o.FailOnStale), SkipForeign: o.SkipForeign, Base: o.Base, ByBase: o.ByBase, Affected: o.OnlyAffected,
		By: o.Merge.Selection().By,
	}
	if o.Filter != nil {
		p.Selection.Filter = o.Filter.String()
	}
	if o.Shard != nil && o.Shard.Weights != nil {
		p.Selection.By = o.Shard.Weights.SHA256
	}
	for _, s := range suites {
		p.Files = append(p.Files, shard.File{Path: s.File, SHA256: fmt.Sprintf("%x", s.SHA256)})
		for _, cat := range s.Catalogs {
			p.Files = append(p.Files, shard.File{Path: cat.Path, SHA256: cat.Catalog.SHA256()})
		}
	}
	if !c.isLive() {
		p.Files = append(p.Files, c.recordingsOfTools(selected)...)
	}
	return p
}

// recordingsOfTools returns the recordings from which cases without a catalog take the tools of their server, without repeats.
func (c *checker) recordingsOfTools(selected []selectedCase) (list []shard.File) {
	known := map[string]bool{}
	for _, s := range selected {
		if s.Kind == suite.AgentTest || s.Case.Catalog != nil || len(s.ServerNames) == 0 {
			continue
		}
		for _, one := range s.Suite.Cases {
			if one.Kind != suite.AgentTest || !slices.Contains(one.ServerNames, s.ServerNames[0]) {
				continue
			}
			files, _ := c.cassettes(caseOf(s.Suite, one))
			for _, file := range files {
				if !known[file] {
					known[file] = true
					list = append(list, shard.File{Path: file, SHA256: string(c.hashFile(file))})
				}
			}
		}
	}
	return list
}

func keysOf(selected []selectedCase) []string {
	return lists.Map(selected, func(s selectedCase) string { return shard.CaseKey(s.Suite.File, s.ID) })
}

// mergeOutcomes keeps the outcomes of the shards for evaluate, and returns the cases that they belong to. If the shards do not
// make up the whole check, it notes the reasons and returns no case.
func (c *checker) mergeOutcomes(selected []selectedCase, plan *shard.Plan, r *report.Report) []selectedCase {
	set := c.options.Merge
	if faults := set.Faults(plan); len(faults) > 0 {
		for _, fault := range faults {
			r.Problems = append(r.Problems, report.Problem{Message: fault})
		}
		r.Incomplete = true
		return nil
	}
	r.Problems = append(r.Problems, set.Problems()...) // a report has each problem once
	unready := set.Unready()
	selected = slices.DeleteFunc(selected, func(s selectedCase) bool { return slices.Contains(unready, s.Suite.File) })
	outcomes := set.Outcomes(keysOf(selected))
	if faults := c.mismatches(selected, outcomes); len(faults) > 0 {
		r.Problems = append(r.Problems, faults...)
		r.Incomplete = true
		return nil
	}
	c.merged = outcomes
	return selected
}

// mismatches returns the reasons why outcomes do not belong to the cases: the suite has other gates or expectations for a
// case, or a shard replayed other recordings than those in the workspace.
func (c *checker) mismatches(selected []selectedCase, outcomes []shard.Outcome) (list []report.Problem) {
	hashes := map[string]report.Optional{}
	hash := func(name string) report.Optional {
		return lists.Cached(hashes, name, func() report.Optional { return c.hashFile(name) })
	}
	for i, s := range selected {
		was := &outcomes[i]
		if fault := s.judgementMismatch(was); fault != "" {
			list = append(list, problemAt(&source.Error{Pos: s.Pos, Msg: fmt.Sprintf("%s %s", was.From, fault)}))
		}
		if !c.isLive() && s.IsJudged() {
			list = append(list, c.mismatchedRecordings(s, was, hash)...)
		}
	}
	return list
}

// judgementMismatch returns the difference between a shard's judgement of a case and the suite's gates and expectations; "" if
// there is none. A case with an error may differ.
func (s selectedCase) judgementMismatch(was *shard.Outcome) string {
	judged, by := &was.Case, s
	if judged.Own == nil || !judged.Own.Stands {
		by = s.verdictBy()
	}
	if !by.IsJudged() {
		expected := outcome{Case: report.Case{Verdict: judge.Error}}
		expected.noteUnjudged(by)
		if judged.Verdict != expected.Verdict {
			return fmt.Sprintf("has verdict %q for a case that is not judged, expected %q", judged.Verdict, expected.Verdict)
		}
		return ""
	}
	for _, seen := range was.Seen {
		if s.Server(seen.Server) == nil && by.Server(seen.Server) == nil {
			return fmt.Sprintf("has the tools of server %q, which the case does not name", seen.Server)
		}
	}
	if judged.Verdict == judge.Error {
		return ""
	}
	switch {
	case (judged.Own != nil) != (s.judgedAs != nil):
		return fmt.Sprintf("has verdict %q for a case that another suite judges", judged.Verdict)
	case !slices.EqualFunc(judged.Gates, by.Checks, sameGate):
		return fmt.Sprintf("has verdict %q for a case that it has not judged by the gates of the suite", judged.Verdict)
	case !sameExpectations(judged, by.Expect):
		return fmt.Sprintf("has verdict %q for a case that it has not judged by what the suite expects of each run", judged.Verdict)
	case judged.Verdict == judge.Pass && !hasPassed(judged):
		return "has a case pass of which nothing has passed"
	}
	return ""
}

// sameGate reports whether a gate's result has the expectations and the MaxDrop of the suite's check. An expectation may be skipped
// only if the gate allows it.
func sameGate(g judge.Result, check judge.Check) bool {
	agrees := func(a judge.Assertion, e judge.Expectation) bool { return a.AgreesWith(e) }
	expected := check.Plan.Applying(g.Metrics)
	return g.Gate == check.Gate.Name && sameDrop(g.MaxDrop, check.Plan.MaxDrop) && slices.EqualFunc(g.Assertions, expected, agrees)
}

func sameDrop(a, b *judge.MaxDrop) bool { return a == b || a != nil && b != nil && *a == *b }

// sameExpectations reports whether each run is judged by the expectations of the suite, all of them equally often. An
// expectation may be skipped only if the suite allows it.
func sameExpectations(c *report.Case, expect judge.RunExpect) bool {
	type key struct{ target, matcher string }
	wanted, maySkip := map[key]int{}, map[key]bool{}
	for _, e := range expect.Expectations() {
		k := key{e.Target, e.Matcher.String()}
		wanted[k]++
		maySkip[k] = maySkip[k] || e.SkipAbsent
	}
	found := map[key]int{}
	for _, e := range c.RunExpectations() {
		k := key{e.Target, e.Matcher}
		if wanted[k] == 0 || e.Skipped > 0 && !maySkip[k] {
			return false
		}
		found[k] += e.Runs()
	}
	var runs int // number of runs that the first expectation judged; 0 until it is known
	for k, times := range wanted {
		n := found[k] / times
		isWhole := n > 0 && n*times == found[k]
		if !isWhole || runs != 0 && n != runs {
			return false
		}
		runs = n
	}
	return true
}

// hasPassed reports whether an assertion of a gate or an expectation of a run has passed.
func hasPassed(c *report.Case) bool {
	passes := func(a judge.Assertion) bool { return a.Verdict == judge.Pass }
	return slices.ContainsFunc(c.Gates, func(g judge.Result) bool { return slices.ContainsFunc(g.Assertions, passes) }) ||
		slices.ContainsFunc(c.RunExpectations(), func(e report.RunExpectation) bool { return e.Passed > 0 })
}

// mismatchedRecordings returns a mistake for each cassette that differs from the one that the shard has judged. It returns none
// if the case is an error without a cassette, because the shard could not evaluate it.
func (c *checker) mismatchedRecordings(s selectedCase, was *shard.Outcome, hash func(string) report.Optional) (list []report.Problem) {
	isError := was.Case.Verdict == judge.Error
	if isError && len(was.Case.Recordings) == 0 {
		return nil
	}
	refuse := func(path, why string) {
		list = append(list, report.Problem{Path: s.Suite.File, Line: s.CassettePos.Line, Col: s.CassettePos.Col,
			Message: fmt.Sprintf("cassette %q %s; check all shards again", path, why)})
	}
	judged := map[string]report.Optional{}
	for _, one := range was.Case.Recordings {
		judged[one.Path] = one.SHA256
	}
	files, _ := c.cassettes(s)
	for _, file := range files {
		sha, known := judged[file]
		switch {
		case !known:
			refuse(file, "was not judged by "+was.From)
		case sha != hash(file), sha == "" && !isError:
			refuse(file, "is not the one that "+was.From+" has judged")
		}
		delete(judged, file)
	}
	for _, path := range slices.Sorted(maps.Keys(judged)) {
		refuse(path, "was judged by "+was.From+" and is not one of the case")
	}
	return list
}

// keepForMerge adds to the report of a shard the data that the report of the whole check needs.
func (c *checker) keepForMerge(outcomes []outcome, r *report.Report) {
	if r.Shard == nil {
		return
	}
	kept := &r.Shard.Kept
	known := map[*suite.Server]bool{}
	for i := range outcomes {
		out := &outcomes[i]
		one := report.KeptCase{At: i, Problems: out.problems, Warnings: out.warnings, Vague: out.vague}
		if out.Base != nil {
			judged := *out.Base // a copy, because secrets are removed from both places
			one.Base = &judged
		}
		for _, w := range out.shared {
			one.Stale = append(one.Stale, problemAt(&source.Error{Pos: w.pos, Msg: w.message}))
		}
		if len(one.Problems)+len(one.Warnings)+len(one.Stale) > 0 || one.Base != nil || one.Vague {
			kept.Cases = append(kept.Cases, one)
		}
		for _, seen := range out.seen {
			if !known[seen.server] {
				known[seen.server] = true
				kept.Seen = append(kept.Seen, report.KeptServer{At: i, Server: seen.server.Name, Tools: toolsText(seen.tools)})
			}
		}
	}
}

func toolsText(cat *catalog.Catalog) string {
	text := []byte(`{"tools":[`)
	for i, t := range cat.All() {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, t.JSON()...)
	}
	return string(append(text, "]}"...))
}

// restoreOutcome returns the outcome of a case that a shard evaluated. The names and settings of the case come from the suite.
func restoreOutcome(s selectedCase, was shard.Outcome) (out outcome) {
	bySuite := s.emptyReport()
	out.Case = was.Case
	out.ID, out.Suite, out.Name, out.Model, out.Line = bySuite.ID, bySuite.Suite, bySuite.Name, bySuite.Model, bySuite.Line
	out.Kind, out.Catalog, out.Removed = bySuite.Kind, bySuite.Catalog, bySuite.Removed
	out.Settings, out.Complexity = settingsOf(s), complexityOf(s.Case)
	out.problems, out.warnings, out.Base = was.Kept.Problems, was.Kept.Warnings, was.Kept.Base
	out.vague = was.Kept.Vague
	for _, p := range was.Kept.Stale {
		pos := source.Pos{File: p.Path, Line: p.Line, Col: p.Col}
		out.shared = append(out.shared, sharedWarning{pos, p.Message, s.DisplayName()})
	}
	for _, seen := range was.Seen {
		out.seen = append(out.seen, s.restoreSeen(seen, &out)...)
	}
	return out
}

// restoreSeen returns a server with the tools that the case of a shard saw. If the shard's report has no valid catalog of these
// tools, it notes a problem and returns nil.
func (s selectedCase) restoreSeen(seen report.KeptServer, out *outcome) []seenServer {
	server := s.Server(seen.Server)
	if server == nil {
		return nil
	}
	tools, errs := catalog.Read("", []byte(seen.Tools))
	if len(errs) > 0 {
		message := fmt.Sprintf("the report of a shard does not hold the tools of server %q as a catalog: %s", seen.Server, errs[0].Msg)
		out.problems = append(out.problems, problemAt(&source.Error{Pos: s.Pos, Msg: message}))
		return nil
	}
	return []seenServer{{s.Suite, server, tools}}
}
