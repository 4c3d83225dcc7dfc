package baseline

import "fmt"

// Unreadable is the reason why a base commit or its files could not be read here. The files are not at fault: they may
// be available by another way, or from a deeper clone.
type Unreadable struct {
	Reason string // one line, without the error
	Err    error  // may be nil
}

// Error returns the reason, with the underlying error.
func (u *Unreadable) Error() string {
	if u.Err == nil {
		return u.Reason
	}
	return u.Reason + ": " + u.Err.Error()
}

// Unwrap returns the underlying error.
func (u *Unreadable) Unwrap() error { return u.Err }

func unreadable(err error, format string, args ...any) *Unreadable {
	return &Unreadable{Reason: fmt.Sprintf(format, args...), Err: err}
}

// NoBaseline is the reason why there is no baseline to compare with. This is not a failure: a first suite has no
// baseline.
type NoBaseline struct {
	Reason string // one line, to follow "no baseline: "

	// Selected means that the base lacks the requested suites or cases; it may have others.
	Selected bool
}

// Error returns the reason after "no baseline: ".
func (n *NoBaseline) Error() string { return "no baseline: " + n.Reason }
