package redact

// Before returns the last place at or before one of a text where the text can be cut off without leaving a part of a
// secret: a part would not be known for one. It looks 64 KiB to both sides of the place.
func (r *Rules) Before(text string, at int) int {
	start, _ := r.around(text, at)
	return start
}

// After returns the first place at or behind one of a text from where the text can be kept without a part of a secret.
func (r *Rules) After(text string, at int) int {
	_, end := r.around(text, at)
	return end
}

// around returns the place of the secret that a place is in the middle of; the place itself when there is none.
func (r *Rules) around(text string, at int) (start, end int) {
	from := max(0, at-lookAhead)
	for _, f := range r.Find(text[from:min(len(text), at+lookAhead)]) {
		if from+f.Start < at && from+f.End > at {
			return from + f.Start, from + f.End
		}
	}
	return at, at
}
