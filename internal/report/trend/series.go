package trend

import (
	"cmp"
	"maps"
	"slices"
	"sort"

	"github.com/org/mcp-gates/internal/judge"
)

// Key identifies a figure through a history.
type Key struct {
	Case, Catalog string // the id of a case, or the path of a catalog; the other is ""
	Gate, Target  string // Target is "" for the verdict of a case
}

// Series is one figure in all commits of a history.
type Series struct {
	Key
	Name   string   // display name of the case or the catalog
	Values []*Value // a value for each point; nil if the commit does not have the figure
}

// Value is a figure in one commit.
type Value struct {
	Figure judge.Value   // the number; the zero value for a verdict
	Runs   int           // number of scored runs of the case; 0 for a catalog
	State  judge.Verdict // verdict of a case, if the figure is a verdict
	Holds  judge.Verdict // whether the figure satisfies the suite's bound; "" if there is no bound
}

// isSame reports whether two values have the same verdict and the same number.
func (v *Value) isSame(w *Value) bool { return v.State == w.State && v.Figure.Cmp(w.Figure) == 0 }

// Step is a change of a figure between two consecutive commits that have it.
type Step struct {
	*Series
	Point    int // index of the later commit
	From, To *Value
	// Size compares steps of different figures. It is 2 for a verdict. For percentages and for figures from 0 to 1 it is the
	// difference as a part of 1. For other figures it is the difference divided by the largest value in the history, which for a
	// count is taken to be at least 10.
	Size float64
}

// Series returns every figure of a history: first the figures of cases by id, each with the verdict first, then the figures of
// catalogs by path.
func (h *History) Series() []*Series {
	byKey := map[Key]*Series{}
	var all []*Series
	setValue := func(i int, key Key, name string, v *Value) {
		s := byKey[key]
		if s == nil {
			s = &Series{Key: key, Values: make([]*Value, len(h.Points))}
			byKey[key] = s
			all = append(all, s)
		}
		s.Name, s.Values[i] = name, v
	}
	for i, p := range h.Points {
		for _, c := range p.Cases {
			name := c.Name
			if c.Model != "" {
				name += " [" + c.Model + "]"
			}
			if !h.oneTarget {
				setValue(i, Key{Case: c.ID}, name, &Value{State: c.Verdict, Runs: c.Runs})
			}
			for _, f := range c.Figures {
				setValue(i, Key{Case: c.ID, Gate: f.Gate, Target: f.Target}, name, &Value{Figure: f.Value, Runs: c.Runs, Holds: f.Verdict})
			}
		}
		for _, c := range p.Catalogs {
			for _, f := range c.Figures {
				setValue(i, Key{Catalog: c.Path, Target: f.Target}, c.Name, &Value{Figure: f.Value})
			}
		}
	}
	slices.SortFunc(all, func(a, b *Series) int { return a.compare(&b.Key) })
	return all
}

// compare orders figures: figures of cases come before figures of catalogs.
func (k *Key) compare(other *Key) int {
	// The catalog comes first, because a figure of a case has none.
	return cmp.Or(cmp.Compare(k.Catalog, other.Catalog), cmp.Compare(k.Case, other.Case), cmp.Compare(k.Gate, other.Gate),
		cmp.Compare(k.Target, other.Target))
}

// Steps returns the changes of a figure, the oldest first.
func (s *Series) Steps() (steps []Step) {
	_, high := s.bounds()
	var before *Value
	for i, v := range s.Values {
		if v == nil {
			continue
		}
		if before != nil && !before.isSame(v) {
			steps = append(steps, Step{Series: s, Point: i, From: before, To: v, Size: size(before, v, high)})
		}
		before = v
	}
	return steps
}

// minDivisor is the least divisor of a difference between counts. Without it, the first finding of a project would be its biggest
// step.
const minDivisor = 10

func size(from, to *Value, high float64) float64 {
	if from.State != "" || to.State != "" {
		return 2
	}
	whole := high
	switch from.Figure.Unit {
	case judge.Percent:
		whole = 100
	case judge.Score, judge.Fraction:
		whole = 1
	case judge.Number:
		whole = max(high, minDivisor)
	}
	moved := to.height() - from.height()
	return max(moved, -moved) / max(whole, 1e-9)
}

// Move is a figure that changed.
type Move struct {
	*Series
	First, Last *Value
	Biggest     Step
	Steps       int
}

// Turn is a commit in which at least one figure moved.
type Turn struct {
	Point int
	Steps []Step // the biggest first
}

// Moved returns the figures that moved, in the order of [History.Series], and the commits in which they moved. Commits with bigger
// steps come first, and of two equal ones the younger.
func (h *History) Moved() (moves []Move, turns []Turn) {
	byPoint := map[int]*Turn{}
	for _, s := range h.Series() {
		own := s.Steps()
		if len(own) == 0 {
			continue
		}
		biggest := slices.MaxFunc(own, func(a, b Step) int { return cmp.Compare(a.Size, b.Size) })
		present := slices.DeleteFunc(slices.Clone(s.Values), func(v *Value) bool { return v == nil })
		moves = append(moves, Move{s, present[0], present[len(present)-1], biggest, len(own)})
		for _, step := range own {
			if byPoint[step.Point] == nil {
				byPoint[step.Point] = &Turn{Point: step.Point}
			}
			byPoint[step.Point].Steps = append(byPoint[step.Point].Steps, step)
		}
	}
	for _, point := range slices.Backward(slices.Sorted(maps.Keys(byPoint))) {
		turn := byPoint[point]
		sort.SliceStable(turn.Steps, func(i, j int) bool {
			a, b := &turn.Steps[i], &turn.Steps[j]
			return cmp.Compare(b.Size, a.Size) < 0
		})
		turns = append(turns, *turn)
	}
	sort.SliceStable(turns, func(i, j int) bool {
		a, b := &turns[i], &turns[j]
		return cmp.Compare(b.Steps[0].Size, a.Steps[0].Size) < 0
	})
	return moves, turns
}

var bars = []rune("▁▂▃▄▅▆▇█")

// Sparkline draws a figure with at most width characters. A commit without the figure is a space. A verdict other than pass is
// drawn low.
func (s *Series) Sparkline(width int) string {
	values := s.Values
	var line []rune
	low, high := s.bounds()
	columns := min(width, len(values))
	for i := range columns {
		v := values[(i+1)*len(values)/columns-1] // several commits can share a column, which shows the last of them
		switch {
		case v == nil:
			line = append(line, ' ')
		case low == high:
			line = append(line, bars[len(bars)/2])
		default:
			part := (v.height() - low) / (high - low)
			line = append(line, bars[min(int(part*float64(len(bars))), len(bars)-1)])
		}
	}
	return string(line)
}

// bounds returns the lowest and the highest value of the figure.
func (s *Series) bounds() (low, high float64) {
	first := true
	for _, v := range s.Values {
		if v == nil {
			continue
		}
		at := v.height()
		if first {
			low, high, first = at, at, false
		}
		low, high = min(low, at), max(high, at)
	}
	return low, high
}

// height returns the height at which a curve shows the value.
func (v *Value) height() float64 {
	if v.State == judge.Pass {
		return 1
	}
	if v.State != "" || v.Figure.Rat == nil {
		return 0
	}
	at, _ := v.Figure.Rat.Float64()
	return at
}

// Only keeps the figures of one target, and the cases and catalogs with such a figure. If there are none, it returns the existing
// targets.
func (h *History) Only(target string) (others []string) {
	known := map[string]bool{}
	keep := func(list []Figure) (kept []Figure) {
		for _, f := range list {
			known[f.Target] = true
			if f.Target == target {
				kept = append(kept, f)
			}
		}
		return kept
	}
	for _, p := range h.Points {
		var cases []*Case
		for _, c := range p.Cases {
			one := *c
			if one.Figures = keep(c.Figures); len(one.Figures) > 0 {
				cases = append(cases, &one)
			}
		}
		var catalogs []*Catalog
		for _, c := range p.Catalogs {
			one := *c
			if one.Figures = keep(c.Figures); len(one.Figures) > 0 {
				catalogs = append(catalogs, &one)
			}
		}
		p.Cases, p.Catalogs = cases, catalogs
	}
	h.oneTarget = true
	if known[target] {
		return nil
	}
	return slices.Sorted(maps.Keys(known))
}
