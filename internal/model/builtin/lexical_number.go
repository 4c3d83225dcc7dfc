package builtin

import "math"

// near1 returns a number within a schema's bounds that is close to 1 but easy to find.
func (s resolved) near1(whole bool) float64 {
	step := 1.0
	if multiple, ok := s.float("multipleOf"); ok && multiple > 0 {
		step = multiple
	} else if !whole {
		step = 0 // a step of 0 allows any number
	}
	n := 1.0
	least, most := s.bounds(step)
	n = min(max(n, least), most)
	if step > 0 {
		n = math.Ceil(n/step) * step
		if n > most {
			n = math.Floor(most/step) * step
		}
	}
	if math.IsNaN(n) || math.Abs(n) > 1e15 {
		return 1 // no sensible argument has such bounds
	}
	return n
}

// bounds returns the least and the greatest number that a schema allows, infinite without a bound. Step is the distance
// of the first allowed number from an excluded bound; 0 if any number is allowed.
func (s resolved) bounds(step float64) (least, most float64) {
	least, most = math.Inf(-1), math.Inf(1)
	if n, ok := s.float("minimum"); ok {
		least = n
	}
	if n, ok := s.float("maximum"); ok {
		most = n
	}
	above, hasAbove := s.float("exclusiveMinimum")
	below, hasBelow := s.float("exclusiveMaximum")
	if s.get("exclusiveMinimum").Is('t') { // draft 4 has a truth value here
		above, hasAbove = least, true
	}
	if s.get("exclusiveMaximum").Is('t') {
		below, hasBelow = most, true
	}
	margin := step
	if margin == 0 {
		margin = 1
		if hasAbove && hasBelow {
			margin = min(margin, (below-above)/2)
		}
	}
	if hasAbove {
		least = max(least, nextAbove(above, step, margin))
	}
	if hasBelow {
		most = min(most, -nextAbove(-below, step, margin))
	}
	return least, most
}

// nextAbove returns a number above n: the next multiple of step, or n plus margin if step is 0.
func nextAbove(n, step, margin float64) float64 {
	if step == 0 {
		return n + margin
	}
	return (math.Floor(n/step) + 1) * step
}
