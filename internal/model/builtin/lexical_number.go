package builtin

import "math"

// numberNear1 returns 1 or, if the schema does not allow 1, an allowed number that is near it.
func (s resolved) numberNear1(isWhole bool) float64 {
	step := 1.0
	if multiple, ok := s.number("multipleOf"); ok && multiple > 0 {
		step = multiple
	} else if !isWhole {
		step = 0 // a step of 0 allows any number
	}
	n := 1.0
	minimum, maximum := s.bounds(step)
	n = min(max(n, minimum), maximum)
	if step > 0 {
		n = math.Ceil(n/step) * step
		if n > maximum {
			n = math.Floor(maximum/step) * step
		}
	}
	if math.IsNaN(n) || math.Abs(n) > 1e15 {
		return 1 // no sensible argument has such bounds
	}
	return n
}

// bounds returns the lower and the upper bound of a schema, infinite for none. A bound that the schema excludes is replaced by the
// nearest multiple of step inside the bounds or, if step is 0, by a number near it.
func (s resolved) bounds(step float64) (minimum, maximum float64) {
	minimum, maximum = math.Inf(-1), math.Inf(1)
	if n, ok := s.number("minimum"); ok {
		minimum = n
	}
	if n, ok := s.number("maximum"); ok {
		maximum = n
	}
	above, hasAbove := s.number("exclusiveMinimum")
	below, hasBelow := s.number("exclusiveMaximum")
	if s.get("exclusiveMinimum").Is('t') { // draft 4 has a truth value here
		above, hasAbove = minimum, true
	}
	if s.get("exclusiveMaximum").Is('t') {
		below, hasBelow = maximum, true
	}
	margin := step
	if margin == 0 {
		margin = 1
		if hasAbove && hasBelow {
			margin = min(margin, (below-above)/2)
		}
	}
	if hasAbove {
		minimum = max(minimum, nextAbove(above, step, margin))
	}
	if hasBelow {
		maximum = min(maximum, -nextAbove(-below, step, margin))
	}
	return minimum, maximum
}

// nextAbove returns a number above n: the next multiple of step, or n plus margin if step is 0.
func nextAbove(n, step, margin float64) float64 {
	if step == 0 {
		return n + margin
	}
	return (math.Floor(n/step) + 1) * step
}
