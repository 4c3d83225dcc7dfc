package html

import (
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// Bounds of the runs of one case. Runs that went alike share a row, so that many runs of a case are few rows.
const (
	mostRunRows = 50
	mostCalls   = 40 // of one run
)

// alike are the runs of a case that called the same tools with the same outcome.
type alike struct {
	row       *report.Row // the first of them
	runs      []int
	low, high int64 // tokens of those that have some; high is -1 when none has
	marks     []mark
}

// mark is how the notes of the gates see a call of a run.
type mark byte

const (
	unmarked mark = iota
	right         // it satisfied a class
	wrong         // there is a note on it
)

// runs are the runs of a case as lines of the tools that were called, in the order of their first calls.
func (d *document) runs(c *report.Case) markup {
	rows := c.RowsOf(d.options.Run)
	if len(rows) == 0 {
		if d.options.Run > 0 {
			return "<p class=dim>" + escaped(c.Lacks(d.options.Run)) + "\n"
		}
		return ""
	}
	groups := groupRuns(c, rows)
	judged := len(c.Expect) > 0
	columns := []markup{"Runs", "Verdict", "Selected", "Tools, in the order of their first calls", "Tokens:"}
	return newTable("runs", columns, len(groups), mostRunRows, func(i int) []markup {
		g := groups[i]
		verdict := markup("")
		if g.row.IsJudged(judged) {
			verdict = chip(g.row.Verdict)
		}
		return []markup{runNumbers(g.runs), verdict, selected(g.row), g.timeline(), g.tokens()}
	}).write()
}

// groupRuns puts runs together that went alike, in the order of the first run of each group.
func groupRuns(c *report.Case, rows []report.Row) []*alike {
	marks := marksOf(c)
	byKey := map[string]*alike{}
	var groups []*alike
	for i := range rows {
		row := &rows[i]
		called := marks.of(row)
		key := keyOfRun(row, called)
		g := byKey[key]
		if g == nil {
			g = &alike{row: row, marks: called, high: -1}
			byKey[key], groups = g, append(groups, g)
		}
		g.add(row)
	}
	return groups
}

// keyOfRun is the same for runs that went alike.
func keyOfRun(row *report.Row, marks []mark) string {
	parts := []string{string(row.Verdict), string(row.Err), string(selected(row))}
	for _, m := range marks {
		parts = append(parts, string('0'+m))
	}
	if row.IsOverBudget() {
		parts = append(parts, "over")
	}
	return strings.Join(append(parts, row.Called...), "\x00")
}

func (g *alike) add(row *report.Row) {
	g.runs = append(g.runs, row.Run)
	if row.Tokens == nil {
		return
	}
	if g.high < 0 {
		g.low = *row.Tokens
	}
	g.low, g.high = min(g.low, *row.Tokens), max(g.high, *row.Tokens)
}

// runNumbers writes the numbers of runs, and how many they are.
func runNumbers(runs []int) markup {
	text := markup(strings.TrimPrefix(strings.TrimPrefix(report.Numbers(runs), "runs "), "run "))
	if len(runs) > 2 {
		text += " <small>" + counted(len(runs), "run") + "</small>"
	}
	return text
}

func selected(row *report.Row) markup {
	switch {
	case row.RowSelection == nil:
		return ""
	case row.Selected:
		return "yes"
	}
	return "no"
}

// timeline is the line of calls, each with a mark where a note is about it.
func (g *alike) timeline() markup {
	if g.row.Err != "" {
		return "did not finish: " + message(string(g.row.Err)) + g.calls()
	}
	if len(g.row.Called) == 0 {
		return "<i>nothing</i>"
	}
	return g.calls()
}

func (g *alike) calls() markup {
	if len(g.row.Called) == 0 {
		return ""
	}
	classes := [...]markup{unmarked: "", right: " class=ok", wrong: " class=no"}
	text := markup("<ol class=calls>")
	for i, tool := range g.row.Called[:min(len(g.row.Called), mostCalls)] {
		text += "<li" + classes[g.marks[i]] + ">" + escaped(report.Cut(tool, maxName))
	}
	if left := len(g.row.Called) - mostCalls; left > 0 {
		text += "<li>and " + count(left) + " more"
	}
	return text + "</ol>"
}

// tokens are those of the runs, from the least to the most.
func (g *alike) tokens() markup {
	if g.high < 0 {
		return ""
	}
	text := markup(report.Thousands(g.low))
	if g.high != g.low {
		text += " to " + markup(report.Thousands(g.high))
	}
	if g.row.IsOverBudget() {
		text += " <small>over budget</small>"
	}
	return text
}

// called is a tool in a run.
type called struct {
	run  int
	tool string
}

// marks are the calls that notes are about.
type marks map[called]mark

// marksOf reads the notes of a case's gates: a tool that satisfied a class is right, one that another note names is wrong.
func marksOf(c *report.Case) marks {
	m := marks{}
	for i := range c.Gates {
		for _, n := range c.Gates[i].Notes {
			kind := judge.KindOf(n.Kind)
			tool, sign := n.Subject, wrong
			if kind.Right {
				tool, sign = n.Text, right
			}
			for _, run := range n.Runs {
				at := called{run, tool}
				m[at] = max(m[at], sign)
			}
		}
	}
	return m
}

// of returns the marks of the tools that a run called.
func (m marks) of(row *report.Row) []mark {
	list := make([]mark, len(row.Called))
	for i, tool := range row.Called {
		list[i] = m[called{row.Run, tool}]
	}
	return list
}
