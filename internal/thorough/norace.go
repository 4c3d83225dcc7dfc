//go:build !race

package thorough

// Raced is true if the tests run with the race detector.
const Raced = false
