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
	// Work is what matching text costs, in visits as [Compiled.Work] counts them.
	Work(text string) int
}

// Compiled is a JSON Schema that values can be held against.
type Compiled struct {
	root *jsonschema.Schema
}

// base is that of a schema that has none of its own. Nothing can be loaded from there.
const base = "schema:///"

// errIDs is what the library panics about.
var errIDs = errors.New("its identifiers contradict each other")

// Compile compiles a schema decoded by [Values]: drafts 4 to 2020-12 as $schema says,
// else 2020-12. Formats are annotations in all of them. Nothing is loaded from files or the network; see [Remote]. Each
// regular expression is read by pattern.
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
			return nil, nil // a value of format regex
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

// formats are those that the library asserts in drafts before 2019-09, but for regex, which cannot be replaced.
const formats = `json-pointer relative-json-pointer uuid duration period ipv4 ipv6 hostname email date time date-time uri iri
uri-reference iri-reference uri-template semver`

// offline is a loader that loads nothing.
type offline struct{}

var errOffline = errors.New("nothing is loaded")

// Load implements [jsonschema.URLLoader].
func (offline) Load(string) (any, error) { return nil, errOffline }

// Validate returns why a decoded value does not fit, or nil. It can take time without end: see [Compiled.Work].
func (c *Compiled) Validate(value any) error { return c.root.Validate(value) }

// Remote returns the reference to another document for which a schema did not compile.
func Remote(err error) (url string, ok bool) {
	var load *jsonschema.LoadURLError
	if !errors.As(err, &load) {
		return "", false
	}
	return load.URL, true
}

// Flaw is a part of a schema, or of a value under a schema, that is not as it must be.
type Flaw struct {
	Path    []string // keys, and indexes of lists
	Problem string
}

// Flaws returns why a schema does not fit its own schema, or a value its schema, in no order; none for other errors.
func Flaws(err error) []Flaw {
	var bad *jsonschema.SchemaValidationError
	if errors.As(err, &bad) {
		err = bad.Err
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return nil
	}
	return leaves(invalid, nil)
}

func leaves(err *jsonschema.ValidationError, to []Flaw) []Flaw {
	if len(err.Causes) == 0 {
		return append(to, Flaw{err.InstanceLocation, words(err.ErrorKind)})
	}
	for _, cause := range err.Causes {
		to = leaves(cause, to)
	}
	return to
}

// Problem returns the text of an error without the made-up base of the schema.
func Problem(err error) string { return strings.ReplaceAll(err.Error(), base, "") }
