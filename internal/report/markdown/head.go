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

// head is the line with the verdict, the two figures that matter, and the base that it was compared with.
func (d *document) head(int) string {
	line := "### " + d.sign() + " " + d.r.Before() + strings.Join(d.verdicts(), ", ") + d.live()
	now := compare.TotalsOf(d.r.Cases, d.r.Catalogs)
	was := now
	if d.c != nil {
		was = d.c.Totals[0]
		if d.c.Totals[1].Surface != now.Surface { // the base lacks catalogs because it had mistakes
			was.Surface = now.Surface
		}
	}
	for _, f := range []struct {
		name    string
		was, is *int
	}{{"F1", was.F1, now.F1}, {"selection rate", was.Rate, now.Rate}} {
		if f.is != nil && (d.c == nil || percent(f.was) != percent(f.is)) {
			line += " · " + f.name + " " + arrow(percent(f.was), percent(f.is))
			break
		}
	}
	if was.Surface != now.Surface || d.c == nil && now.Surface > 0 {
		line += " · surface " + arrow(report.Thousands(was.Surface), report.Thousands(now.Surface)) + " tokens" + growth(was.Surface, now.Surface)
	}
	return line + d.older() + "\n" + d.agents() + d.compared()
}

// older counts the cases whose recordings are of tools that this change changes.
func (d *document) older() string {
	n := 0
	for i := range d.r.Cases {
		if f := d.r.Cases[i].Freshness; f != nil && f.Since == report.SinceChange && (f.State == report.Affected || f.State == report.Stale) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return " · " + count(n) + " on recordings from before this change"
}

// sign is the mark of the whole: a failing job never begins with a tick.
func (d *document) sign() string {
	switch {
	case d.options.Failed || len(d.r.Refused) > 0:
		return sign(judge.Fail)
	case d.r.Verdict == judge.Pass && d.c != nil && (d.c.Regressed() || d.c.IsWeakened() || len(d.c.Breaking) > 0):
		return sign(judge.Skipped)
	}
	return sign(d.r.Verdict)
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
		parts = append(parts, d.r.Nothing())
	case len(parts) == 0:
		parts = append(parts, judge.CountOf(c.Passed, "case")+verb(c.Passed, " passes", " pass"))
		if c.Skipped > 0 {
			parts = append(parts, count(c.Skipped)+" skipped")
		}
	}
	return strings.Join(parts, ", ")
}

// verdicts is the verdict, and what else the job or a reviewer judges.
func (d *document) verdicts() []string {
	parts := append([]string{d.verdict()}, d.changed()...)
	for _, reason := range d.options.Unknown {
		parts = append(parts, reason.Title)
	}
	return parts
}

// changed counts the changes that a reviewer answers for, whatever the verdict is.
func (d *document) changed() []string {
	if d.c == nil {
		return nil
	}
	var parts []string
	if n := d.c.Weakenings(); n > 0 {
		parts = append(parts, verb(n, "a gate was softened", count(n)+" gates were softened"))
	}
	if n := len(d.c.Breaking); n > 0 {
		parts = append(parts, judge.CountOf(n, "change")+verb(n, " breaks callers", " break callers"))
	}
	if n := len(d.c.Executable); n > 0 {
		parts = append(parts, judge.CountOf(n, "executable change"))
	}
	critical := 0
	for _, r := range d.c.Regressions {
		if r.Kind == report.NewCritical {
			critical++
		}
	}
	if critical > 0 {
		parts = append(parts, judge.CountOf(critical, "new critical finding"))
	}
	return parts
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
		return "\nNothing was compared: " + sentence(d.options.NoBaseline) + "\n"
	}
	line := "\nCompared with " + baseLinked(d.c.Base) + ": " + d.c.Summary(strong) + "." + d.everything() + "\n"
	if d.r.Mode == report.Live {
		line += "\nThese runs were made live; those of the base are its recordings.\n"
	}
	doubts := d.c.Doubts(code)
	for _, doubt := range doubts[:min(len(doubts), mostDoubts)] {
		line += "\n⚠️ " + strings.ToUpper(doubt[:1]) + doubt[1:] + ".\n"
	}
	return line + more(len(doubts)-mostDoubts, "things that could not be compared")
}

// everything leads to the job summary.
func (d *document) everything() string {
	if url := d.options.SummaryURL; url != "" && safeURL(url) {
		return " Everything is in the [job summary](" + url + ")."
	}
	return ""
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

// problems lists mistakes or warnings.
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
		b.WriteString(message(p.Message) + "\n")
	}
	b.WriteString(more(len(list)-len(shown), what))
	return b.String()
}

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
	if tools, cases := d.r.OwnTools(); cases > 0 {
		calls, list := report.CallsOf(tools, code)
		said = append(said, fmt.Sprintf("Not judged: %s of the agents' own tools in %s (%s).", judge.CountOf(calls, "call"), of(cases, len(d.r.Cases)), list))
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
	if trace.IsProgramNote(note) {
		return note
	}
	for _, model := range []string{trace.ModelLexical, trace.ModelScript} {
		if note == trace.ModelNote(model) || note == trace.TokenNote(model) {
			return note
		}
	}
	return code(note)
}
