package gates

import (
	"fmt"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
)

type searchCounts struct {
	runs, found, picked int
	rank                int
	searches, most      int // number of searches in all runs, and in the run with the most
	loads               int // number of calls that loaded tools by name
	empty               int // number of searches that returned nothing
	unkept              int // number of searches with unknown results
	loaded, unused      int
	tokens              trace.Count // the largest number of loaded tokens in a run
	why                 string      // the reason why tokens is unknown
	missing             []int       // for each class, the number of runs that did not find one of its tools
}

// Measure counts the results of searches, and the calls after them.
func (g *toolSearch) Measure(tr *trace.Trace) judge.Measurement {
	c := searchCounts{runs: len(tr.Runs), tokens: trace.Count{Known: true}, missing: make([]int, len(g.sought))}
	hunter := judge.NewHunter(g.sought, g.servers, tr)
	deferral := tr.Deferral
	if deferral == nil {
		deferral = &trace.Deferral{Why: "the recording does not say which tools were deferred"}
	}
	for i := range tr.Runs {
		c.countRun(&tr.Runs[i], hunter.Run(&tr.Runs[i]), deferral)
	}
	return g.measurement(&c, deferral)
}

func (c *searchCounts) countRun(run *trace.Run, hunts []judge.Hunt, deferral *trace.Deferral) {
	found, picked := true, true
	for i, hunt := range hunts {
		if !hunt.Found {
			c.missing[i]++
		}
		found, picked = found && hunt.Found, picked && hunt.Picked
		c.rank = max(c.rank, hunt.Rank)
	}
	if found {
		c.found++
	}
	if found && picked {
		c.picked++
	}
	c.addSearches(run)
	c.addLoad(run, deferral)
}

func (c *searchCounts) addSearches(run *trace.Run) {
	n := 0
	for i := range run.Calls {
		search := run.Calls[i].Search()
		if search == nil {
			continue
		}
		if search.Tools == nil {
			c.unkept++
		}
		if search.ByName {
			c.loads++
			continue
		}
		n++
		if search.Tools != nil && len(search.Tools) == 0 {
			c.empty++
		}
	}
	c.searches += n
	c.most = max(c.most, n)
}

// addLoad counts the tools that a run found or loaded, and how many of them the run did not call.
func (c *searchCounts) addLoad(run *trace.Run, deferral *trace.Deferral) {
	load := deferral.Loaded(run)
	called := map[catalog.Ref]bool{}
	for i := range run.Calls {
		called[run.Calls[i].Tool.Ref] = true
	}
	for _, ref := range load.Tools {
		c.loaded++
		if !called[ref] {
			c.unused++
		}
	}
	switch {
	case !c.tokens.Known:
	case !load.Tokens.Known:
		c.tokens, c.why = load.Tokens, load.Why
	default:
		c.tokens.N = max(c.tokens.N, load.Tokens.N)
	}
}

// noSearch is the reason why figures are absent if no run searched.
const noSearch = "no run searched for tools or loaded one by name; record or import runs of a client that defers tools, such as Claude Code or Codex"

func (g *toolSearch) measurement(c *searchCounts, deferral *trace.Deferral) judge.Measurement {
	m := judge.Measurement{Values: map[string]judge.Value{}, Absent: map[string]string{}, Detail: map[string]string{}}
	if c.searches+c.loads == 0 {
		m.Absent = allAbsent(searchTargets, noSearch)
		return m
	}
	m.Counts = map[string]int{"runs": c.runs, "searches": c.searches, "loads": c.loads}
	m.Values[searchesTarget] = judge.Int(c.most, judge.Number)
	if c.unkept > 0 {
		why := fmt.Sprintf("the recording does not keep what %s returned", judge.CountOf(c.unkept, "search call"))
		for _, target := range []string{foundTarget, pickedTarget, rankTarget, emptyTarget, unusedTarget} {
			m.Absent[target] = why
		}
	} else {
		c.addSteps(&m)
		m.Detail[foundTarget] = g.detail(c)
	}
	addTokens(&m, loadedTokensTarget, c.tokens, c.why)
	addTokens(&m, upfrontTarget, deferral.Upfront, deferral.Why)
	return m
}

func addTokens(m *judge.Measurement, target string, n trace.Count, why string) {
	if !n.Known {
		m.Absent[target] = why
		return
	}
	m.Values[target] = judge.Ratio(n.N, 1, judge.Tokens)
}

func (c *searchCounts) addSteps(m *judge.Measurement) {
	m.Counts["found"], m.Counts["picked"] = c.found, c.picked
	m.Values[foundTarget] = share(c.found, c.runs)
	m.Values[emptyTarget] = judge.Int(c.empty, judge.Number)
	for _, one := range []struct {
		target string
		known  bool
		value  func() judge.Value
		why    string
	}{
		{pickedTarget, c.found > 0, func() judge.Value { return share(c.picked, c.found) }, "no run found the tools that it needs"},
		{rankTarget, c.rank > 0, func() judge.Value { return judge.Int(c.rank, judge.Number) }, "no search returned a tool that is needed"},
		{unusedTarget, c.loaded > 0, func() judge.Value { return share(c.unused, c.loaded) }, "no search returned a tool of a server"},
	} {
		if one.known {
			m.Values[one.target] = one.value()
		} else {
			m.Absent[one.target] = one.why
		}
	}
	m.Detail[pickedTarget] = fmt.Sprintf("%d of %s that found the tools picked them", c.picked, judge.CountOf(c.found, "run"))
}

func (g *toolSearch) detail(c *searchCounts) string {
	detail := fmt.Sprintf("%d of %s found what they need", c.found, judge.CountOf(c.runs, "run"))
	var missing []string
	for i, n := range c.missing {
		if n > 0 {
			missing = append(missing, g.sought[i].Name)
		}
	}
	if len(missing) > 0 {
		detail += "; not found: " + lists.FirstFive(missing)
	}
	return detail
}
