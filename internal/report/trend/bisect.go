package trend

import "github.com/org/mcp-gates/internal/judge"

// State is the state of a condition in a commit.
type State int

// These are the states. Unknown is the state of a commit that could not be evaluated.
const (
	Unknown State = iota
	Holds
	Fails
)

// Loss is a place in the history where a condition stopped holding.
type Loss struct {
	Before  *Point   // last commit in which the condition held; nil if it never held
	After   *Point   // first commit in which the condition no longer holds
	Between []*Point // commits between Before and After whose state is unknown
}

// Losses returns the places where a condition stopped holding, the oldest first. If it did not hold in the first commit, the
// first loss has no Before.
func (h *History) Losses(state func(*Point) State) (losses []Loss) {
	var held *Point
	var unknown []*Point
	fails := false
	for _, p := range h.Points {
		switch state(p) {
		case Unknown:
			unknown = append(unknown, p)
			continue
		case Holds:
			held, fails = p, false
		case Fails:
			if !fails {
				losses = append(losses, Loss{held, p, unknown})
			}
			fails = true
		}
		unknown = nil
	}
	return losses
}

// Why returns the reason why a condition has no state in a commit. The text follows the hash of the commit.
func (p *Point) Why() string {
	switch {
	case p.Gap != "":
		return "which could not be evaluated: " + p.Gap
	case len(p.Problems) > 0:
		return "which could not be evaluated: " + Place(&p.Problems[0]) + p.Problems[0].Message
	}
	return "in which it is absent or skipped"
}

// CaseOf returns the case of the commit with this id, or nil.
func (p *Point) CaseOf(id string) *Case {
	for _, c := range p.Cases {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Figure returns the figure of the case with this name, or nil.
func (c *Case) Figure(target string) *Figure {
	for i := range c.Figures {
		if c.Figures[i].Target == target {
			return &c.Figures[i]
		}
	}
	return nil
}

// Bounded returns the targets for which the suite has a bound.
func (c *Case) Bounded() (targets []string) {
	for i := range c.Figures {
		if c.Figures[i].Matcher != "" {
			targets = append(targets, c.Figures[i].Target)
		}
	}
	return targets
}

// Passes returns the condition that a case passes.
func Passes(id string) func(*Point) State {
	return func(p *Point) State {
		c := p.CaseOf(id)
		known := c != nil && c.Verdict != judge.Skipped
		return stateOf(known, known && c.Verdict == judge.Pass)
	}
}

// stateOf returns the state of a condition that is known, and holds or not.
func stateOf(known, holds bool) State {
	switch {
	case !known:
		return Unknown
	case holds:
		return Holds
	}
	return Fails
}

// Within returns the condition that a figure of a case satisfies the bound in the suite of the same commit.
func Within(id, target string) func(*Point) State {
	return func(p *Point) State {
		c := p.CaseOf(id)
		if c == nil {
			return Unknown
		}
		f := c.Figure(target)
		known := f != nil && f.Matcher != "" && f.Verdict != judge.Skipped
		return stateOf(known, known && f.Verdict == judge.Pass)
	}
}

// Surface returns the tokens of the catalog with this path, or of all catalogs if path is "". known is false if the tokens of
// one catalog are unknown.
func (p *Point) Surface(path string) (sum int64, known bool) {
	for _, c := range p.Catalogs {
		if path != "" && c.Path != path {
			continue
		}
		found := false
		for _, f := range c.Figures {
			if f.Target == "surface_tokens" {
				sum, found = sum+f.Value.Rat.Num().Int64(), true
			}
		}
		if !found {
			return 0, false
		}
		known = true
	}
	return sum, known
}

// Below returns the condition that all catalogs together have at most this many tokens.
func Below(most int64) func(*Point) State {
	return func(p *Point) State {
		sum, known := p.Surface("")
		return stateOf(known, sum <= most)
	}
}
