package check

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// judge says how the base's suite judges the evidence of the head's case k, which has been evaluated. A case that does not
// pass by the head's suite has not been softened.
func (b *baseCase) judge(k *caseCheck) *report.BaseJudgement {
	v := &baseView{base: b, head: k}
	out := &report.BaseJudgement{Case: b.report.ID, Renames: v.renames()}
	if k.out.Verdict != gates.Pass && k.out.Verdict != gates.Skipped {
		return out
	}
	j := v.evaluate(out.Renames)
	out.Verdict = j.out.Verdict
	if j.out.Err != nil && len(j.short) == 0 { // it broke, or takes more work than a case may
		out.Fault = j.out.Err.Message
		return out
	}
	out.Reason = v.reason(j, out.Renames)
	return out
}

// baseView shows the evidence of a case of the head to the base's suite.
type baseView struct {
	base *baseCase
	head *caseCheck

	before, after *catalog.Catalog // see tools
	known         bool             // before and after were looked for
}

// evaluate has the gates and expectations of the base's case judge.
func (v *baseView) evaluate(renames []report.Rename) (j *caseCheck) {
	old := oldNames(renames)
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
func (v *baseView) reason(j *caseCheck, renames []report.Rename) string {
	if len(j.short) > 0 {
		return j.short[0].Msg
	}
	if j.out.Verdict == gates.Pass || j.out.Verdict == gates.Skipped {
		return ""
	}
	gone := v.gone(renames)
	for i, g := range j.out.Gates {
		if message := failure(&g); message != "" && !j.Checks[i].Plan.Lacks(gone) {
			return message
		}
	}
	for _, e := range j.out.Expect {
		if e.Verdict == gates.Fail && !slices.ContainsFunc(j.Expect.NamesOf(e.Target), gone) {
			return fmt.Sprintf("run %d: %s", e.Run, e.Message)
		}
	}
	return ""
}

// failure returns why a gate does not pass; "" when it does.
func failure(g *gates.Result) string {
	if g.Err != nil {
		return g.Err.Message
	}
	for _, a := range g.Assertions {
		if a.Verdict == gates.Fail {
			return cmp.Or(a.Message, a.Target+" is not "+a.Matcher)
		}
	}
	return ""
}

// gone returns whether the base's case had a tool that the head's has not, under its old name or another.
func (v *baseView) gone(renames []report.Rename) func(name string) bool {
	before, after := v.tools()
	had, has := namesOf(before), namesOf(oldNames(renames).catalog(after))
	return func(name string) bool { return had[name] && after != nil && !has[name] }
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
	v.after = toolsBy(v.head.selectedCase, v.head.judged)
	k := &caseCheck{checker: v.base.checker, selectedCase: v.base.selectedCase}
	var tr *trace.Trace
	if k.Kind == suite.AgentTest && !k.allSnapshots() {
		tr = k.read() // that it cannot be read is for the base to say
	}
	v.before = toolsBy(v.base.selectedCase, tr)
	return v.before, v.after
}

func toolsBy(s selectedCase, tr *trace.Trace) *catalog.Catalog {
	cats := []*catalog.Catalog{s.Case.Catalog}
	hasSnapshot := map[string]bool{}
	for _, server := range s.Servers {
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
