package gates

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// schemaURL is the base of a schema that has none of its own. It is nowhere to be loaded from.
const schemaURL = "schema:///"

// compileSchema compiles a JSON Schema, decoded as decodeJSON does: drafts 4 to 2020-12 as $schema says, else 2020-12.
// Nothing is loaded from files or the network.
func compileSchema(doc any) (schema *jsonschema.Schema, err error) {
	// The library gives up on some contradictory identifiers with a panic.
	defer func() {
		if recover() != nil {
			schema, err = nil, errors.New("its identifiers contradict each other")
		}
	}()
	c := jsonschema.NewCompiler()
	c.UseRegexpEngine(func(expr string) (jsonschema.Regexp, error) { return parsedRegexp(expr), newPattern(expr).err })
	return compileWith(c, doc)
}

// parsedRegexp is a pattern that is known to compile, and is not matched.
type parsedRegexp string

func (re parsedRegexp) String() string { return string(re) }

// MatchString matches nothing.
func (parsedRegexp) MatchString(string) bool { return false }

// compileWith compiles as compileSchema does, with a compiler that has settings of its own.
func compileWith(c *jsonschema.Compiler, doc any) (*jsonschema.Schema, error) {
	if !boundedNumbers(doc) {
		return nil, errors.New("it holds a number that is too long to compute with")
	}
	c.UseLoader(refuseToLoad{})
	if err := c.AddResource(schemaURL, doc); err != nil {
		return nil, err
	}
	schema, err := c.Compile(schemaURL)
	if err != nil {
		return nil, errors.New(schemaProblem(err))
	}
	return schema, nil
}

type refuseToLoad struct{}

// Load refuses every reference that leads out of the schema.
func (refuseToLoad) Load(string) (any, error) {
	return nil, errors.New("nothing is loaded")
}

// decodeJSON decodes a valid JSON value as schemas and matchers take it: nil, bool, string, json.Number, []any or
// map[string]any. It reports false for a value with a number that is too long to compute with.
func decodeJSON(raw jsontext.Value) (any, bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, false
	}
	return v, boundedNumbers(v)
}

// boundedNumbers reports whether all numbers in a decoded value are short enough for exact arithmetic.
func boundedNumbers(v any) bool {
	switch v := v.(type) {
	case json.Number:
		return plainDecimal.MatchString(v.String())
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !boundedNumbers(item) })
	case map[string]any:
		for _, item := range v {
			if !boundedNumbers(item) {
				return false
			}
		}
	}
	return true
}

// schemaProblem says in one line what a schema, or a value under a schema, is refused for. The library walks maps in
// their random order, so the first line of a sorted list is taken.
func schemaProblem(err error) string {
	var refused *jsonschema.LoadURLError
	if errors.As(err, &refused) {
		return fmt.Sprintf("%q is another document, and references to other documents are not followed", clip(refused.URL))
	}
	var bad *jsonschema.SchemaValidationError
	if errors.As(err, &bad) {
		err = bad.Err
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return clip(strings.ReplaceAll(err.Error(), schemaURL, ""))
	}
	return slices.Min(leaves(invalid, nil))
}

func leaves(err *jsonschema.ValidationError, to []string) []string {
	if len(err.Causes) == 0 {
		what := err.ErrorKind.LocalizedString(message.NewPrinter(language.English))
		if len(err.InstanceLocation) > 0 {
			what = fmt.Sprintf("%q: %s", strings.Join(err.InstanceLocation, "."), what)
		}
		return append(to, clip(what))
	}
	for _, cause := range err.Causes {
		to = leaves(cause, to)
	}
	return to
}
