package tell

// DroppedFigure is a figure that has dropped by more than max_drop allows.
type DroppedFigure struct {
	Target string
	Line   int // line of the gate in the suite
	Text   Line
}

// Drops returns the figures of a case that have dropped by more than max_drop allows.
func (s *Story) Drops(i int) []DroppedFigure {
	if s.compared == nil {
		return nil
	}
	var list []DroppedFigure
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
		list = append(list, DroppedFigure{d.Target, line, sentence(d.Says)})
	}
	return list
}

func (s *Story) dropFacts(i int) (list []Fact) {
	for _, d := range s.Drops(i) {
		list = append(list, Fact{Path: s.report.Cases[i].Suite, Line: d.Line, Text: d.Text})
	}
	return list
}
