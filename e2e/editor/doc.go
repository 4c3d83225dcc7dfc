// Package editor tests the schemas that the program prints: what the YAML language server of editors underlines, completes and
// explains in suites. ../setup installs the server, in the version that package-lock.json pins; without it the tests skip.
package editor
