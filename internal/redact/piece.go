package redact

import "strings"

// ellipsis is where messages leave out the rest of a long text.
const ellipsis = "…"

// Bounds of the pieces of values that are searched for beside an ellipsis, in bytes.
const (
	minPiece = 8
	maxPiece = 4 << 10 // nothing cuts a text later: a terminal is shown 2,000 characters
)

// piece is a form of a value. Its beginning or its end can be all that is left of it in a text that was cut.
type piece struct{ form, secret string }

// searchPieces notes the parts of values in front of an ellipsis and behind it: a program that does not know the values
// can have shortened the message.
func (s *scan) searchPieces(pieces []piece) {
	from := 0
	for at := strings.Index(s.text, ellipsis); at >= 0; {
		behind := at + len(ellipsis)
		to := len(s.text)
		next := strings.Index(s.text[behind:], ellipsis)
		if next >= 0 {
			next += behind
			to = next
		}
		for _, p := range pieces {
			if n := beginning(p.form, s.text[from:at]); n > 0 {
				s.note(at-n, at, p.secret)
			}
			if n := ending(p.form, s.text[behind:to]); n > 0 {
				s.note(behind, behind+n, p.secret)
			}
		}
		from, at = behind, next
	}
}

// beginning returns how many bytes a form begins with that a text ends with; 0 for less than minPiece.
func beginning(form, text string) int {
	for n := min(len(form), len(text), maxPiece); n >= minPiece; n-- {
		if text[len(text)-1] == form[n-1] && strings.HasSuffix(text, form[:n]) {
			return n
		}
	}
	return 0
}

// ending returns how many bytes a form ends with that a text begins with; 0 for less than minPiece.
func ending(form, text string) int {
	for n := min(len(form), len(text), maxPiece); n >= minPiece; n-- {
		if text[0] == form[len(form)-n] && strings.HasPrefix(text, form[len(form)-n:]) {
			return n
		}
	}
	return 0
}
