package redact

import "strings"

// ellipsis takes the place of the rest of a long text in messages.
const ellipsis = "…"

// Bounds of the pieces of values that are searched for beside an ellipsis, in bytes.
const (
	minPiece = 8
	maxPiece = 4 << 10 // longer texts are always cut: a terminal shows 2,000 characters
)

// piece is one spelling of a secret value. A shortened text can contain only its beginning or its end.
type piece struct{ form, secret string }

// searchPieces notes parts of values before and after an ellipsis: a program that does not know the values may have
// shortened the message.
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
			if n := longestPrefix(p.form, s.text[from:at]); n > 0 {
				s.addSpan(at-n, at, p.secret)
			}
			if n := longestSuffix(p.form, s.text[behind:to]); n > 0 {
				s.addSpan(behind, behind+n, p.secret)
			}
		}
		from, at = behind, next
	}
}

// longestPrefix returns the length in bytes of the longest prefix of form that is a suffix of text; 0 if it is shorter than
// minPiece.
func longestPrefix(form, text string) int {
	for n := min(len(form), len(text), maxPiece); n >= minPiece; n-- {
		if text[len(text)-1] == form[n-1] && strings.HasSuffix(text, form[:n]) {
			return n
		}
	}
	return 0
}

// longestSuffix returns the length in bytes of the longest suffix of form that is a prefix of text; 0 if it is shorter than
// minPiece.
func longestSuffix(form, text string) int {
	for n := min(len(form), len(text), maxPiece); n >= minPiece; n-- {
		if text[0] == form[len(form)-n] && strings.HasPrefix(text, form[len(form)-n:]) {
			return n
		}
	}
	return 0
}
