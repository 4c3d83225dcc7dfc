package cli

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
)

// failedCases returns the ids of the cases of a saved report that did not pass, or whose figure dropped too far. If there are none,
// it prints this and returns nil, and nothing is checked. It returns an error instead if the report does not prove that all cases
// of these suites pass.
func (p *program) failedCases(f runFlags, workspace fs.FS, suites []string) (map[string]bool, error) {
	path := f.failed
	r, err := p.readReport(path)
	if err != nil {
		return nil, fmt.Errorf("--failed %q %w", path, err)
	}
	if why := r.OfOneRun(); why != "" {
		return nil, fmt.Errorf("--failed %q %s", path, why)
	}
	only := map[string]bool{}
	for i := range r.Cases {
		if r.Cases[i].Verdict.Broken() {
			only[r.Cases[i].ID] = true
		}
	}
	dropped := droppedCases(r)
	if len(dropped) > 0 && f.baseline == "" {
		return nil, fmt.Errorf("--failed %q: a figure dropped too far there, which only a comparison shows: give --baseline", path)
	}
	for _, id := range dropped {
		only[id] = true
	}
	why := cmp.Or(insufficientReason(r, len(only), suites), unprovenFreshReason(r, len(only), f.failOnStale))
	if why == "" && len(only) == 0 {
		why = missingSuiteReason(r, workspace, suites)
	}
	if why != "" {
		return nil, fmt.Errorf("--failed %q: %s: check everything again", path, why)
	}
	if len(only) > 0 {
		return only, nil
	}
	p.say(fmt.Sprintf("no case failed in %q, so nothing is checked again", path))
	return nil, nil
}

// droppedCases returns, for each figure that is farther below the base's than max_drop allows, the id of its case, whatever the case's
// verdict. A case with several such figures occurs several times.
func droppedCases(r *report.Report) (ids []string) {
	if r.Baseline == nil {
		return nil
	}
	for _, one := range r.Baseline.Regressions {
		if one.Kind == report.DroppedTooFar {
			ids = append(ids, one.Case)
		}
	}
	return ids
}

// insufficientReason returns the reason why checking only the failed cases of a report again does not suffice; "" if it suffices.
// failed is the number of failed cases.
func insufficientReason(r *report.Report, failed int, suites []string) string {
	if r.Shard != nil {
		return fmt.Sprintf("it is %s of a check, expected the report that the shards were merged into", r.Shard)
	}
	if failed == 0 {
		if r.Verdict != judge.Pass || len(r.Cases) == 0 {
			return fmt.Sprintf("no case failed there, and its verdict is %q and not pass", r.Verdict)
		}
		if why := incompleteReason(r, suites); why != "" || len(r.Refused) == 0 {
			return why
		}
		return fmt.Sprintf("no case failed there, and it was refused by %q", r.Refused[0].Demand)
	}
	known := mistakenFiles(r)
	isOther := func(m report.Problem) bool { return !known[m.Path] }
	if slices.ContainsFunc(r.Problems, isOther) || len(r.Unread) > 0 {
		return "it has mistakes that kept cases from being checked"
	}
	return ""
}

// unprovenFreshReason returns the reason why a report without failed cases may still have stale evidence; "" if the flag sets no
// floor, or if the report was checked with the same floor.
func unprovenFreshReason(r *report.Report, failed int, floor string) string {
	flag := "--fail-on-stale " + floor
	isAsked := staleFloors[floor] != suite.StaleDefault
	isProven := slices.Contains(r.Flags, flag)
	if failed > 0 || !isAsked || isProven {
		return ""
	}
	return fmt.Sprintf("no case failed there, and it was made without %q", flag)
}

// incompleteReason returns the reason why a report without failed cases does not cover all cases of these suites; "" if it covers
// them.
func incompleteReason(r *report.Report, suites []string) string {
	chosen := r.Chosen
	if chosen == nil {
		return ""
	}
	hasLeftCases := chosen.By != "" || len(chosen.Suites) == 0
	if hasLeftCases {
		return fmt.Sprintf("no case failed there, and it has %d of %d cases", len(r.Cases), chosen.Of)
	}
	if !chosen.Names(suites) {
		return "no case failed there, and it " + chosen.LeftSuites(func(name string) string { return name })
	}
	return ""
}

// missingSuiteReason returns a text that names a suite whose cases are all missing from the report; "" if there is no such suite.
func missingSuiteReason(r *report.Report, workspace fs.FS, suites []string) string {
	files, err := suite.Find(workspace, suites)
	if err != nil {
		return err.Error()
	}
	known, loader := r.Suites(), suite.NewLoader(workspace)
	isEmpty := func(name string) bool {
		one, errs := loader.Load(name)
		return one != nil && len(errs) == 0 && len(one.Cases) == 0
	}
	unknown := slices.DeleteFunc(files, func(name string) bool { return known[name] || isEmpty(name) })
	if len(unknown) == 0 {
		return ""
	}
	return fmt.Sprintf("no case failed there, and it has none of suite %q", unknown[0])
}

// mistakenFiles returns the files whose mistakes belong to a case that failed or could not be evaluated: the case's recordings, the
// file of its error and, if its entry in the suite has mistakes, the suite.
func mistakenFiles(r *report.Report) map[string]bool {
	files := map[string]bool{}
	for i := range r.Cases {
		c := &r.Cases[i]
		if !c.Verdict.Broken() {
			continue
		}
		if c.LeftOut == report.HasMistakes {
			files[c.Suite] = true
		}
		if c.Err != nil {
			files[c.Err.Path] = true
		}
		for _, path := range c.Cassettes {
			files[path] = true
		}
	}
	return files
}
