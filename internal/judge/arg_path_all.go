package judge

// All returns the values to which the path leads in a decoded value. A key leads into every item of a list, so that a path
// need not count them.
func (p ArgPath) All(value any) []any {
	found := []any{value}
	for _, s := range p.steps {
		var next []any
		for _, v := range found {
			next = s.all(next, v)
		}
		found = next
	}
	return found
}

// all appends the values to which one step leads.
func (s step) all(to []any, value any) []any {
	if list, ok := value.([]any); ok && s.index < 0 {
		for _, item := range list {
			to = s.all(to, item)
		}
		return to
	}
	if inner, ok := s.take(value); ok {
		to = append(to, inner)
	}
	return to
}
