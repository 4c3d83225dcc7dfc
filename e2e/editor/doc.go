// Package editor tests the schemas that the program prints with the YAML language server that editors use, in the version that
// package-lock.json pins: what it underlines, completes and explains in suites. ../setup installs it; without npm the tests skip.
package editor
