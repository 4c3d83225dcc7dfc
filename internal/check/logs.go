package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/imports"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// readLogs reads the runs of a case from logs of another program. Each part of the logs that is not in the runs becomes a
// warning at the position in the suite that names the logs.
func (c *checker) readLogs(s selectedCase, files []string, keep trace.Keep, e *evidence) (*trace.Trace, source.Errors) {
	rules, err := redact.New(redact.Config{Keys: s.Suite.Redact.Keys, Patterns: s.Suite.Redact.Patterns, Allow: s.Suite.Redact.Allow})
	if err != nil {
		return nil, source.Errors{{Pos: s.CassettePos, Msg: err.Error()}}
	}
	o := imports.InPlace{
		Options: imports.Options{Format: s.Log.Format, Split: s.Log.Split, Subagents: s.Log.Subagents},
		Where:   s.Log.Where, Keep: keep, Rules: rules, At: s.CassettePos,
	}
	declared := lists.Map(s.Suite.Servers, func(server *suite.Server) string { return server.Name })
	o.Servers = append(declared, s.ServerNames...)
	if len(s.ServerNames) == 1 {
		o.Lone = s.ServerNames[0]
	}
	tr, account, errs := imports.ReadTrace(c.fsys, files, o)
	if tr != nil {
		tr.InPlace = true
	}
	notes := account.Notes()
	if account.Runs > 0 && account.Calls == 0 {
		notes = append(notes, "no run called a tool")
	}
	for _, note := range notes {
		e.notes = append(e.notes, sharedWarning{s.CassettePos, note, s.DisplayName()})
	}
	return tr, errs
}

// keepsApart reports whether calls of the agent's own tools are hidden from the gates. They are not hidden if the suite declares a
// server with the name of BuiltinServer, because the suite then means that server.
func (s selectedCase) keepsApart(tr *trace.Trace) bool {
	declared := slices.ContainsFunc(s.Suite.Servers, func(server *suite.Server) bool { return server.Name == trace.BuiltinServer })
	return !declared && !slices.Contains(s.ServerNames, trace.BuiltinServer) && !s.CountsBuiltins(tr.Builtins)
}

// countHiddenBuiltins counts the calls of the agent's own tools that no gate sees, the most called tool first.
func (s selectedCase) countHiddenBuiltins(tr *trace.Trace) []report.BuiltinCalls {
	isHidden := judge.Hidden(s.keepsApart(tr), s.namedBuiltins())
	readsSearches := slices.ContainsFunc(s.Checks, func(check judge.Check) bool {
		_, reads := check.Plan.Measurer.(judge.Searcher)
		return reads
	})
	var list []report.BuiltinCalls
	at := map[string]int{}
	for i := range tr.Runs {
		callsInRun := map[string]int{}
		for _, call := range tr.Runs[i].Calls {
			isJudgedSearch := readsSearches && call.Search() != nil
			if isHidden(call) && !isJudgedSearch {
				callsInRun[call.Tool.Name]++
			}
		}
		for tool, calls := range callsInRun {
			sum := lists.ElementFor(&list, at, tool, report.BuiltinCalls{Tool: tool})
			sum.Calls, sum.Runs = sum.Calls+calls, sum.Runs+1
		}
	}
	lists.SortStable(list, func(a, b *report.BuiltinCalls) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Tool, b.Tool))
	})
	return list
}

// namedBuiltins returns the agent's own tools that gates or expectations of the case name.
func (s selectedCase) namedBuiltins() []string {
	byGates := slices.Concat(lists.Map(s.Checks, judge.Check.Builtins)...)
	return append(judge.BuiltinsOf(s.Expect.Names()), byGates...)
}

// unqualifiedWarnings returns a warning for each gate that did not pass and that names a tool with its server, while calls name
// probably the same tool without a server. The gate treats the two as different tools.
func (s selectedCase) unqualifiedWarnings(tr *trace.Trace, results []judge.Result) []report.Problem {
	bare := map[string]int{}
	for i := range tr.Runs {
		for _, call := range tr.Runs[i].Calls {
			if call.Tool.Server == "" {
				bare[call.Tool.Name]++
			}
		}
	}
	var list []report.Problem
	for i, check := range s.Checks {
		if len(bare) == 0 || i >= len(results) || results[i].Verdict == judge.Pass {
			continue
		}
		for _, m := range check.Plan.Members {
			server, tool, hasDot := strings.Cut(m.Name, ".")
			namesServer := hasDot && slices.Contains(s.ServerNames, server)
			if !namesServer || bare[tool] == 0 || bare[m.Name] > 0 {
				continue
			}
			list = append(list, problemAt(&source.Error{Pos: m.Pos, Msg: fmt.Sprintf(
				"%q names a server, and %s of %q without one, so that they are other tools; name the tool without its server, or give the calls one",
				m.Name, thereAreCalls(bare[tool]), tool)}))
			break
		}
	}
	return list
}

// thereAreCalls returns "there is 1 call", "there are 2 calls".
func thereAreCalls(n int) string {
	verb := "are"
	if n == 1 {
		verb = "is"
	}
	return "there " + verb + " " + judge.CountOf(n, "call")
}
