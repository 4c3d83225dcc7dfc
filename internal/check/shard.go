package check

import (
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/shard"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// isLive reports whether the runs are, or were in the shards, made for the check.
func (c *checker) isLive() bool {
	return c.options.Live != nil || c.options.Merge.Mode() == report.Live
}

// divide returns the cases of this check's shard, or those whose outcomes the shards of a merge have; all where there are no
// shards. The base's suites are paired with all cases before, so that each shard is judged as the whole.
func (c *checker) divide(selected []selectedCase, suites []*suite.Suite, r *report.Report) []selectedCase {
	d, set := c.options.Shard, c.options.Merge
	if d == nil && set == nil {
		return selected
	}
	plan := c.plan(selected, suites, r.Mode)
	if set != nil {
		return c.collect(selected, plan, r)
	}
	r.Shard = &report.Shard{
		Index: d.Index, Of: d.Of, PlanSHA256: plan.SHA256(), Planned: len(selected), Selection: plan.Selection,
		Kept: report.Kept{Unready: []string{}, Problems: []report.Problem{}},
	}
	ids := make([]string, len(selected))
	for i, one := range selected {
		ids[i] = one.ID
	}
	var mine []selectedCase
	for i, of := range d.Shards(ids) {
		if of == d.Index {
			mine = append(mine, selected[i])
		}
	}
	return mine
}

// plan returns what the shards of the check have in common.
func (c *checker) plan(selected []selectedCase, suites []*suite.Suite, mode string) *shard.Plan {
	o := &c.options
	p := &shard.Plan{Version: o.Version, Mode: mode, Cases: keysOf(selected)}
	p.Selection = report.Selection{
		Suites: o.Suites, Tags: o.Tags, SkipTags: o.SkipTags, FailOnStale: string(o.FailOnStale), SkipForeign: o.SkipForeign, Base: o.Base,
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
	return p
}

func keysOf(selected []selectedCase) []string {
	keys := make([]string, len(selected))
	for i, one := range selected {
		keys[i] = shard.CaseKey(one.suite.File, one.ID)
	}
	return keys
}

// collect takes what the shards found. Nothing is taken of shards that are not the whole check.
func (c *checker) collect(selected []selectedCase, plan *shard.Plan, r *report.Report) []selectedCase {
	set := c.options.Merge
	if faults := set.Faults(plan); len(faults) > 0 {
		for _, fault := range faults {
			r.Problems = append(r.Problems, report.Problem{Message: fault})
		}
		r.Incomplete = true
		return nil
	}
	r.Problems = append(r.Problems, set.Problems()...)
	unready := set.Unready()
	selected = slices.DeleteFunc(selected, func(s selectedCase) bool { return slices.Contains(unready, s.suite.File) })
	c.merged = set.Outcomes(keysOf(selected))
	return selected
}

// keep adds to the report of a shard what the report of the whole check is made of.
func (c *checker) keep(outcomes []outcome, r *report.Report) {
	if r.Shard == nil {
		return
	}
	kept := &r.Shard.Kept
	known := map[*suite.Server]bool{}
	for i := range outcomes {
		out := &outcomes[i]
		one := report.KeptCase{At: i, Problems: out.problems, Warnings: out.warnings}
		if out.Base != nil {
			judged := *out.Base // a copy: secrets are taken out of both
			one.Base = &judged
		}
		for _, w := range out.stale {
			one.Stale = append(one.Stale, problemAt(&source.Error{Pos: w.pos, Msg: w.message}))
		}
		if len(one.Problems)+len(one.Warnings)+len(one.Stale) > 0 || one.Base != nil {
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

// toolsText returns tools as they were advertised.
func toolsText(cat *catalog.Catalog) string {
	text := []byte(`{"tools":[`)
	for i, t := range cat.Tools {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, t.JSON()...)
	}
	return string(append(text, "]}"...))
}

// restore returns what a case came to in its shard. Its names and settings are the suite's.
func restore(s selectedCase, was shard.Outcome) (out outcome) {
	named := s.named()
	out.Case = was.Case
	out.ID, out.Suite, out.Name, out.Model, out.Line = named.ID, named.Suite, named.Name, named.Model, named.Line
	out.Kind, out.Catalog = named.Kind, named.Catalog
	out.Settings, out.Complexity = settingsOf(s), complexityOf(s.Case)
	out.problems, out.warnings, out.Base = was.Kept.Problems, was.Kept.Warnings, was.Kept.Base
	for _, p := range was.Kept.Stale {
		pos := source.Pos{File: p.Path, Line: p.Line, Col: p.Col}
		out.stale = append(out.stale, staleWarning{drift{pos: pos, message: p.Message}, s.DisplayName()})
	}
	for _, seen := range was.Seen {
		out.seen = append(out.seen, s.seenAgain(seen, &out)...)
	}
	return out
}

// seenAgain returns a server whose tools the case of a shard saw. Tools that are not a catalog are a mistake of the report.
func (s selectedCase) seenAgain(seen report.KeptServer, out *outcome) []seenServer {
	at := slices.IndexFunc(s.Servers, func(server *suite.Server) bool { return server.Name == seen.Server })
	if at < 0 {
		return nil
	}
	tools, errs := catalog.Read("", []byte(seen.Tools))
	if len(errs) > 0 {
		message := fmt.Sprintf("the report of a shard does not hold the tools of server %q as a catalog: %s", seen.Server, errs[0].Msg)
		out.problems = append(out.problems, problemAt(&source.Error{Pos: s.Pos, Msg: message}))
		return nil
	}
	return []seenServer{{s.suite, s.Servers[at], tools}}
}
