package report

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
)

// changedCases is the table of the cases that changed, regressions first, and of those that do not pass.
func (d *document) changedCases(most int) string {
	rows := d.rowsToShow()
	if len(rows) == 0 {
		return ""
	}
	shown := rows[:min(len(rows), most)]
	var b strings.Builder
	if len(shown) > 0 {
		t := d.caseTable(shown)
		t.write(&b)
	}
	b.WriteString(more(len(rows)-len(shown), "cases that changed or do not pass"))
	return b.String()
}

// rowsToShow returns the indexes of the cases that changed or do not pass, the most important first.
func (d *document) rowsToShow() []int {
	var rows []int
	for i := range d.r.Cases {
		if d.weight(i) < unchangedWeight {
			rows = append(rows, i)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(d.weight(a), d.weight(b)) })
	return rows
}

const unchangedWeight = 6

// weight orders cases for a reader: those that got worse first.
func (d *document) weight(i int) int {
	p, bad := &d.pairs[i], d.r.Cases[i].Verdict != judge.Pass
	changed := p.Changed || p.New || p.WasID != ""
	switch {
	case d.c == nil && bad:
		return 0
	case p.Worse:
		return 1
	case bad && changed:
		return 2
	case p.Changed || p.WasID != "":
		return 3
	case p.New:
		return 4
	case bad:
		return 5
	}
	return unchangedWeight
}

// caseTable returns the table of the cases given by index.
func (d *document) caseTable(rows []int) table {
	t := table{columns: []string{"", "Case"}}
	columns := slices.DeleteFunc(slices.Clone(caseFigures), func(f figure) bool { return f.title == "" })
	for _, f := range columns {
		title := f.title
		if len(f.metrics) > 0 && !strings.Contains(title, "okens") {
			title += " %"
		}
		t.columns = append(t.columns, title+":")
	}
	for _, i := range rows {
		p := &d.pairs[i]
		cells := []string{d.status(i), d.caseHeading(i)}
		var before Delta
		for _, f := range columns {
			figure, alone := p.figure(f.name), p.New || d.c == nil
			cell := figureCell(figure, alone, sameRates(before, figure))
			if f.with != "" {
				cell = bothCell(cell, figureCell(p.figure(f.with), alone, false))
			}
			cells = append(cells, cell)
			before = figure
		}
		t.add(cells...)
	}
	return t
}

// figure returns the pair's figure of that name.
func (p *Pair) figure(name string) Delta {
	for _, d := range p.Figures {
		if d.Name == name {
			return d
		}
	}
	return Delta{}
}

// status says in a word or two what became of a case.
func (d *document) status(i int) string {
	p, v := &d.pairs[i], d.r.Cases[i].Verdict
	is := map[judge.Verdict]string{judge.Pass: "passes", judge.Fail: "fails", judge.Skipped: "skipped"}[v]
	if is == "" {
		is = "error"
	}
	switch {
	case d.c == nil && v == judge.Pass:
		is = ""
	case d.c == nil:
	case p.New:
		is = "new, " + is
	case p.Base != v:
		is = "now " + is
	case v == judge.Pass:
		is = ""
	default:
		is = "still " + is
	}
	return strings.TrimSpace(sign(v) + " " + is)
}

// caseName returns the name of a case, its model, and what it was called before.
func (d *document) caseName(i int) string { return d.nameAndModel(&d.r.Cases[i]) + d.origin(i) }

// caseHeading is as caseName, and says what answered where that was no model.
func (d *document) caseHeading(i int) string { return d.heading(&d.r.Cases[i]) + d.origin(i) }

func (d *document) nameAndModel(c *Case) string {
	name := d.linked(code(c.Name), c.Suite, c.Line)
	if c.Model != "" {
		name += " " + code(string(c.Model))
	}
	return name
}

// origin returns the lines below the name of a case: its suite where there are several, and what it was called before.
func (d *document) origin(i int) string {
	lines := ""
	if d.suites {
		lines += "<br>" + code(d.r.Cases[i].Suite)
	}
	if was := d.pairs[i].WasID; was != "" {
		lines += "<br>was " + code(string(was))
	}
	return lines
}

// sameRates reports whether two rates are the same on both sides: what chance has to do with the one need not be said
// of the other again. Without a budget of tokens that is so of selection rate and pass^k.
func sameRates(a, b Delta) bool {
	return a.P != "" && a.P == b.P && a.Base == b.Base && a.Head == b.Head
}

// figureCell returns a figure as "92 → 78 (−14)". alone leaves the base out, which is not there; plain the test.
func figureCell(f Delta, alone, plain bool) string {
	head := number(string(f.Head))
	if alone || !f.Changed() {
		return head
	}
	text := "**" + cmp.Or(number(string(f.Base)), absent) + " → " + cmp.Or(head, absent) + "**"
	if diff := f.difference(); diff != "" {
		text += " (" + diff + ")"
	}
	if plain {
		return text
	}
	return text + f.chance()
}

// bothCell returns two figures that share a column, those that changed in lines of their own.
func bothCell(first, second string) string {
	if first == "" && second == "" {
		return ""
	}
	between := " / "
	if strings.Contains(first+second, "→") {
		between = " /<br>"
	}
	return cmp.Or(first, absent) + between + cmp.Or(second, absent)
}

// number sets the thousands of a figure apart. What is no plain figure, which only a saved report can hold, is code.
func number(figure string) string {
	if figure == "" {
		return ""
	}
	if _, ok := digits(figure); !ok || figure[0] == '$' {
		return code(figure)
	}
	sign := ""
	if strings.HasPrefix(figure, "-") {
		sign, figure = "-", figure[1:]
	}
	end := strings.IndexFunc(figure, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(figure)
	}
	for i := end - 3; i > 0; i -= 3 {
		figure = figure[:i] + "," + figure[i:]
	}
	return sign + figure
}

// chance is what is said of chance in a cell.
func (d Delta) chance() string {
	if said := d.verdictOfChance(); said != "" {
		return "<br>*" + strings.ReplaceAll(said, "<", "&lt;") + "*"
	}
	return ""
}

// verdictOfChance says what Fisher's test makes of the change. It changes no verdict: a real drop from 10 of 10 to 6 of
// 10 has p = 0.09.
func (d Delta) verdictOfChance() string {
	p, ok := digits(string(d.P))
	if !ok || d.Runs == nil {
		return ""
	}
	said, level := "distinguishable", big.NewRat(5, 100)
	if p.Cmp(level) >= 0 {
		said = "not distinguishable"
	}
	value := "= " + p.FloatString(2)
	switch {
	case value == "= 0.00":
		value = "< 0.01"
	case value == "= 0.05":
		value = "= " + p.FloatString(4) // else it may read as if it were on the other side
	}
	return said + " with " + thousands(int64(d.Runs[0])) + " and " + thousands(int64(d.Runs[1])) + " runs (p " + value + ")"
}

// otherFigures is the folded table of the changed figures that have no column.
func (d *document) otherFigures(most int) string {
	t := table{columns: []string{"Case", "Figure", "Base:", "Head:"}}
	total := 0
	for _, i := range d.rowsToShow() {
		others := d.pairs[i].Others
		total += len(others)
		for _, o := range others[:min(len(others), most-len(t.rows))] {
			t.add(d.caseName(i), code(o.Name), code(cmp.Or(string(o.Base), absent)), code(cmp.Or(string(o.Head), absent)))
		}
	}
	if total == 0 || most == 0 {
		return ""
	}
	var b strings.Builder
	t.write(&b)
	b.WriteString(more(total-len(t.rows), "figures"))
	return fold(count(total, "other figure")+" that changed", b.String())
}

// unchanged is the folded table of the other cases.
func (d *document) unchanged(most int) string {
	var rows []int
	for i := range d.r.Cases {
		if d.weight(i) == unchangedWeight {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 || most == 0 {
		return ""
	}
	shown := rows[:min(len(rows), most)]
	t := d.caseTable(shown)
	var b strings.Builder
	t.write(&b)
	b.WriteString(more(len(rows)-len(shown), "cases"))
	title := count(len(rows), "unchanged case")
	if d.c == nil {
		title = count(len(rows), "case") + verb(len(rows), " that passes", " that pass")
	}
	return fold(title, b.String())
}
