package report

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
)

// Complexity sums up the cases with tasks of the same complexity.
type Complexity struct {
	Complexity string `json:"complexity"`
	Cases      int    `json:"cases"`
	Passed     int    `json:"passed"`
	Correct    int    `json:"correct"`    // correct hits in all runs of these cases
	Distractor int    `json:"distractor"` // hits of distractors in all runs of these cases
	Accuracy   *int   `json:"accuracy"`   // percentage of the hits that are correct, rounded down; nil without a hit
}

// sumComplexity sets the figures by complexity. The percentage is computed from the hits of all cases together.
func (r *Report) sumComplexity() {
	r.Complexity = nil
	for i := range r.Cases {
		c := &r.Cases[i]
		if c.Complexity == "" {
			continue
		}
		at, known := slices.BinarySearchFunc(r.Complexity, string(c.Complexity), func(s Complexity, name string) int {
			return strings.Compare(s.Complexity, name)
		})
		if !known {
			r.Complexity = slices.Insert(r.Complexity, at, Complexity{Complexity: string(c.Complexity)})
		}
		r.Complexity[at].add(c)
	}
	for i := range r.Complexity {
		if s := &r.Complexity[i]; s.Correct+s.Distractor > 0 {
			accuracy := 100 * s.Correct / (s.Correct + s.Distractor)
			s.Accuracy = &accuracy
		}
	}
}

func (s *Complexity) add(c *Case) {
	s.Cases++
	if c.Verdict == judge.Pass {
		s.Passed++
	}
	for _, g := range c.Gates {
		if g.Gate == gates.Distractors.Name {
			s.Correct += g.Counts["correct"]
			s.Distractor += g.Counts["distractor"]
		}
	}
}
