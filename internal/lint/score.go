package lint

import (
	"slices"

	"github.com/org/mcp-gates/internal/lists"
)

// Whole is a score of 1.
const Whole = 10000

// NoScore is the score of a tool whose schema is unknown, because half of the parts of a score are about schemas.
const NoScore = -1

// Lengths in characters on which the score depends.
const (
	fullLength    = 80   // a description of this length is long enough
	conciseLength = 500  // a description up to this length is concise
	rambling      = 1500 // a description from this length on is not concise at all
)

// score returns the quality of a tool's description, in 1/10000: the mean of six parts. The parts and the mean are
// rounded down.
//
// It is a heuristic that needs no model. A published rubric of a similar name is graded by models, and its figures
// cannot be compared with these.
func (v *View) score() int {
	parts := [...]int{
		v.presenceScore(), v.lengthScore(), v.argumentsScore(), v.concisenessScore(), v.returnsScore(), v.annotationsScore(),
	}
	sum := 0
	for _, part := range parts {
		sum += part
	}
	return sum / len(parts)
}

func wholeIf(yes bool) int {
	if yes {
		return Whole
	}
	return 0
}

func (v *View) presenceScore() int { return wholeIf(v.Text != "" && !v.repeatsName()) }

func (v *View) lengthScore() int { return min(Whole, Whole*v.Chars/fullLength) }

func (v *View) argumentsScore() int {
	if len(v.arguments) == 0 {
		return Whole
	}
	documented := lists.Count(v.arguments, func(a argument) bool { return a.text != "" })
	return Whole * documented / len(v.arguments)
}

func (v *View) concisenessScore() int {
	switch {
	case v.Chars == 0 || v.Chars >= rambling:
		return 0
	case v.Chars <= conciseLength:
		return Whole
	}
	return Whole * (rambling - v.Chars) / (rambling - conciseLength)
}

func (v *View) returnsScore() int { return wholeIf(v.hasOutput || v.saysReturns) }

func (v *View) annotationsScore() int {
	if v.annotations == nil {
		return 0
	}
	if slices.ContainsFunc(hints, func(hint string) bool { return v.annotations.Get(hint).IsBool() }) {
		return Whole
	}
	return Whole / 2
}

// setScores sets the scores of all tools, the least and the mean.
func (r *Result) setScores(views []*View) {
	if len(views) == 0 {
		return
	}
	r.HasScores, r.Min = true, Whole
	sum := 0
	for _, v := range views {
		if v.Tool.SchemaUnknown {
			r.Scores, r.HasScores = append(r.Scores, NoScore), false
			continue
		}
		score := v.score()
		r.Scores = append(r.Scores, score)
		r.Min = min(r.Min, score)
		sum += score
	}
	r.Mean = sum / len(views)
}
