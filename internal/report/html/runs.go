package html

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
)

// These constants bound the runs that are shown of one case. Runs with the same calls and outcome share a row, so most cases need
// few rows.
const (
	maxRunRows  = 50
	maxRunCalls = 40 // calls of one run
)

// These constants bound the calls in all timelines of a page. A page may have maxCalls, less callsByCase for each case of the
// report, but at least minCalls.
const (
	maxCalls    = 3000
	callsByCase = 9
	minCalls    = 300
)

// runGroup is a group of runs of a case that called the same tools and had the same outcome.
type runGroup struct {
	row       *report.Row // the row of the first run
	runs      []int
	low, high int64            // least and greatest number of tokens, of the runs that have a count; high is -1 if none has
	line      *report.Timeline // nil if none of these runs has a timeline
	marks     []mark           // one for each call of line, or for each tool of row if line is nil
}

// mark is the judgement of a call, taken from the notes of the gates.
type mark byte

const (
	unmarked mark = iota
	right         // the call satisfied a class
	wrong         // a note is about the call
)

// runs returns the table of the runs of a case. A row shows the calls in order, or only the called tools if the report has no
// timeline.
func (d *document) runs(c *report.Case) markup {
	rows := c.RowsOf(d.options.Run)
	if len(rows) == 0 {
		if d.options.Run > 0 {
			return "<p class=dim>" + escaped(c.MissingRun(d.options.Run)) + "\n"
		}
		return ""
	}
	lines, callsTitle := d.timelinesByRun(c), markup("Tools, in the order of their first calls")
	if len(lines) > 0 {
		callsTitle = "Calls, in order"
	}
	groups := groupRuns(c, rows, lines)
	judged := c.ExpectsOfRuns()
	columns := []markup{"Runs", "Verdict", "Selected", callsTitle, "Tokens:"}
	return newTable("runs", columns, len(groups), maxRunRows, func(i int) []markup {
		g := groups[i]
		verdict := markup("")
		if g.row.IsJudged(judged) {
			verdict = chip(g.row.Verdict)
		}
		calls := g.timeline()
		isException := g.line == nil && len(lines) > 0 // other rows show every call
		if isException && len(g.row.Called) > 0 {
			calls += " <small>each tool once</small>"
		}
		return []markup{runNumbers(g.runs), verdict, markup(tell.Selected(g.row)), calls, g.tokens()}
	}).write()
}

// groupRuns groups runs with the same calls and outcome, in the order of the first run of each group.
func groupRuns(c *report.Case, rows []report.Row, lines map[int]*report.Timeline) []*runGroup {
	marks := marksOf(c)
	type groupKey struct {
		outcome string
		line    *report.Timeline
	}
	byKey := map[groupKey]*runGroup{}
	var groups []*runGroup
	for i := range rows {
		row := &rows[i]
		line := lines[row.Run]
		tools, _ := toolsOf(row, line)
		callMarks := marks.of(row.Run, tools)
		key := groupKey{keyOfRun(row, callMarks), line}
		g := byKey[key]
		if g == nil {
			g = &runGroup{row: row, line: line, marks: callMarks, high: -1}
			byKey[key], groups = g, append(groups, g)
		}
		g.addRun(row)
	}
	return groups
}

// timelinesByRun returns the timelines of a case, by run. It counts and leaves out the timelines for whose shown calls the page has
// no room left.
func (d *document) timelinesByRun(c *report.Case) map[int]*report.Timeline {
	lines := map[int]*report.Timeline{}
	for i := range c.Timelines {
		line := &c.Timelines[i]
		if d.options.Run > 0 && !slices.Contains(line.Runs, d.options.Run) {
			continue
		}
		calls := min(len(line.Calls), maxRunCalls)
		if calls > d.calls {
			d.withoutRoom++
			continue
		}
		d.calls -= calls
		for _, run := range line.Runs {
			lines[run] = line
		}
	}
	return lines
}

// noteWithoutRoom returns a note on how many timelines of the previous cases were left out; "" if none was.
func (d *document) noteWithoutRoom() markup {
	n := d.withoutRoom
	d.withoutRoom = 0 // the page mentions each timeline once
	if n == 0 {
		return ""
	}
	return "<p class=dim>and " + counted(n, "more timeline") + ", for which the page has no room: these runs show each tool once\n"
}

// toolsOf returns the tools of the first calls of a run. Without a timeline, it returns each called tool once. left is the
// number of calls or tools that are left out.
func toolsOf(row *report.Row, line *report.Timeline) (tools []string, left int) {
	if line == nil {
		shown := min(len(row.Called), maxRunCalls)
		return row.Called[:shown], len(row.Called) - shown
	}
	shown := min(len(line.Calls), maxRunCalls)
	for _, c := range line.Calls[:shown] {
		tools = append(tools, c.Tool)
	}
	return tools, len(line.Calls) - shown + line.More
}

// keyOfRun returns a key that is equal for runs with the same calls and outcome. Its parts are quoted, because the name of a tool
// can contain any separator.
func keyOfRun(row *report.Row, marks []mark) string {
	parts := []string{string(row.Verdict), string(row.Err), tell.Selected(row)}
	for _, m := range marks {
		parts = append(parts, string('0'+m))
	}
	if row.IsOverBudget() {
		parts = append(parts, "over")
	}
	return fmt.Sprintf("%q", append(parts, row.Called...))
}

func (g *runGroup) addRun(row *report.Row) {
	g.runs = append(g.runs, row.Run)
	if row.Tokens == nil {
		return
	}
	if g.high < 0 {
		g.low = *row.Tokens
	}
	g.low, g.high = min(g.low, *row.Tokens), max(g.high, *row.Tokens)
}

func runNumbers(runs []int) markup {
	text := markup(strings.TrimPrefix(strings.TrimPrefix(report.Numbers(runs, 0), "runs "), "run "))
	if len(runs) > 2 {
		text += " <small>" + counted(len(runs), "run") + "</small>"
	}
	return text
}

// timeline returns the line of calls. A call that a note is about has a mark.
func (g *runGroup) timeline() markup {
	if g.row.Err != "" {
		return "did not finish: " + message(string(g.row.Err)) + g.calls()
	}
	if len(g.row.Called) == 0 {
		return "<i>nothing</i>"
	}
	return g.calls()
}

func (g *runGroup) calls() markup {
	if len(g.row.Called) == 0 {
		return ""
	}
	classes := [...]markup{unmarked: "", right: " class=ok", wrong: " class=no"}
	var text strings.Builder
	tools, left := toolsOf(g.row, g.line)
	for i, tool := range tools {
		text.WriteString(string("<li" + classes[g.marks[i]] + ">" + escaped(report.Cut(tool, maxName)) + g.arguments(i) + g.callDetails(i)))
	}
	if left > 0 {
		text.WriteString("<li>and " + string(count(left)) + " more")
	}
	return "<ol class=calls>" + markup(text.String()) + "</ol>"
}

func (g *runGroup) arguments(i int) markup {
	if g.line == nil {
		return ""
	}
	return escaped(tell.Arguments(&g.line.Calls[i]))
}

func (g *runGroup) callDetails(i int) markup {
	if g.line == nil {
		return ""
	}
	c := &g.line.Calls[i]
	var parts []markup
	if c.Failed {
		parts = append(parts, "failed")
	}
	if c.MS != nil {
		took := markup(report.Thousands(*c.MS))
		if c.MostMS != nil {
			took += " to " + markup(report.Thousands(*c.MostMS))
		}
		parts = append(parts, took+" ms")
	}
	if c.Agent != "" {
		parts = append(parts, "by "+escaped(report.Cut(string(c.Agent), maxName)))
	}
	if len(parts) == 0 {
		return ""
	}
	return " <small>" + join(", ", parts...) + "</small>"
}

// tokens returns the tokens of the runs: one number, or the least and the greatest.
func (g *runGroup) tokens() markup {
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

// called is a tool that was called in a run.
type called struct {
	run  int
	tool string
}

// marks has the marks of the called tools that notes are about.
type marks map[called]mark

// marksOf reads the notes of a case's gates. A tool that satisfied a class is right, and a tool in any other note is wrong.
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

func (m marks) of(run int, tools []string) []mark {
	return lists.Map(tools, func(tool string) mark { return m[called{run, tool}] })
}
