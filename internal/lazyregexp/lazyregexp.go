// Package lazyregexp has regular expressions that are compiled when they are first used. There are many, most runs need a few, and
// compiling them all took a sixth of the program's start.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that returns the compiled expression. It panics, at the first use, where expr is not one.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
