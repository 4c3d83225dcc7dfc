package report

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
)

// head is the verdict, and what it was compared with.
func (d *document) head(int) string {
	line := "### " + sign(d.r.Verdict) + " " + d.verdict() + d.live()
	now := totalsOf(d.r.Cases, d.r.Catalogs)
	f1, surface := now.F1, now.Surface
	if d.c != nil {
		f1 = d.c.Totals[0].F1
		if d.c.Totals[1].Surface == surface { // else the base lacks catalogs for it had mistakes
			surface = d.c.Totals[0].Surface
		}
	}
	if now.F1 != nil {
		line += " · F1 " + arrow(percent(f1), percent(now.F1))
	}
	if now.Surface > 0 || surface > 0 {
		line += " · surface " + arrow(thousands(surface), thousands(now.Surface)) + " tokens" + growth(surface, now.Surface)
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

// verdict says what came out.
func (d *document) verdict() string {
	c := d.r.Counts
	var parts []string
	if c.Failed > 0 {
		parts = append(parts, of(c.Failed, c.Cases)+verb(c.Failed, " fails", " fail"))
	}
	switch {
	case c.Errors > 0 && c.Failed > 0:
		parts = append(parts, thousands(int64(c.Errors))+" could not be evaluated")
	case c.Errors > 0:
		parts = append(parts, of(c.Errors, c.Cases)+" could not be evaluated")
	}
	if n := len(d.r.Problems); n > 0 {
		parts = append(parts, count(n, "mistake")+" in the input")
	}
	switch {
	case c.Cases == 0 || c.Skipped == c.Cases:
		parts = append(parts, "nothing was checked")
	case len(parts) == 0:
		parts = append(parts, count(c.Passed, "case")+verb(c.Passed, " passes", " pass"))
	}
	return strings.Join(parts, ", ")
}

// live says that the runs are no recordings, of which nobody needs to be told.
func (d *document) live() string {
	if d.r.Mode == Live && len(d.r.Cases) > 0 {
		return " · live runs"
	}
	return ""
}

// of returns "2 of 14 cases", or "1 case" when that is all.
func of(n, all int) string {
	if n == all {
		return count(all, "case")
	}
	return thousands(int64(n)) + " of " + thousands(int64(all)) + " cases"
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
		return absent
	}
	return strconv.Itoa(*n)
}

const absent = "–"

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
		return "+" + thousands(n)
	case n < 0:
		return "−" + strings.TrimPrefix(thousands(n), "-")
	}
	return "±0"
}

// thousands returns a whole number with commas: 9,404.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// compared says what the report was compared with, and sums up what changed.
func (d *document) compared() string {
	if d.c == nil {
		if d.options.NoBaseline == "" {
			return ""
		}
		return "\nNothing was compared. No baseline: " + code(d.options.NoBaseline) + "\n"
	}
	line := "\nCompared with " + d.c.Base.describe() + ": " + d.c.summary() + ".\n"
	if d.r.Mode == Live {
		line += "\nThese runs were made live; those of the base are its recordings.\n"
	}
	doubts := d.c.doubts(code)
	for _, doubt := range doubts[:min(len(doubts), mostDoubts)] {
		line += "\n⚠️ " + strings.ToUpper(doubt[:1]) + doubt[1:] + ".\n"
	}
	return line + more(len(doubts)-mostDoubts, "things that could not be compared")
}

// mostDoubts bounds the lines about what could not be compared, which stand above everything else.
const mostDoubts = 5

// describe names the base.
func (b Base) describe() string {
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

// summary counts what changed.
func (c *Comparison) summary() string {
	var parts []string
	if n := len(c.Regressions); n > 0 {
		parts = append(parts, "**"+count(n, "regression")+"**")
	}
	counted, shown := c.countWeakenings()
	if counted > 0 {
		parts = append(parts, "**"+count(counted, "weakening")+"**")
	}
	if shown > 0 {
		parts = append(parts, count(shown, "other change")+" of how it is judged")
	}
	if n := c.fixed(); n > 0 {
		parts = append(parts, count(n, "case")+" fixed")
	}
	if c.findingsChanged() {
		parts = append(parts, fmt.Sprintf("findings +%d −%d", len(c.New), len(c.Fixed)))
	}
	for _, part := range []struct {
		n    int
		noun string
	}{{len(c.Tools), "tool"}, {len(c.Cassettes), "cassette"}} {
		if part.n > 0 {
			parts = append(parts, count(part.n, part.noun)+" changed")
		}
	}
	if !c.IsChanged() {
		return "nothing changed"
	}
	if !c.Regressed() {
		parts = append([]string{"no regression"}, parts...)
	}
	return strings.Join(parts, ", ")
}

// fixed counts the cases that pass and did not.
func (c *Comparison) fixed() int {
	n := 0
	for _, p := range c.Cases {
		if p.Fixed {
			n++
		}
	}
	return n
}

func (c *Comparison) findingsChanged() bool { return len(c.New)+len(c.Fixed) > 0 }

// mistakes lists what is wrong in users' files.
func (d *document) mistakes(most int) string {
	list := d.problems("#### Mistakes in the input\n\n", d.r.Problems, most, "mistakes")
	if d.c == nil || list == "" {
		return list
	}
	for _, r := range d.c.Regressions {
		if r.Kind == NotEvaluated {
			list += "\n" + code(r.What) + " of " + code(r.Path) + " could not be evaluated.\n"
		}
	}
	return list
}

func (d *document) problems(title string, list []Problem, most int, what string) string {
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
