//go:build !race

package cli

// raced says that the tests run with the race detector.
const raced = false
