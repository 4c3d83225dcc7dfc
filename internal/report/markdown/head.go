package markdown

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/trace"
)

// head is the verdict, and the base that it was compared with.
func (d *document) head(int) string {
	line := "### " + sign(d.r.Verdict) + " " + d.verdict() + d.live()
	now := compare.TotalsOf(d.r.Cases, d.r.Catalogs)
	f1, surface := now.F1, now.Surface
	if d.c != nil {
		f1 = d.c.Totals[0].F1
		if d.c.Totals[1].Surface == surface { // else the base lacks catalogs because it had mistakes
			surface = d.c.Totals[0].Surface
		}
	}
	if now.F1 != nil {
		line += " · F1 " + arrow(percent(f1), percent(now.F1))
	}
	if now.Surface > 0 || surface > 0 {
		line += " · surface " + arrow(report.Thousands(surface), report.Thousands(now.Surface)) + " tokens" + growth(surface, now.Surface)
	}
	return line + "\n" + d.agents() + d.compared()
}

// sign is the mark of a verdict.
func sign(v judge.Verdict) string {
	switch v {
	case judge.Pass:
		return "✅"
	case judge.Skipped:
		return "⚠️"
	}
	return "❌"
}

// verdict returns the verdict in words.
func (d *document) verdict() string {
	c := d.r.Counts
	var parts []string
	if c.Failed > 0 {
		parts = append(parts, of(c.Failed, c.Cases)+verb(c.Failed, " fails", " fail"))
	}
	switch {
	case c.Errors > 0 && c.Failed > 0:
		parts = append(parts, count(c.Errors)+" could not be evaluated")
	case c.Errors > 0:
		parts = append(parts, of(c.Errors, c.Cases)+" could not be evaluated")
	}
	if n := len(d.r.Problems); n > 0 {
		parts = append(parts, judge.CountOf(n, "mistake")+" in the input")
	}
	switch {
	case c.Cases == 0 || c.Skipped == c.Cases:
		parts = append(parts, "nothing was checked")
	case len(parts) == 0:
		parts = append(parts, judge.CountOf(c.Passed, "case")+verb(c.Passed, " passes", " pass"))
	}
	return strings.Join(parts, ", ")
}

// live marks runs that are not recordings; recordings are the rule and need no mark.
func (d *document) live() string {
	if d.r.Mode == report.Live && len(d.r.Cases) > 0 {
		return " · live runs"
	}
	return ""
}

// of returns "2 of 14 cases", or "1 case" when that is all.
func of(n, all int) string {
	if n == all {
		return judge.CountOf(all, "case")
	}
	return count(n) + " of " + count(all) + " cases"
}

func verb(n int, singular, plural string) string {
	if n == 1 {
		return singular
	}
	return plural
}

// percent returns a figure as digits; – when there is none.
func percent(n *int) string {
	if n == nil {
		return report.Absent
	}
	return strconv.Itoa(*n)
}

// count returns a number with its thousands set apart.
func count(n int) string { return report.Thousands(int64(n)) }

// arrow returns "92 → 78", or "92" when both are the same.
func arrow(base, head string) string {
	if base == head {
		return head
	}
	return base + " → " + head
}

// growth returns the change as " (+16 %)", rounded half away from zero; nothing when there is none.
func growth(base, head int64) string {
	if base <= 0 || base == head {
		return ""
	}
	change := big.NewRat(head-base, base)
	text := change.Mul(change, big.NewRat(100, 1)).FloatString(0)
	switch {
	case text == "0" || text == "-0":
		return fmt.Sprintf(" (%s)", signed(head-base))
	case head < base:
		return " (−" + strings.TrimPrefix(text, "-") + " %)"
	}
	return " (+" + text + " %)"
}

// signed returns a difference with its sign and thousands set apart.
func signed(n int64) string {
	switch {
	case n > 0:
		return "+" + report.Thousands(n)
	case n < 0:
		return "−" + strings.TrimPrefix(report.Thousands(n), "-")
	}
	return "±0"
}

// compared names the base and sums up the changes.
func (d *document) compared() string {
	if d.c == nil {
		if d.options.NoBaseline == "" {
			return ""
		}
		return "\nNothing was compared. No baseline: " + code(d.options.NoBaseline) + "\n"
	}
	line := "\nCompared with " + baseLinked(d.c.Base) + ": " + d.c.Summary(strong) + ".\n"
	if d.r.Mode == report.Live {
		line += "\nThese runs were made live; those of the base are its recordings.\n"
	}
	doubts := d.c.Doubts(code)
	for _, doubt := range doubts[:min(len(doubts), mostDoubts)] {
		line += "\n⚠️ " + strings.ToUpper(doubt[:1]) + doubt[1:] + ".\n"
	}
	return line + more(len(doubts)-mostDoubts, "things that could not be compared")
}

// mostDoubts bounds the lines about things that could not be compared, which stand above everything else.
const mostDoubts = 5

func strong(s string) string { return "**" + s + "**" }

// baseLinked names the base.
func baseLinked(b report.Base) string {
	const short = 12 // digits of a commit that are enough to find it
	sha := string(b.SHA)
	if len(sha) > short {
		sha = sha[:short]
	}
	switch {
	case b.Ref != "" && sha != "":
		return code(string(b.Ref)) + " (" + code(sha) + ")"
	case b.Ref != "":
		return code(string(b.Ref))
	case sha != "":
		return code(sha)
	case b.File != "":
		return code(string(b.File))
	}
	return "the baseline"
}

// mistakes lists the mistakes in users' files.
func (d *document) mistakes(most int) string {
	list := d.problems("#### Mistakes in the input\n\n", d.r.Problems, most, "mistakes")
	if d.c == nil || list == "" {
		return list
	}
	for _, r := range d.c.Regressions {
		if r.Kind == report.NotEvaluated {
			list += "\n" + code(r.What) + " of " + code(r.Path) + " could not be evaluated.\n"
		}
	}
	return list
}

func (d *document) problems(title string, list []report.Problem, most int, what string) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(title)
	shown := list[:min(len(list), most)]
	for _, p := range shown {
		b.WriteString("- ")
		if p.Path != "" {
			b.WriteString(d.place(p.Path, p.Line) + " ")
		}
		b.WriteString(codeOf(p.Message, maxMessage) + "\n")
	}
	b.WriteString(more(len(list)-len(shown), what))
	return b.String()
}

// maxMessage bounds, in characters, how much of a message is shown.
const maxMessage = 400

// at returns PATH:LINE.
func at(path string, line int) string {
	if line <= 0 {
		return path
	}
	return path + ":" + strconv.Itoa(line)
}

// agents says below the verdict which figures are not those of a model, and which tokens no provider has counted.
func (d *document) agents() string {
	var said []string
	for _, n := range d.r.Notes(report.ModelNote) {
		said = append(said, "The agent of "+of(n.Cases, len(d.r.Cases))+" is "+words(n.Note)+".")
	}
	for _, n := range d.r.Notes(report.TokenNote) {
		said = append(said, "The tokens of "+of(n.Cases, len(d.r.Cases))+" are "+words(n.Note)+".")
	}
	if len(said) == 0 {
		return ""
	}
	return "\n" + strings.Join(said, " ") + "\n"
}

// heading returns the name of a case and its agent, with a note where that was not a model.
func (d *document) heading(c *report.Case) string {
	if c.ModelNote == "" {
		return d.nameAndModel(c)
	}
	return d.nameAndModel(c) + " (" + words(string(c.ModelNote)) + ")"
}

// words returns a note as it is when it is one of the program's own; a saved report can hold any text.
func words(note string) string {
	for _, model := range []string{trace.ModelLexical, trace.ModelScript} {
		if note == trace.ModelNote(model) || note == trace.TokenNote(model) {
			return note
		}
	}
	return code(note)
}
