package markdown

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
)

// surface is the table of tools that were added, removed or changed, the biggest increase first.
func (d *document) surface(most int) string {
	if d.c == nil || len(d.c.Tools) == 0 {
		return ""
	}
	was, is := d.c.Totals[0].Surface, d.c.Totals[1].Surface
	var b strings.Builder
	b.WriteString("#### Tool surface " + arrow(report.Thousands(was), report.Thousands(is)) + " tokens")
	if was != is {
		b.WriteString(" (" + signed(is-was) + ")")
	}
	b.WriteString("\n\n")
	t := table{columns: []string{"Tool", "", "Tokens:", "Δ:"}}
	shown := d.c.Tools[:min(len(d.c.Tools), most)]
	for _, change := range shown {
		t.add(d.linked(code(report.ToolID(change.Server, change.Name)), change.Path, change.Line), kindWord(change.Kind), tokensCell(change),
			signed(int64(change.Delta())))
	}
	if len(shown) > 0 {
		t.write(&b)
	}
	b.WriteString(more(len(d.c.Tools)-len(shown), "tools"))
	return b.String()
}

func tokensCell(t report.ToolChange) string {
	base, head := report.Thousands(int64(t.Base)), report.Thousands(int64(t.Head))
	switch t.Kind {
	case report.Added:
		return head
	case report.Removed:
		return base
	}
	return arrow(base, head)
}

// kindWord returns the kind of a change; anything else, which only a saved report can hold, is code.
func kindWord(kind string) string {
	switch kind {
	case report.Added, report.Removed, report.Changed:
		return kind
	}
	return code(kind)
}

// regressionsIn lists what got worse in a case that did not pass before either: its verdict does not show it.
func (d *document) regressionsIn(c *report.Case) []string {
	if d.c == nil {
		return nil
	}
	var lines []string
	for _, r := range d.c.Regressions {
		if r.Case != c.ID {
			continue
		}
		switch r.Kind {
		case report.WorseFigure:
			lines = append(lines, "regression: "+code(r.What)+" went from "+code(r.Base)+" to "+code(r.Head))
		case report.NewFailure:
			lines = append(lines, "regression: "+code(r.What)+" did not fail before")
		case report.MoreRuns:
			lines = append(lines, "regression: "+code(r.What)+" fails in "+code(r.Head)+", and in "+code(cmp.Or(r.Base, "none"))+" before")
		}
	}
	return lines
}

// findings lists the new findings and those that are gone.
func (d *document) findings(most int) string {
	if d.c == nil || !d.c.FindingsChanged() {
		return ""
	}
	var b strings.Builder
	b.WriteString("#### Findings +" + report.Thousands(int64(len(d.c.New))) + " −" + report.Thousands(int64(len(d.c.Fixed))) + "\n\n")
	d.findingList(&b, d.c.New, most, "new finding")
	if n := len(d.c.Fixed); n > 0 && most > 0 {
		var fixed []string
		for _, f := range d.c.Fixed[:min(n, most)] {
			fixed = append(fixed, code(f.Rule)+" "+code(report.ToolID(f.Server, f.Tool)))
		}
		line := "\nFixed: " + strings.Join(fixed, ", ")
		if left := n - len(fixed); left > 0 {
			line += " and " + report.Thousands(int64(left)) + " more"
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// findingList shows the worst few findings, each of which is a noun, and folds the others: what comes below concerns
// more people.
func (d *document) findingList(b *strings.Builder, list []report.Finding, most int, noun string) {
	const open = 4
	shown := list[:min(len(list), most)]
	first := shown[:min(len(shown), open)]
	d.findingTable(b, first)
	if rest := shown[len(first):]; len(rest) > 0 {
		var folded strings.Builder
		d.findingTable(&folded, rest)
		b.WriteString("\n" + fold(judge.CountOf(len(rest), "more "+noun), folded.String()))
	}
	b.WriteString(more(len(list)-len(shown), noun+"s"))
}

func (d *document) findingTable(b *strings.Builder, list []report.Finding) {
	t := table{columns: []string{"", "Rule", "Tool", "Argument", "What", "Suggestion"}}
	for _, f := range list {
		argument, suggestion := "", ""
		if f.Argument != "" {
			argument = code(string(f.Argument))
		}
		if f.Suggestion != "" {
			suggestion = code(f.Suggestion)
		}
		t.add(severitySign(f.Severity), code(f.Rule), d.linked(code(report.ToolID(f.Server, f.Tool)), f.Path, f.Line), argument, code(f.Message), suggestion)
	}
	if len(t.rows) > 0 {
		t.write(b)
	}
}

func severitySign(severity string) string {
	if severity == "critical" {
		return "🔴 critical"
	}
	return "🟡 warning"
}

// weakened spells out how the change makes its own judge milder.
func (d *document) weakened(most int) string {
	if d.c == nil || len(d.c.Weakened) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("#### ⚠️ Weakened gates\n\n")
	list := d.c.WeakenedCases()
	shown := list[:min(len(list), most)]
	for _, w := range shown {
		b.WriteString("- " + d.weakening(w.Weakening) + "\n")
		for _, s := range w.Settings[:min(len(w.Settings), most)] {
			b.WriteString("  - " + d.weakening(s) + "\n")
		}
	}
	b.WriteString(more(len(list)-len(shown), "weakened or changed settings"))
	return b.String()
}

func (d *document) weakening(w report.Weakening) string {
	of := code(w.Name)
	if w.Model != "" {
		of += " " + code(string(w.Model))
	}
	if w.Kind == report.InEffect {
		return d.linked(of, w.Suite, w.Line) + " " + w.Verdicts() + ": " + codeOf(w.Reason, maxMessage)
	}
	if w.Kind == report.CaseRemoved {
		return "case " + of + " was removed from " + code(w.Suite)
	}
	if w.Kind == report.GateRemoved {
		return "gate " + code(w.Key) + " was removed from " + d.linked(of, w.Suite, w.Line)
	}
	return code(report.SettingName(w.Key)) + " of " + d.linked(of, w.Suite, w.Line) + ": " + changeOf(w) + why(w.Kind)
}

func why(kind string) string {
	switch {
	case kind == report.SettingChanged:
		return " (cannot tell whether that is weaker)"
	case slices.Contains(report.WeakeningKinds, kind):
		return " (" + kind + ")"
	}
	return " (" + code(kind) + ")"
}

// changeOf says what became of a setting: of a list, what was added and removed.
func changeOf(w report.Weakening) string {
	const most = 5
	switch {
	case w.Head == "":
		return code(string(w.Base)) + " was removed"
	case w.Base == "":
		return code(string(w.Head)) + " was added"
	case !strings.HasPrefix(string(w.Head), "[") && !strings.HasPrefix(string(w.Base), "["):
		return code(string(w.Base)) + " became " + code(string(w.Head))
	}
	var parts []string
	added, removed := compare.Items(string(w.Base), string(w.Head))
	if len(added) > 0 {
		parts = append(parts, "added "+codes(added, most))
	}
	if len(removed) > 0 {
		parts = append(parts, "removed "+codes(removed, most))
	}
	if len(parts) == 0 { // another order
		return code(string(w.Base)) + " became " + code(string(w.Head))
	}
	return strings.Join(parts, ", ")
}

// cassettes lists the recordings that changed, and by whom they say to have been written.
func (d *document) cassettes(most int) string {
	if d.c == nil || len(d.c.Cassettes) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("#### Changed cassettes\n\n")
	t := table{columns: []string{"Cassette", "", "Runs:", "Written by"}}
	shown := d.c.Cassettes[:min(len(d.c.Cassettes), most)]
	for _, change := range shown {
		t.add(d.linked(code(change.Path), change.Path, 0), kindWord(change.Kind), runsCell(change), writtenBy(change))
	}
	if len(shown) > 0 {
		t.write(&b)
	}
	b.WriteString(more(len(d.c.Cassettes)-len(shown), "cassettes"))
	if d.r.Mode == report.Live {
		b.WriteString("\nWhat was added or changed was recorded in this run.\n")
		return b.String()
	}
	b.WriteString("\nRecordings are evidence on their author's word. Where that is not enough, record in CI.\n")
	return b.String()
}

func runsCell(c report.CassetteChange) string {
	base, head := report.Thousands(int64(c.Base)), report.Thousands(int64(c.Head))
	switch c.Kind {
	case report.Added:
		return head
	case report.Removed:
		return base
	}
	return arrow(base, head)
}

func writtenBy(c report.CassetteChange) string {
	switch {
	case c.Kind == report.Removed:
		return ""
	case c.ByRecorder():
		return code(string(c.Recorder))
	case c.Recorder != "":
		return "⚠️ " + code(string(c.Recorder)) + ", without hashes"
	}
	return "⚠️ no recorder"
}

// catalogs is the folded table of the catalogs; without a base with their findings, which nothing else tells then.
func (d *document) catalogs(most int) string {
	list := d.r.Catalogs
	if len(list) == 0 || most == 0 {
		return ""
	}
	t := table{columns: []string{"Catalog", "Tools:", "Tokens:", "Lowest score:", "Mean score:", "Critical:", "Warnings:"}}
	shown := list[:min(len(list), most)]
	critical, warnings := 0, 0
	for _, c := range list {
		critical += c.Counts.All(true)
		warnings += c.Counts.All(false)
	}
	for _, c := range shown {
		place := d.linked(code(cmp.Or(c.Path, c.Name)), c.Path, 0)
		if d.r.IsSuite(c.Path) {
			place += " server " + code(c.Name)
		}
		t.add(place, report.Thousands(int64(len(c.Tools))), report.Thousands(c.SurfaceTokens),
			number(string(c.MinScore)), number(string(c.MeanScore)), report.Thousands(int64(c.Counts.All(true))), report.Thousands(int64(c.Counts.All(false))))
	}
	var b strings.Builder
	t.write(&b)
	b.WriteString(more(len(list)-len(shown), "catalogs"))
	title := judge.CountOf(len(list), "catalog") + ", findings: " + report.Thousands(int64(critical)) + " critical, " + judge.CountOf(warnings, "warning")
	if d.c == nil && critical+warnings > 0 {
		b.WriteString("\n")
		d.findingList(&b, compare.Extra(d.r.Catalogs, nil), most, "finding") // without a base nobody knows which are new
	}
	return fold(title, b.String())
}
