package baseline

import "fmt"

// Unreadable says why a base commit or its files could not be read here. The files are not at fault: read in another
// way, or from a deeper clone, they may well be there.
type Unreadable struct {
	Reason string // one line, without the error
	Err    error  // may be nil
}

// Error returns the reason, and the error behind it.
func (u *Unreadable) Error() string {
	if u.Err == nil {
		return u.Reason
	}
	return u.Reason + ": " + u.Err.Error()
}

// Unwrap returns the error behind the reason.
func (u *Unreadable) Unwrap() error { return u.Err }

func unreadable(err error, format string, args ...any) *Unreadable {
	return &Unreadable{Reason: fmt.Sprintf(format, args...), Err: err}
}

// NoBaseline says why there is nothing to compare with. This is not a fault: a first suite has no baseline.
type NoBaseline struct {
	Reason string // one line, to follow "no baseline: "

	// Selected says that what was asked for, suites or cases, is not in the base, which may have others.
	Selected bool
}

// Error returns the reason as the tool words it.
func (n *NoBaseline) Error() string { return "no baseline: " + n.Reason }
