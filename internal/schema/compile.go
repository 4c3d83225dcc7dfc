package schema

import (
	"errors"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Pattern is a regular expression of a schema.
type Pattern interface {
	String() string
	MatchString(text string) bool
	// Work returns the cost of matching text, in the visits that [Compiled.Work] counts.
	Work(text string) int
}

// Compiled is a compiled JSON Schema that can validate values.
type Compiled struct {
	root *jsonschema.Schema
}

// base is the address of a schema that names none. Nothing can be loaded from it.
const base = "schema:///"

// errIDs is the error for a schema on which the library panics.
var errIDs = errors.New("its identifiers contradict each other")

// Compile compiles a schema that [Values] decoded. It follows the draft that $schema names, from 4 to 2020-12; the default is
// 2020-12. In all drafts, formats are only annotations. Nothing is loaded from files or the network; see [Remote]. pattern compiles
// each regular expression.
func Compile(doc any, pattern func(text string) (Pattern, error)) (compiled *Compiled, err error) {
	defer func() {
		if recover() != nil {
			compiled, err = nil, errIDs
		}
	}()
	c := jsonschema.NewCompiler()
	c.UseLoader(offline{})
	c.UseRegexpEngine(func(text string) (jsonschema.Regexp, error) {
		if compiled != nil {
			return nil, nil // a value with format regex, which is not checked
		}
		return pattern(text)
	})
	for name := range strings.FieldsSeq(formats) {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
	}
	if err := c.AddResource(base, doc); err != nil {
		return nil, err
	}
	root, err := c.Compile(base)
	if err != nil {
		return nil, err
	}
	return &Compiled{root: root}, nil
}

// formats are the formats that the library asserts in drafts before 2019-09, except for regex, which cannot be replaced.
const formats = `json-pointer relative-json-pointer uuid duration period ipv4 ipv6 hostname email date time date-time uri iri
uri-reference iri-reference uri-template semver`

// offline is a loader that refuses to load anything.
type offline struct{}

var errOffline = errors.New("nothing is loaded")

// Load implements [jsonschema.URLLoader].
func (offline) Load(string) (any, error) { return nil, errOffline }

// Validate returns the reason why a decoded value does not fit, or nil. Its time is not bounded: see [Compiled.Work].
func (c *Compiled) Validate(value any) error { return c.root.Validate(value) }

// Remote returns the reference to another document that prevented a schema from compiling.
func Remote(err error) (url string, ok bool) {
	var load *jsonschema.LoadURLError
	if !errors.As(err, &load) {
		return "", false
	}
	return load.URL, true
}

// Flaw is an invalid part of a schema, or of a value that a schema describes.
type Flaw struct {
	Path    []string // keys, and indexes of lists
	Problem string
}

// Flaws returns the flaws in an error of [Compile] or [Compiled.Validate], in any order: the parts of a schema that are not valid
// JSON Schema, or the parts of a value that do not fit its schema. It returns nil for other errors.
func Flaws(err error) []Flaw {
	var bad *jsonschema.SchemaValidationError
	if errors.As(err, &bad) {
		err = bad.Err
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return nil
	}
	return leafFlaws(invalid, nil)
}

func leafFlaws(err *jsonschema.ValidationError, to []Flaw) []Flaw {
	if len(err.Causes) == 0 {
		return append(to, Flaw{err.InstanceLocation, words(err.ErrorKind)})
	}
	for _, cause := range err.Causes {
		to = leafFlaws(cause, to)
	}
	return to
}

// Problem returns the text of an error without [base], an address that is not in the schema.
func Problem(err error) string { return strings.ReplaceAll(err.Error(), base, "") }
