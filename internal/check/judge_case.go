package check

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// judge says how the base's suite judges the evidence of the head's case k, which has been evaluated. A case that does not
// pass by the head's suite has not been softened.
func (b *baseCase) judge(k *caseCheck) *report.BaseJudgement {
	v := &baseView{base: b, head: k}
	out := &report.BaseJudgement{Case: b.report.ID, Renames: v.renames()}
	out.Gone = v.gone(out.Renames)
	if k.out.Verdict != judge.Pass && k.out.Verdict != judge.Skipped {
		return out
	}
	j := v.evaluate(out.Renames)
	out.Verdict = j.out.Verdict
	if j.out.Err != nil && len(j.short) == 0 { // it broke, or takes more work than a case may
		out.Fault = j.out.Err.Message
		return out
	}
	out.Reason = reason(j, out.Gone)
	return out
}

// baseView shows the evidence of a case of the head to the base's suite.
type baseView struct {
	base *baseCase
	head *caseCheck

	before, after *catalog.Catalog // see tools
	was           *trace.Trace     // the base's runs; nil where they cannot be read
	known         bool             // these were looked for
}

// evaluate has the gates and expectations of the base's case judge.
func (v *baseView) evaluate(renames []report.Rename) (j *caseCheck) {
	old := v.oldNames(renames)
	one := *v.base.Case
	one.Servers, one.ServerNames, one.Catalog = old.servers(v.head.Servers), v.head.ServerNames, old.catalog(v.head.Case.Catalog)
	if _, priced := v.base.suite.Pricing[v.head.Model]; priced {
		one.Model = v.head.Model
	}
	j = &caseCheck{checker: v.head.checker, selectedCase: selectedCase{suite: v.base.suite, Case: &one}, byBase: true}
	defer j.survive()
	if one.Kind == suite.AgentTest {
		j.judgeRuns(old.trace(v.head.runs()))
	} else {
		j.judge(j.catalogTrace(), nil)
	}
	j.conclude()
	return j
}

// runs returns the runs as they were found; none for a case that judges a catalog.
func (k *caseCheck) runs() *trace.Trace {
	if k.judged == nil {
		return &trace.Trace{}
	}
	return k.judged
}

// reason returns the message of the first thing that fails by the base's suite; "" when nothing does, or nothing that
// the head's author answers for: a gate that needs a tool which is gone cannot hold.
func reason(j *caseCheck, gone nameSet) string {
	if len(j.short) > 0 {
		return j.short[0].Msg
	}
	if j.out.Verdict == judge.Pass || j.out.Verdict == judge.Skipped {
		return ""
	}
	for i, g := range j.out.Gates {
		if message := failure(&g); message != "" && !j.Checks[i].Plan.Lacks(gone.has) {
			return message
		}
	}
	for _, e := range j.out.Expect {
		if e.Verdict == judge.Fail && !slices.ContainsFunc(j.Expect.NamesOf(e.Target), gone.has) {
			return fmt.Sprintf("run %d: %s", e.Run, e.Message)
		}
	}
	return ""
}

// failure returns why a gate does not pass; "" when it does.
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

// gone returns the tools that the base's case names and had, and that the head's has no more, under any name.
func (v *baseView) gone(renames []report.Rename) nameSet {
	named := namesIn(v.base.Case).without(namesIn(v.head.Case))
	if len(named) == 0 {
		return nil
	}
	before, after := v.tools()
	if after == nil {
		return nil
	}
	had, has := namesOf(before), namesOf(v.oldNames(renames).catalog(after))
	offered := namesOf(v.offered())
	return slices.DeleteFunc(named, func(name string) bool { return !had[name] || has[name] || offered[name] })
}

// offered returns the tools that the head's runs were offered, as far as they say: a snapshot says less of them. Runs
// that the base has, too, were offered what it had.
func (v *baseView) offered() *catalog.Catalog {
	tr := v.head.runs()
	if v.sameRuns() {
		before, _ := v.tools()
		return catalog.Merge(tr.Recorded, before)
	}
	if tr.Recorded == nil {
		return nil
	}
	return tr.Recorded.Without(tr.Distractors)
}

// sameRuns reports whether the head's recordings are the base's.
func (v *baseView) sameRuns() bool {
	was, is := v.base.report.Recordings, v.head.out.Recordings
	same := func(a, b report.Recording) bool { return a.SHA256 != "" && a.SHA256 == b.SHA256 }
	return len(is) > 0 && slices.EqualFunc(was, is, same)
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

// tools returns the tools that the case's servers have by the base's files and by the head's: by their snapshots, and by
// the recording for servers without one. They are nil where nothing is known.
func (v *baseView) tools() (before, after *catalog.Catalog) {
	if v.known {
		return v.before, v.after
	}
	v.known = true
	if k := (&caseCheck{checker: v.base.checker, selectedCase: v.base.selectedCase}); k.Kind == suite.AgentTest {
		v.was = k.read() // a mistake in it is the base's
	}
	v.before, v.after = toolsBy(v.base.selectedCase, v.was), toolsBy(v.head.selectedCase, v.head.judged)
	return v.before, v.after
}

// toolsBy returns the tools of a case's servers; of all servers of its suite where it names none.
func toolsBy(s selectedCase, tr *trace.Trace) *catalog.Catalog {
	servers := s.Servers
	if s.ServerNames == nil && s.Kind == suite.AgentTest {
		servers = s.suite.Servers
	}
	cats := []*catalog.Catalog{s.Case.Catalog}
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
