package report

import "math/big"

// Drop is a figure of a case of which max_drop says how far it may be below the base's.
type Drop struct {
	Target string   `json:"target"` // such as tool_selection.rate
	Base   Optional `json:"base"`   // in percent; null where the base has no such figure
	Head   Optional `json:"head"`   // likewise
	Most   int      `json:"most"`   // percent points
}

// IsJudged reports whether both sides have the figure.
func (d *Drop) IsJudged() bool {
	_, hasBase := Digits(string(d.Base))
	_, hasHead := Digits(string(d.Head))
	return hasBase && hasHead
}

// IsTooFar reports whether the figure is farther below the base's than it may be.
func (d *Drop) IsTooFar() bool {
	base, hasBase := Digits(string(d.Base))
	head, hasHead := Digits(string(d.Head))
	return hasBase && hasHead && base.Sub(base, head).Cmp(big.NewRat(int64(d.Most), 1)) > 0
}
