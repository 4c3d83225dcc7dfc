package lint

import (
	"bytes"
	"cmp"
	"errors"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Limits on the schemas that are compiled, which takes the square of either in the worst case. Longer ones that
// [prover] cannot judge are not reported.
const (
	maxCompiled = 64 << 10 // bytes
	maxStrays   = 100      // references to what does not stand where schemas do
)

// compileFlaw returns why a schema, given decoded and as written, does not compile as JSON Schema, or "".
func compileFlaw(schema *node, raw []byte) string {
	if number := hugeNumber(schema); number != "" {
		return "inputSchema holds the number " + shortened(number) + ", which is out of range"
	}
	p := prove(schema)
	if p.proven() || len(raw) > maxCompiled || p.strays > maxStrays {
		return ""
	}
	err := compile(raw)
	if err == nil {
		return ""
	}
	if p.flaw != "" {
		return "inputSchema is no JSON Schema: " + p.flaw
	}
	return "inputSchema is no JSON Schema: " + reason(err)
}

// compile compiles a schema. A reference that would have to be loaded is no error.
func compile(raw []byte) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	const url = "mcp-gates:///inputSchema"
	c := jsonschema.NewCompiler()
	c.UseLoader(offline{})
	c.UseRegexpEngine(compilePattern)
	if err := c.AddResource(url, doc); err != nil {
		return err
	}
	_, err = c.Compile(url)
	var load *jsonschema.LoadURLError
	if errors.As(err, &load) {
		return nil
	}
	return err
}

// offline is a loader that loads nothing.
type offline struct{}

var errOffline = errors.New("remote references are not loaded")

// Load implements [jsonschema.URLLoader].
func (offline) Load(string) (any, error) { return nil, errOffline }

// compilePattern says whether a pattern compiles. Nothing is matched with it, and its program may be a hundred thousand
// times as long. JSON Schema's patterns are ECMAScript's, which know more than Go's: what only Go refuses is taken for one.
func compilePattern(pattern string) (jsonschema.Regexp, error) {
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

type anything struct{}

// MatchString implements [jsonschema.Regexp].
func (anything) MatchString(string) bool { return true }

// String implements [jsonschema.Regexp].
func (anything) String() string { return "" }

// reason returns the first thing that the compiler complains about, by its place: the compiler goes through maps.
func reason(err error) string {
	var invalid *jsonschema.SchemaValidationError
	if !errors.As(err, &invalid) {
		return "a reference, an id, an anchor or a pattern in it is not valid"
	}
	var detail *jsonschema.ValidationError
	if !errors.As(invalid.Err, &detail) {
		return "it is not valid against its metaschema"
	}
	printer := message.NewPrinter(language.English)
	var leaves []string
	collectLeaves(detail, func(leaf *jsonschema.ValidationError) {
		leaves = append(leaves, "/"+strings.Join(leaf.InstanceLocation, "/")+": "+leaf.ErrorKind.LocalizedString(printer))
	})
	return shortened(slices.MinFunc(leaves, cmp.Compare))
}

func collectLeaves(e *jsonschema.ValidationError, visit func(*jsonschema.ValidationError)) {
	if len(e.Causes) == 0 {
		visit(e)
	}
	for _, cause := range e.Causes {
		collectLeaves(cause, visit)
	}
}
