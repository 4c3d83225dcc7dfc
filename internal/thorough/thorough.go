// Package thorough decides how much the tests do. Only tests import it.
//
// By default they do what finds most mistakes in little time. If MCP_GATES_THOROUGH is set, as .ci/run sets it, they do everything.
package thorough

import (
	"os"
	"testing"
)

const variable = "MCP_GATES_THOROUGH"

// Asked reports whether the tests do everything.
func Asked() bool { return os.Getenv(variable) != "" }

// Cases returns how many of n cases a test tries, but at least one: all if the tests do everything, otherwise a tenth, or a
// hundredth with the race detector, with which a case takes ten times as long. A test whose cases come from seeds tries the first
// seeds, so that two runs try the same cases.
func Cases[N int | uint64](n N) N {
	switch {
	case Asked():
		return n
	case Raced:
		return max(1, n/100)
	}
	return max(1, n/10)
}

// Size returns all if the tests do everything, otherwise usual.
func Size[N any](usual, all N) N {
	if Asked() {
		return all
	}
	return usual
}

// Only skips a test unless the tests do everything. The reason goes into the message.
func Only(t testing.TB, reason string) {
	t.Helper()
	if !Asked() {
		t.Skipf("%s; %s is not set", reason, variable)
	}
}

// Unraced skips a test if the race detector is on. It is for tests that take long with the race detector, and that start no
// goroutines, or the same goroutines as other tests.
func Unraced(t testing.TB, reason string) {
	t.Helper()
	if Raced {
		t.Skipf("with the race detector %s", reason)
	}
}
