package redact

// Before returns the last place, not after the given place, at which a text can be cut without splitting a secret: no
// rule recognizes a part of a secret. Before reads 64 KiB on both sides of the place.
func (r *Rules) Before(text string, at int) int {
	start, _ := r.secretAround(text, at)
	return start
}

// After returns the first place, not before the given place, at which a text can be cut without splitting a secret.
func (r *Rules) After(text string, at int) int {
	_, end := r.secretAround(text, at)
	return end
}

// secretAround returns the start and the end of the secret around a place; both are the place itself if no secret is around
// it.
func (r *Rules) secretAround(text string, at int) (start, end int) {
	from := max(0, at-lookAhead)
	for _, f := range r.Find(text[from:min(len(text), at+lookAhead)]) {
		if from+f.Start < at && from+f.End > at {
			return from + f.Start, from + f.End
		}
	}
	return at, at
}
