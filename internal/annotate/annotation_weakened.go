package annotate

import (
	"github.com/org/mcp-gates/internal/report"
)

// addWeakened notes the cases that pass by the change's suite alone, each at its line. strict makes them failures.
func (c *collector) addWeakened(strict bool) {
	if c.report.Baseline == nil {
		return
	}
	level := Warning
	if strict {
		level = Failure
	}
	for _, w := range c.report.Baseline.Weakened {
		if w.Kind != report.InEffect {
			continue
		}
		name := caseName(w.Name, w.Model)
		c.add(weakened, Annotation{
			Path: w.Suite, Line: w.Line, Level: level, Title: "weakened: " + name,
			Message: lines(w.Verdicts(), w.Reason, after("changed settings: ", firstFew(w.Settings))),
		}, w.Suite, w.Name, string(w.Model))
	}
}
