package markdown

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
)

// sizeCell returns the sizes of what was changed, or the one of what was added or removed.
func sizeCell(kind string, base, head int) string {
	switch kind {
	case report.Added:
		return count(head)
	case report.Removed:
		return count(base)
	}
	return arrow(count(base), count(head))
}

// kindWord returns the kind of a change; anything else, which only a saved report can hold, is code.
func kindWord(kind string) string {
	switch kind {
	case report.Added, report.Removed, report.Changed:
		return kind
	}
	return code(kind)
}

// findings is the folded list of new findings and of those that are gone.
func (d *document) findings(most int) string {
	if d.c == nil || !d.c.FindingsChanged() || most == 0 {
		return ""
	}
	var b strings.Builder
	shown := d.c.New[:min(len(d.c.New), most)]
	b.WriteString(d.findingTable(shown))
	b.WriteString(more(len(d.c.New)-len(shown), "new findings"))
	if len(d.c.Fixed) > 0 {
		b.WriteString("\nFixed: " + listed(len(d.c.Fixed), most, func(i int) string {
			f := d.c.Fixed[i]
			return code(f.Rule) + " " + code(report.ToolID(f.Server, f.Tool))
		}) + "\n")
	}
	fixed := "none fixed"
	if n := len(d.c.Fixed); n > 0 {
		fixed = count(n) + " fixed"
	}
	return fold(judge.CountOf(len(d.c.New), "new finding")+", "+fixed, b.String())
}

// findingList shows the worst few findings, each of which is a noun, and folds the others: the sections below concern
// more people.
func (d *document) findingList(b *strings.Builder, list []report.Finding, most int, noun string) {
	const open = 4
	shown := list[:min(len(list), most)]
	first := shown[:min(len(shown), open)]
	b.WriteString(d.findingTable(first))
	if rest := shown[len(first):]; len(rest) > 0 {
		b.WriteString("\n" + fold(judge.CountOf(len(rest), "more "+noun), d.findingTable(rest)))
	}
	b.WriteString(more(len(list)-len(shown), noun+"s"))
}

func (d *document) findingTable(list []report.Finding) string {
	optional := func(text string) string {
		if text == "" {
			return ""
		}
		return code(text)
	}
	return tableOf([]string{"", "Rule", "Tool", "Argument", "What", "Suggestion"}, len(list), len(list), "", func(i int) []string {
		f := list[i]
		tool := d.linked(code(report.ToolID(f.Server, f.Tool)), f.Path, f.Line)
		return []string{severitySign(f.Severity), code(f.Rule), tool, optional(string(f.Argument)), message(f.Message), message(f.Suggestion)}
	})
}

func severitySign(severity string) string {
	if severity == "critical" {
		return "🔴 critical"
	}
	return "🟡 warning"
}

// weakened are the ways in which the change weakens its own judge, a bullet a case or setting.
func (d *document) weakened() []string {
	if d.c == nil {
		return nil
	}
	var list []string
	for _, w := range d.c.WeakenedCases() {
		if w.ToldOnly {
			continue
		}
		text := "- ⚠️ " + d.weakening(w.Weakening)
		var settings []string
		for _, s := range w.Settings[:min(len(w.Settings), mostFacts)] {
			settings = append(settings, d.linked(code(report.SettingName(s.Key)), s.Path(), s.Line)+": "+changeOf(s))
		}
		if len(settings) > 0 {
			text += "; " + strings.Join(settings, "; ")
		}
		list = append(list, text+".\n")
	}
	return list
}

// executable lists what live runs execute now and did not in the base, which a reviewer reads before anything is run.
func (d *document) executable(most int) string {
	if d.c == nil || len(d.c.Executable) == 0 || most == 0 {
		return ""
	}
	list := d.c.Executable[:min(len(d.c.Executable), most)]
	text := "**Executable changes** (what live runs of the suites execute)\n\n"
	for i := range list {
		e := &list[i]
		text += "- ⚠️ " + d.linked(code(e.Key), e.Path(), e.Line) + " of " + code(e.Of) + ": " + e.Became(code) + "\n"
	}
	return text + more(len(d.c.Executable)-len(list), "executable changes")
}

func (d *document) weakening(w report.Weakening) string {
	of := code(w.Name)
	if w.Model != "" {
		of += " " + code(string(w.Model))
	}
	if w.Kind == report.InEffect {
		return d.linked(of, w.Path(), w.Line) + " " + w.Verdicts() + ": " + message(w.Reason)
	}
	if w.Kind == report.CaseRemoved {
		return "Case " + of + " was removed from " + code(w.Suite)
	}
	if w.Kind == report.GateRemoved {
		return "Gate " + code(w.Key) + " was removed from " + d.linked(of, w.Path(), w.Line)
	}
	return code(report.SettingName(w.Key)) + " of " + d.linked(of, w.Path(), w.Line) + ": " + changeOf(w) + why(w.Kind)
}

func why(kind string) string {
	switch {
	case kind == report.SettingChanged:
		return " (it is not known whether that is weaker)"
	case slices.Contains(report.WeakeningKinds, kind):
		return " (" + kind + ")"
	}
	return " (" + code(kind) + ")"
}

// changeOf returns the change of a setting: of a list, the entries that were added and removed.
func changeOf(w report.Weakening) string {
	const most = 5
	isList := func(o report.Optional) bool { return strings.HasPrefix(string(o), "[") }
	if w.Head == "" || w.Base == "" || !isList(w.Head) && !isList(w.Base) {
		return w.Became(code)
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
		return w.Became(code)
	}
	return strings.Join(parts, ", ")
}

// evidence lists the recordings that changed, the recorders that they name, and changed settings that are only shown.
func (d *document) evidence(most int) string {
	if d.c == nil || most == 0 {
		return ""
	}
	text := d.otherSettings(most)
	if len(d.c.Cassettes) > 0 {
		note := "Recordings are evidence on their author's word. Where that is not enough, record in CI."
		if d.r.Mode == report.Live {
			note = "What was added or changed was recorded in this run."
		}
		text += d.cassettes(most) + "\n" + note + "\n"
	}
	if text == "" {
		return ""
	}
	return "**Evidence**\n\n" + text
}

// otherSettings lists changes of how a case is judged that are not counted as weakenings.
func (d *document) otherSettings(most int) string {
	var list []string
	for _, w := range d.c.WeakenedCases() {
		if w.ToldOnly {
			list = append(list, "- "+d.weakening(w.Weakening)+"\n")
		}
	}
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list[:min(len(list), most)], "") + more(len(list)-most, "changed settings") + "\n"
}

func (d *document) cassettes(most int) string {
	return tableOf([]string{"Cassette", "", "Runs:", "Written by"}, len(d.c.Cassettes), most, "cassettes", func(i int) []string {
		c := d.c.Cassettes[i]
		return []string{d.linked(code(c.Path), c.Path, 0), kindWord(c.Kind), sizeCell(c.Kind, c.Base, c.Head), writtenBy(c)}
	})
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

// catalogs is the folded table of the catalogs; without a base also with their findings, which
// stand nowhere else then.
func (d *document) catalogs(most int) string {
	list := d.r.Catalogs
	if len(list) == 0 || most == 0 {
		return ""
	}
	critical, warnings := 0, 0
	for _, c := range list {
		critical += c.Counts.All(true)
		warnings += c.Counts.All(false)
	}
	columns := []string{"Catalog", "Tools:", "Tokens:", "Lowest score:", "Mean score:", "Critical:", "Warnings:"}
	suites := d.r.Suites()
	var b strings.Builder
	b.WriteString(tableOf(columns, len(list), most, "catalogs", func(i int) []string {
		c := &list[i]
		place := d.linked(code(cmp.Or(c.Path, c.Name)), c.Path, 0)
		if suites[c.Path] {
			place += " server " + code(c.Name)
		}
		return []string{place, count(len(c.Tools)) + report.BesidesHidden(len(c.Hidden)), report.Thousands(c.SurfaceTokens), d.score(c, report.FigureMinScore, c.MinScore), d.score(c, report.FigureMeanScore, c.MeanScore),
			count(c.Counts.All(true)), count(c.Counts.All(false))}
	}))
	title := judge.CountOf(len(list), "catalog") + ", findings: " + count(critical) + " critical, " + judge.CountOf(warnings, "warning")
	if d.c == nil && critical+warnings > 0 {
		b.WriteString("\n")
		d.findingList(&b, compare.Extra(d.r.Catalogs, nil), most, "finding") // without a base nobody knows which are new
	}
	return fold(title, b.String())
}

// score is a score of a catalog, and how rules moved it.
func (d *document) score(c *report.Catalog, figure string, now report.Optional) string {
	m := d.c.ScoreOf(c, figure)
	if m == nil {
		return number(string(now))
	}
	return arrow(number(string(m.Base)), number(string(m.Head))) + " (" + m.Why(code) + ")"
}
