package tell

import "github.com/org/mcp-gates/internal/report"

// drops are the figures of a case that are farther below the base's than max_drop allows.
func (s *Story) drops(i int) []Fact {
	var list []Fact
	c := &s.report.Cases[i]
	for k := range s.pairs[i].Drops {
		d := &s.pairs[i].Drops[k]
		if !d.IsTooFar() {
			continue
		}
		line := c.Line
		for j := range c.Gates {
			if m := c.Gates[j].MaxDrop; m != nil && m.Target == d.Target {
				line = c.Gates[j].Line
			}
		}
		text := say(name(d.Target), " fell from ", figure(string(d.Base)), " to ", figure(string(d.Head)), " %, ", name(report.MaxDrop), " allows "+Count(d.Most, "point"))
		list = append(list, Fact{Path: c.Suite, Line: line, Text: text})
	}
	return list
}
