package tell

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
)

// Headline returns the headline of a report as one line of plain text.
func Headline(r *report.Report) string {
	s := &Story{report: r, compared: r.Baseline}
	return s.headline().Text()
}

// markOfReport returns the mark of the whole report. It is Failed if the job fails, whatever the verdict of the cases is.
func (s *Story) markOfReport() Mark {
	c := s.compared
	needsReview := c != nil && (c.Regressed() || c.IsWeakened() || len(c.Breaking)+len(c.Outdated) > 0)
	switch {
	case s.options.Failed || len(s.report.Refused) > 0:
		return Failed
	case s.report.Verdict == judge.Pass && needsReview:
		return Warned
	}
	return MarkOf(s.report.Verdict)
}

// headline returns the verdict, the changes that a reviewer must accept, and the two main figures.
func (s *Story) headline() Line {
	titles, demands := s.refusals()
	parts := []string{strings.Join(slices.Concat(titles, []string{s.report.Headline()}, s.changeCounts(), demands), ", ")}
	if s.report.Mode == report.Live && len(s.report.Cases) > 0 {
		parts = append(parts, "live runs")
	}
	return say(strings.Join(slices.Concat(parts, s.totals(), s.olderCounts()), " · "))
}

// refusals returns the titles of the refusals whose reason is an unknown fact, and the demands by which the change is refused.
func (s *Story) refusals() (titles, demands []string) {
	for _, r := range s.report.Refused {
		if r.Exit == report.ExitFail {
			demands = append(demands, "refused by "+r.Demand)
		} else {
			titles = append(titles, r.Title)
		}
	}
	return titles, demands
}

// changeCounts counts the changes that a reviewer must accept, whatever the verdict.
func (s *Story) changeCounts() []string {
	c := s.compared
	if c == nil {
		return nil
	}
	var parts []string
	if n := c.Weakenings(); n > 0 {
		parts = append(parts, verb(n, "a gate was softened", count(n)+" gates were softened"))
	}
	if n := len(c.Breaking); n > 0 {
		parts = append(parts, Count(n, "change")+verb(n, " breaks callers", " break callers"))
	}
	if n := len(c.OutdatedSnapshots()); n > 0 {
		parts = append(parts, verb(n, "a snapshot ", count(n)+" snapshots ")+verb(n, "is", "are")+" older than the code")
	}
	if n := len(c.Executable); n > 0 {
		parts = append(parts, Count(n, "executable change"))
	}
	if n := lists.Count(c.Regressions, func(r report.Regression) bool { return r.Kind == report.NewCritical }); n > 0 {
		parts = append(parts, Count(n, "new critical finding"))
	}
	return parts
}

// totals returns F1, otherwise the selection rate, and the tokens of the tools. If something was compared, it leaves out figures that
// did not move.
func (s *Story) totals() []string {
	was, now := s.Totals()
	var parts []string
	for _, f := range []struct {
		name    string
		was, is *int
	}{{"F1", was.F1, now.F1}, {"selection rate", was.Rate, now.Rate}} {
		if f.is != nil && (s.compared == nil || percent(f.was) != percent(f.is)) {
			parts = append(parts, f.name+" "+arrow(percent(f.was), percent(f.is)))
			break
		}
	}
	if was.Surface.IsKnown() && now.Surface.IsKnown() && (was.Surface != now.Surface || s.compared == nil && now.Surface > 0) {
		parts = append(parts, "surface "+arrow(was.Surface.Text(), now.Surface.Text())+" tokens"+growth(int64(was.Surface), int64(now.Surface)))
	}
	return parts
}

// Totals returns the figures of the base and of the report. If nothing was compared, both are the figures of the report.
func (s *Story) Totals() (was, now report.Totals) {
	now = compare.TotalsOf(s.report.Cases, s.report.Catalogs)
	if s.compared == nil {
		return now, now
	}
	was = s.compared.Totals[0]
	if s.compared.Totals[1].Surface != now.Surface { // the base lacks catalogs because it had mistakes
		was.Surface = now.Surface
	}
	return was, now
}

func (s *Story) olderCounts() []string {
	n := lists.Count(s.report.Cases, func(c report.Case) bool { return isOlder(&c) })
	if n == 0 {
		return nil
	}
	return []string{count(n) + " on recordings from before this change"}
}

// isOlder reports whether the case was recorded with tools that this change changes.
func isOlder(c *report.Case) bool {
	f := c.Freshness
	return f != nil && f.Since == report.SinceChange && (f.State == report.Affected || f.State == report.Broken)
}

func percent(n *int) string {
	if n == nil {
		return report.Absent
	}
	return strconv.Itoa(*n)
}

// arrow returns "92 → 78", or "92" if both are the same.
func arrow(base, head string) string {
	if base == head {
		return head
	}
	return base + " → " + head
}

// growth returns the change as " (+16 %)", rounded half away from zero; "" if there is none.
func growth(base, head int64) string {
	if base <= 0 || base == head {
		return ""
	}
	change := big.NewRat(head-base, base)
	text := change.Mul(change, big.NewRat(100, 1)).FloatString(0)
	switch {
	case text == "0" || text == "-0":
		return fmt.Sprintf(" (%s)", Signed(int(head-base)))
	case head < base:
		return " (−" + strings.TrimPrefix(text, "-") + " %)"
	}
	return " (+" + text + " %)"
}

// Signed returns a difference with its sign and with commas between thousands.
func Signed(n int) string {
	switch {
	case n > 0:
		return "+" + count(n)
	case n < 0:
		return "−" + count(-n)
	}
	return "±0"
}
