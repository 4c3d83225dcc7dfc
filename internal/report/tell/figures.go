package tell

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/stat"
)

// Moved is a figure of a case that differs from the base's.
type Moved struct {
	Case       int  // index of the case
	Main       bool // every case is compared by this figure
	Name       string
	Title      Line
	Base, Head Line
	Change     string
	Chance     Line // sentence about chance, if it is not shown elsewhere
}

// movedFigureList returns the figures that moved: first the figures by which every case is compared, then all other figures. Each
// of the two parts is in the order of Cases.
func (s *Story) movedFigureList() []Moved {
	if s.compared == nil {
		return nil
	}
	list := s.movedFigures(true, func(p *report.Pair) []report.Delta { return p.Figures })
	return append(list, s.movedFigures(false, func(p *report.Pair) []report.Delta { return p.Others })...)
}

// movedFigures returns the figures that moved, among those that figuresOf returns for each case. main becomes their Main.
func (s *Story) movedFigures(main bool, figuresOf func(*report.Pair) []report.Delta) []Moved {
	var list []Moved
	for _, i := range s.Cases {
		var last report.Delta
		for _, f := range figuresOf(&s.pairs[i]) {
			isUnknown := f.Head == "" && s.report.Cases[i].Verdict == judge.Error
			if !f.Changed() || s.pairs[i].New || isUnknown {
				continue
			}
			m := Moved{Case: i, Main: main, Name: f.Name, Title: FigureTitle(f.Name), Base: withUnit(f.Name, f.Base), Head: withUnit(f.Name, f.Head), Change: f.Difference()}
			isInItem := s.report.Cases[i].Verdict.Broken() // an item shows the sentence about chance
			if said := f.Significance(); said != "" && !isInItem && !SameRates(last, f) {
				m.Chance = say(said)
			}
			list = append(list, m)
			last = f
		}
	}
	return list
}

// SameRates reports whether two rates are the same in base and head, so that one line about chance serves both. Without a token
// budget, selection rate and pass^k are the same.
func SameRates(a, b report.Delta) bool {
	return a.P != "" && a.P == b.P && a.Base == b.Base && a.Head == b.Head
}

func withUnit(of string, value report.Optional) Line {
	if value == "" {
		return say(report.Absent)
	}
	one := figure(string(value))
	if one.Style != Plain {
		return say(one)
	}
	digits, hasUnit := strings.CutSuffix(one.Text, "%")
	if hasUnit || report.FigureNamed(of).IsPercent() {
		return say(digits + " %")
	}
	return say(one)
}

// FigureTitle returns the name of a figure for a list of figures that moved.
func FigureTitle(of string) Line {
	f := report.FigureNamed(of)
	if title := cmp.Or(f.Label, f.Title); title != "" {
		return say(title)
	}
	return say(name(of))
}

// OfPassHat returns the name of the pass^k that an assertion is about, in parentheses, to be written after the target's name; "" if
// the assertion is about another figure, or if the target's name has the k.
func OfPassHat(a *judge.Assertion) string {
	if a.K < 1 {
		return ""
	}
	return " (" + stat.PassHatName(a.K) + ")"
}

// PassHats lists the first values of pass^1, pass^2 and so on; "" if there is only pass^1.
func PassHats(g *judge.Result) string {
	const most = 10
	if len(g.PassHat) < 2 {
		return ""
	}
	var list []string
	for i, percent := range g.PassHat[:min(len(g.PassHat), most)] {
		list = append(list, stat.PassHatName(i+1)+" "+strconv.Itoa(int(percent))+"%")
	}
	if len(g.PassHat) > most {
		list = append(list, "…")
	}
	return strings.Join(list, ", ")
}
