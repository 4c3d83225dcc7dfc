package report

import "github.com/org/mcp-gates/internal/stat"

// Trials are the numbers behind a rate: Won of the runs succeeded, Of runs were made.
type Trials struct{ Won, Of int }

// Trials returns the numbers behind the figure of a case; the zero value if the figure is not a rate of runs, or has no counts.
func (f Figure) Trials(c *Case) Trials {
	if f.Count == "" {
		return Trials{}
	}
	for _, g := range c.Gates {
		if won, ok := g.Counts[f.Count]; ok {
			return Trials{won, g.Counts["runs"]}
		}
	}
	return Trials{}
}

// maxTrials bounds the numbers of runs in computations, because a saved report can hold any number.
const maxTrials = 1_000_000

// Valid reports whether the numbers are possible and within bounds.
func (t Trials) Valid() bool { return t.Won >= 0 && t.Won <= t.Of && t.Of > 0 && t.Of <= maxTrials }

// Interval returns the two-sided 95 % score interval of the rate, in whole percents. The lower end is rounded down, and the
// upper end up. The trials must be valid.
func (t Trials) Interval() (low, high int) {
	const percent = 100 // [stat.Wilson] counts in 1/10000
	low, high = stat.Wilson(t.Won, t.Of)
	return low / percent, (high + percent - 1) / percent
}
