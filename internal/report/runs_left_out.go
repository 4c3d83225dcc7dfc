package report

import (
	"cmp"
	"maps"
	"slices"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
)

// WithoutPassingRuns returns the report without the single runs of cases that pass or are skipped, because renderings show
// these only on request. It removes their rows, their results of tool_selection, their assertions on each run, and the notes
// about right calls. It counts what it removes in [CaseCut]. The report of a shard keeps everything, because the merged report
// can be written in other formats.
func (r *Report) WithoutPassingRuns() *Report {
	if r.Shard != nil {
		return r
	}
	lean := *r
	lean.Cases = make([]Case, len(r.Cases))
	for i := range r.Cases {
		lean.Cases[i] = r.Cases[i]
		if v := r.Cases[i].Verdict; v == judge.Pass || v == judge.Skipped {
			lean.Cases[i].leaveOutRuns()
		}
	}
	return &lean
}

func (c *Case) leaveOutRuns() {
	if len(c.Rows)+len(c.Expect) == 0 {
		return
	}
	c.Gates = slices.Clone(c.Gates)
	for i := range c.Gates {
		leaveOutRightNotes(&c.Gates[i])
	}
	cut := &CaseCut{Runs: c.countCutRows() + len(c.Rows)}
	cut.Expect = lists.Map(c.RunExpectations(), func(e RunExpectation) CutExpect { return e.CutExpect })
	c.Rows, c.Expect, c.Cut = []Row{}, []RunAssertion{}, cut
	if c.ToolSelection != nil {
		found := *c.ToolSelection
		found.Runs = []judge.SelectionRun{}
		c.ToolSelection = &found
	}
}

func leaveOutRightNotes(g *judge.Result) {
	isRight := func(n judge.Note) bool { return judge.KindOf(n.Kind).Right }
	if !slices.ContainsFunc(g.Notes, isRight) {
		return
	}
	cut := maps.Clone(g.NotesCut)
	if cut == nil {
		cut = map[string]int{}
	}
	var kept []judge.Note
	for _, n := range g.Notes {
		if isRight(n) {
			cut[n.Kind]++
		} else {
			kept = append(kept, n)
		}
	}
	g.Notes, g.NotesCut = kept, cut
}

// defaultSettings are settings that every test of an agent has, with their default values.
var defaultSettings = map[string]string{"allow_run_errors": "0", "runs": "1", "stale_catalog": "default"}

// impliedSettings returns the settings that follow from the rest of the case: the defaults of a test of an agent, and the
// presence of its gates.
func (c *Case) impliedSettings() (list []Setting) {
	for key, value := range defaultSettings {
		list = append(list, Setting{Key: key, Value: value, Line: c.Line})
	}
	for i := range c.Gates {
		list = append(list, Setting{Key: c.Gates[i].Gate, Value: judge.GatePresent, Line: c.Gates[i].Line})
	}
	return list
}

// withoutImplied returns the case without the settings that [Read] restores.
func (c *Case) withoutImplied() *Case {
	if c.Kind != "" {
		return c
	}
	lean, implied := *c, c.impliedSettings()
	lean.Settings = slices.DeleteFunc(slices.Clone(c.Settings), func(s Setting) bool { return slices.Contains(implied, s) })
	return &lean
}

// addImplied adds the settings that follow from the rest of the case. It does nothing if the case has no settings, because
// settings were not asked for then.
func (c *Case) addImplied() {
	if c.Kind != "" || len(c.Settings) == 0 {
		return
	}
	for _, implied := range c.impliedSettings() {
		if slices.ContainsFunc(c.Settings, func(s Setting) bool { return s.Key == implied.Key }) {
			continue
		}
		at, _ := slices.BinarySearchFunc(c.Settings, implied.Key, func(s Setting, key string) int { return cmp.Compare(s.Key, key) })
		c.Settings = slices.Insert(c.Settings, at, implied)
	}
}
