package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/org/mcp-gates/internal/gates"
)

// reasons tells of each case that does not pass, or misses what it did not miss before, what is wrong with it.
func (d *document) reasons(most int) string {
	var rows []int
	for _, i := range d.rowsToShow() {
		if p := &d.pairs[i]; broken(d.r.Cases[i].Verdict) || len(p.NewMissed)+len(p.NewUnexpected) > 0 {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 || most == 0 {
		return ""
	}
	shown := rows[:min(len(rows), most)]
	var b strings.Builder
	b.WriteString("#### What went wrong\n\n")
	for _, i := range shown {
		c := &d.r.Cases[i]
		b.WriteString("- " + sign(c.Verdict) + " " + d.heading(c) + "\n")
		lines := d.reasonsOf(i)
		for _, line := range lines[:min(len(lines), most, mostReasons)] {
			b.WriteString("  - " + line + "\n")
		}
		if left := len(lines) - min(most, mostReasons); left > 0 {
			b.WriteString("  - and " + thousands(int64(left)) + " more\n")
		}
	}
	b.WriteString(more(len(rows)-len(shown), "cases"))
	return b.String()
}

// mostReasons bounds what is told of one case.
const mostReasons = 20

// reasonsOf returns what is wrong with a case, a line each: what could not be evaluated, what failed, which classes
// were missed and which tools were not expected.
func (d *document) reasonsOf(i int) []string {
	c, p := &d.r.Cases[i], &d.pairs[i]
	var lines []string
	if c.Err != nil {
		lines = append(lines, codeOf(c.Err.Message, maxMessage)+" at "+d.place(c.Err.Path, c.Err.Line))
	}
	told := map[string]bool{}
	add := func(line string) {
		if !told[line] { // two gates can tell the same
			told[line] = true
			lines = append(lines, line)
		}
	}
	for j := range c.Gates {
		for _, line := range d.failures(c, &c.Gates[j]) {
			add(line)
		}
	}
	for _, line := range expectations(c) {
		add(line)
	}
	for j := range c.Gates {
		for _, line := range d.evidence(c, p, &c.Gates[j]) {
			add(line)
		}
	}
	return lines
}

// failures returns what does not hold of a gate.
func (d *document) failures(c *Case, g *gates.Result) []string {
	if g.Err != nil {
		return []string{code(g.Gate) + ": " + codeOf(g.Err.Message, maxMessage)}
	}
	var lines []string
	for _, line := range g.Lines { // they say it better than the assertions of the block itself
		if breach, ok := strings.CutPrefix(line, "FLOOR "+displayName(c)+": "); ok {
			lines = append(lines, codeOf(breach, maxMessage))
		}
	}
	for i := range g.Assertions {
		a := &g.Assertions[i]
		said := len(lines) > 0 && !strings.Contains(a.Target, ".")
		if a.Verdict == gates.Fail && !said {
			lines = append(lines, failure(g, a))
		}
	}
	return lines
}

// displayName returns the case's name as the lines of gates have it.
func displayName(c *Case) string {
	if len(c.Rows) > 0 {
		row := c.Rows[0].Name
		if end := strings.LastIndex(row, " #"); end >= len(c.Name) && strings.HasPrefix(row, c.Name) {
			return row[:end]
		}
	}
	return c.Name
}

// failure says what an assertion expected and found, after what the suite says to it.
func failure(g *gates.Result, a *gates.Assertion) string {
	own, _, found := strings.Cut(a.Message, ": "+a.Target+" is ")
	lead := ""
	if found && !strings.HasPrefix(a.Message, a.Target+" is ") {
		lead = codeOf(own, maxMessage) + ": "
	}
	if a.Actual == nil {
		return codeOf(cmp.Or(a.Message, a.Target+" is absent"), maxMessage)
	}
	figure := string(metricText(g, a.Target))
	if figure == "" {
		figure = cut(plainActual(a.Actual))
	}
	return lead + code(a.Target) + " is " + code(figure) + ", expected " + code(a.Matcher)
}

// plainActual returns the value that an assertion was made on, for escaping.
func plainActual(value any) string {
	if v, ok := value.(gates.Value); ok {
		return v.Format()
	}
	raw, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		return "a value that cannot be shown"
	}
	return string(raw)
}

// expectations sums up the per-run expectations that do not hold, by what they expect. The values found are left out:
// they are a model's words.
func expectations(c *Case) []string {
	type expected struct{ target, matcher string }
	runs := map[expected][]int{}
	var order []expected
	for _, e := range c.Expect {
		if e.Verdict != gates.Fail && e.Verdict != gates.Error {
			continue
		}
		key := expected{e.Target, e.Matcher}
		if runs[key] == nil {
			order = append(order, key)
		}
		runs[key] = append(runs[key], e.Run)
	}
	lines := make([]string, len(order))
	for i, key := range order {
		lines[i] = code(key.target) + " is not " + code(key.matcher) + " in " + numbers(runs[key])
	}
	return lines
}

// evidence names missed classes, and tools that were called and should not have been.
func (d *document) evidence(c *Case, p *Pair, g *gates.Result) []string {
	var lines []string
	for _, m := range g.Missed {
		line := "missed class " + d.linked(code(m.Class), c.Suite, m.Line) + " in " + numbers(m.Runs)
		if members := c.members(g.Gate, m.Class); len(members) > 0 {
			const most = 4
			line += "; " + codes(members, most) + " would have counted"
		}
		lines = append(lines, line+d.isNew(slices.Contains(p.NewMissed, m.Class)))
	}
	for _, of := range []struct {
		what string
		list []gates.Tally
	}{
		{"unexpected tool ", g.Unexpected}, {"chose distractor ", g.Chosen}, {"called a tool that does not exist: ", g.Hallucinated},
		{"error not made good: ", g.Unrecovered}, {"arguments against the schema: ", g.Invalid},
	} {
		for _, t := range of.list {
			line := of.what + code(t.Tool) + ": " + count(t.Calls, "call") + ", in " + numbers(t.Runs)
			lines = append(lines, line+d.isNew(slices.Contains(p.NewUnexpected, t.Tool)))
		}
	}
	return lines
}

func (d *document) isNew(new bool) string {
	if d.c != nil && new {
		return " **(new)**"
	}
	return ""
}

// members returns the tools of a class, as the suite names them.
func (c *Case) members(gate, class string) []string {
	name, err := json.Marshal(class)
	if err != nil {
		return nil
	}
	key := gate + ".classes[" + string(name) + "].members"
	for _, s := range c.Settings {
		if s.Key == key {
			return setting{s}.set()
		}
	}
	return nil
}
