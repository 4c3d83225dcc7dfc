package lint

import (
	"errors"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/schema"
)

// Limits on the schemas that are compiled, which takes the square of either in the worst case. Longer ones that
// [prover] cannot judge are not reported.
const (
	maxCompiled = 64 << 10 // bytes
	maxStrays   = 100      // references to what does not stand where schemas do
)

// compileFlaw returns why a schema, given decoded and as written, does not compile as JSON Schema, or "".
func compileFlaw(root *schema.Node, raw []byte) string {
	if number := hugeNumber(root); number != "" {
		return "inputSchema holds the number " + Shortened(number) + ", which is out of range"
	}
	p := prove(root)
	if p.proven() || len(raw) > maxCompiled || p.strays > maxStrays {
		return ""
	}
	err := compile(raw)
	if err == nil {
		return ""
	}
	if p.flaw != "" {
		return "inputSchema is not valid JSON Schema: " + p.flaw
	}
	return "inputSchema is not valid JSON Schema: " + reason(err)
}

// compile compiles a schema. A reference that would have to be loaded is not an error.
func compile(raw []byte) error {
	doc, err := schema.Values(raw)
	if err != nil {
		return err
	}
	_, err = schema.Compile(doc, compilePattern)
	if _, remote := schema.Remote(err); remote {
		return nil
	}
	return err
}

// compilePattern says whether a pattern compiles. Nothing is matched with it, and its program may be a hundred thousand
// times as long. JSON Schema's patterns are ECMAScript's, which know more than Go's: what only Go refuses is taken for one.
func compilePattern(pattern string) (schema.Pattern, error) {
	if _, err := syntax.Parse(pattern, syntax.Perl); err != nil && !onlyGoRefuses(pattern, err) {
		return nil, err
	}
	return anything{}, nil
}

// onlyGoRefuses reports whether the error may be due to look-around, a back reference, \u1234, \cX, a repeat of over 1000
// or an empty class.
func onlyGoRefuses(pattern string, err error) bool {
	var mistake *syntax.Error
	if !errors.As(err, &mistake) {
		return false
	}
	switch mistake.Code {
	case syntax.ErrInvalidPerlOp, syntax.ErrInvalidEscape, syntax.ErrInvalidRepeatSize, syntax.ErrLarge,
		syntax.ErrNestingDepth, syntax.ErrInvalidNamedCapture, syntax.ErrInvalidCharRange:
		return true
	case syntax.ErrMissingBracket:
		return strings.Contains(pattern, "[]") || strings.Contains(pattern, "[^]")
	}
	return false
}

// anything is a pattern that nothing is matched with.
type anything struct{}

// MatchString implements [schema.Pattern].
func (anything) MatchString(string) bool { return true }

// String implements [schema.Pattern].
func (anything) String() string { return "" }

// Work implements [schema.Pattern].
func (anything) Work(string) int { return 0 }

// reason returns the first thing that the compiler complains about, by its place: the compiler goes through maps.
func reason(err error) string {
	flaws := schema.Flaws(err)
	if len(flaws) == 0 {
		return "a reference, an id, an anchor or a pattern in it is not valid"
	}
	texts := make([]string, len(flaws))
	for i, f := range flaws {
		texts[i] = "/" + strings.Join(f.Path, "/") + ": " + f.Problem
	}
	return Shortened(slices.Min(texts))
}
