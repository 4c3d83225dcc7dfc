package lint

import (
	"errors"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/schema"
)

// Limits on the schemas that are compiled, because the time of compiling can grow with the square of both numbers. A schema
// above a limit is never reported as invalid, because only the compiler decides that.
const (
	maxCompiled = 64 << 10 // bytes
	maxStrays   = 100      // references to values in places where there are no schemas
)

// compileFlaw returns the reason why a schema, given decoded and as written, does not compile as JSON Schema; "" if it
// compiles.
func compileFlaw(root *schema.Node, raw []byte) string {
	if number := hugeNumber(root); number != "" {
		return "inputSchema holds the number " + Shortened(number) + ", which is out of range"
	}
	p := prove(root)
	if p.isProven() || len(raw) > maxCompiled || p.strays > maxStrays {
		return ""
	}
	err := compile(raw)
	if err == nil {
		return ""
	}
	if p.flaw != "" {
		return "inputSchema is not valid JSON Schema: " + p.flaw
	}
	return "inputSchema is not valid JSON Schema: " + firstFlaw(err)
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

// compilePattern returns an error if Go refuses a pattern for a reason that holds in ECMAScript, too. Patterns of JSON Schema are
// ECMAScript's: a pattern that only Go refuses is accepted. It does not build the program of the pattern, which can be a hundred
// thousand times as long and is never used.
func compilePattern(pattern string) (schema.Pattern, error) {
	if _, err := syntax.Parse(pattern, syntax.Perl); err != nil && !onlyGoRefuses(pattern, err) {
		return nil, err
	}
	return unmatchedPattern{}, nil
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

// unmatchedPattern is a pattern that only has to compile: no text is matched with it.
type unmatchedPattern struct{}

// MatchString implements [schema.Pattern].
func (unmatchedPattern) MatchString(string) bool { return true }

// String implements [schema.Pattern].
func (unmatchedPattern) String() string { return "" }

// Work implements [schema.Pattern].
func (unmatchedPattern) Work(string) int { return 0 }

// firstFlaw returns the first complaint of the compiler in the order of places, because the compiler reads maps in random
// order.
func firstFlaw(err error) string {
	flaws := schema.Flaws(err)
	if len(flaws) == 0 {
		return "a reference, an id, an anchor or a pattern in it is not valid"
	}
	texts := lists.Map(flaws, func(f schema.Flaw) string { return "/" + strings.Join(f.Path, "/") + ": " + f.Problem })
	return Shortened(slices.Min(texts))
}
