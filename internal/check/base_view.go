package check

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/staleness"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// judgementOn has the base's suite judge the evidence of a case of the head, unless the case does not pass by its own suite:
// then it was not softened. verdict is the one by its own suite.
func (b *baseCase) judgementOn(c *checker, head selectedCase, e evidence, verdict judge.Verdict) *report.BaseJudgement {
	e.trace = b.redacted(c, head, e)
	v := &baseView{base: b, head: head, evidence: e, files: b.findFiles(c, head, e)}
	if names := v.files.renamed; e.trace != nil && len(names) > 0 {
		v.trace = oldTrace(e.trace, names.ref)
	}
	v.tools = sync.OnceValue(v.findTools)
	out := &report.BaseJudgement{Case: b.report.ID, Renames: v.renames(), Servers: v.files.renamed.renames(), SameRuns: b.sameRuns(c, head, e)}
	out.Gone = v.gone(out.Renames)
	if verdict != judge.Pass && verdict != judge.Skipped {
		return out
	}
	if out.Fault = v.files.fault; out.Fault != "" {
		return out
	}
	j := v.evaluate(c, out.Renames)
	out.Verdict = j.verdict
	if j.err != nil && len(j.short) == 0 { // it broke, or takes more work than a case may
		out.Fault = j.err.Message
		return out
	}
	out.Reason = v.reason(j, out.Gone)
	return out
}

// baseView shows the evidence of a case of the head to the base's suite.
type baseView struct {
	base *baseCase
	head selectedCase
	evidence
	files *baseFiles
	tools func() serverTools // by findTools, which reads recordings of the base
}

// serverTools are the tools that a case's servers have by the base's files and by the head's; nil where nothing is known.
type serverTools struct {
	before, after *catalog.Catalog
	was           *trace.Trace // the base's runs; nil where they cannot be read
}

// evaluate has the gates and expectations of the base's case judge.
func (v *baseView) evaluate(c *checker, renames report.Renames) (j judgement) {
	one, before := *v.base.Case, beforeRenames(renames)
	one.Servers, one.ServerNames = oldServers(v.files.servers, before), v.files.names
	if _, priced := v.base.suite.Pricing[v.head.Model]; priced {
		one.Model = v.head.Model
	}
	defer survive(one.Pos, func(err *judge.Problem) { j = judgement{verdict: judge.Error, err: err} })
	e := evidence{ofHead: true}
	if one.Kind == suite.AgentTest {
		e.trace = oldTrace(v.runs(), before)
	} else {
		e.trace = c.catalogTrace(&one, oldCatalog(v.files.catalog, before))
	}
	return c.judge(selectedCase{suite: v.base.suite, Case: &one}, assessment{evidence: e})
}

// runs returns the head's runs; none where they could not be read.
func (v *baseView) runs() *trace.Trace {
	if v.trace == nil {
		return &trace.Trace{}
	}
	return v.trace
}

// reason returns the message of the first thing that fails by the base's suite; "" when nothing does, or nothing that
// the head's author answers for: a gate that needs a tool which is gone cannot hold.
func (v *baseView) reason(j judgement, gone nameSet) string {
	if len(j.short) > 0 {
		return j.short[0].Msg
	}
	if j.verdict == judge.Pass || j.verdict == judge.Skipped {
		return ""
	}
	for i, g := range j.gates {
		if message := failure(&g); message != "" && !v.base.Checks[i].Plan.Lacks(gone.has) {
			return message
		}
	}
	for _, e := range j.expect {
		if e.Verdict == judge.Fail && !slices.ContainsFunc(v.base.Expect.NamesOf(e.Target), gone.has) {
			return fmt.Sprintf("run %d: %s", e.Run, e.Message)
		}
	}
	for _, e := range j.counted.list {
		if e.Failed > 0 && !slices.ContainsFunc(v.base.Expect.NamesOf(e.Target), gone.has) {
			return fmt.Sprintf("%s: %s is not %s", judge.CountOf(e.Failed, "run"), e.Target, e.Matcher)
		}
	}
	return ""
}

// failure returns the reason why a gate does not pass; "" when it does.
func failure(g *judge.Result) string {
	if g.Err != nil {
		return g.Err.Message
	}
	for _, a := range g.Assertions {
		if a.Verdict == judge.Fail {
			return cmp.Or(a.Message, a.Target+" is not "+a.Matcher)
		}
	}
	return ""
}

// gone returns the tools that the base's case names and had, and that the head's has no more, under any name: one that was renamed
// is there, whether or not the head's case follows.
func (v *baseView) gone(renames report.Renames) nameSet {
	named := namesIn(v.base.Case).without(v.headNames())
	if len(named) == 0 {
		return nil
	}
	tools := v.tools()
	if tools.after == nil {
		return nil
	}
	had, has := namesOf(tools.before), namesOf(oldCatalog(tools.after, beforeRenames(renames)))
	offered := namesOf(v.offered())
	named = slices.DeleteFunc(named, func(name string) bool { return !had[name] || has[name] || offered[name] })
	if len(named) == 0 {
		return nil
	}
	for _, pair := range catalog.Pairs(tools.before, tools.after).Renamed {
		has[pair.Base.Name], has[pair.Base.Ref().ID()] = true, true
	}
	return slices.DeleteFunc(named, func(name string) bool { return has[name] })
}

// offered returns the tools that the head's runs were offered, as far as they were recorded. Runs that the base has, too,
// were offered the base's tools.
func (v *baseView) offered() *catalog.Catalog {
	tr := v.runs()
	if v.sameRuns() {
		return catalog.Merge(tr.Recorded, v.tools().before)
	}
	if tr.Recorded == nil {
		return nil
	}
	return tr.Recorded.Without(tr.Distractors)
}

// sameRuns reports whether the head's recordings are the base's.
func (v *baseView) sameRuns() bool {
	return staleness.SameRecordings(v.base.report.Recordings, v.recordings)
}

// namesOf returns the names by which a suite can name the tools.
func namesOf(cat *catalog.Catalog) map[string]bool {
	names := map[string]bool{}
	if cat == nil {
		return names
	}
	for _, t := range cat.Tools {
		names[t.Name], names[t.Ref().ID()] = true, true
	}
	return names
}

// findTools finds the tools of a case's servers: by their snapshots, and by the recording for servers without one.
func (v *baseView) findTools() serverTools {
	var t serverTools
	if v.base.Kind == suite.AgentTest {
		t.was = v.base.checker.read(v.base.selectedCase).trace // its mistakes are the base's
	}
	before, after := v.base.Servers, v.files.servers
	if v.base.Kind == suite.AgentTest { // which has the tools of all servers where it names none
		if v.base.ServerNames == nil {
			before = v.base.suite.Servers
		}
		if v.files.names == nil {
			after = v.files.serversOf(v.base.suite.Servers, v.head.suite.Servers)
		}
	}
	t.before = toolsBy(before, v.base.Case.Catalog, t.was)
	t.after = toolsBy(after, v.files.catalog, v.trace)
	return t
}

// toolsBy returns the tools of servers, of a case's own catalog, and of its runs for servers without a snapshot.
func toolsBy(servers []*suite.Server, cat *catalog.Catalog, tr *trace.Trace) *catalog.Catalog {
	cats := []*catalog.Catalog{cat}
	hasSnapshot := map[string]bool{}
	for _, server := range servers {
		cats = append(cats, server.Snapshot)
		hasSnapshot[server.Name] = server.Snapshot != nil
	}
	if tr != nil && tr.Recorded != nil {
		recorded := tr.Recorded.Without(tr.Distractors)
		recorded.Tools = slices.DeleteFunc(recorded.Tools, func(t *catalog.Tool) bool { return hasSnapshot[t.Server] })
		cats = append(cats, recorded)
	}
	return catalog.Merge(cats...)
}
