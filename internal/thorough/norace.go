//go:build !race

package thorough

// Raced says that the tests run with the race detector.
const Raced = false
