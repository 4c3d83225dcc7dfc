package e2e

import "testing"

// scenario is something that happens to a repository.
type scenario struct {
	name string
	play func(*world)
}

// play plays each scenario in a world of its own, several at a time, beside those of other tests.
func play(t *testing.T, scenarios []scenario) {
	t.Helper()
	t.Parallel()
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.play(newWorld(t))
		})
	}
}
