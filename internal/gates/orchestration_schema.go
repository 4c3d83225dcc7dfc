package gates

import (
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/source"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Limits on the work that schemas and arguments can cause, for both are the choice of servers and models. Work is
// counted in visits of a value by a schema, and what costs as much.
const (
	workPerTrace = 50_000_000
	workForCall  = 200 // besides, for every call of the trace: more evidence may take longer
	workPerCall  = 100_000

	maxSchemaNodes = 5000 // objects, lists and truth values of a schema: compiling takes the square of it
	maxArgsDepth   = 64   // of arguments: every complaint of the library repeats the path
)

// argumentCheck says whether arguments fit a tool's schema.
type argumentCheck int

const (
	argsUnchecked argumentCheck = iota // the schema does not compile, or checking takes too much work
	argsValid
	argsInvalid
)

// meter checks arguments against schemas within the limits on work.
type meter struct {
	total, call int // work that is left

	patterns *Patterns
	used     []*Pattern // by its schemas
	pos      source.Pos // where the schema stands in a suite; zero for those of catalogs
	work     *Work      // what matching patterns costs besides
}

func newMeter(calls int) *meter {
	return &meter{total: workPerTrace + workForCall*calls, patterns: &Patterns{}, work: &Work{}}
}

// exhausted reports whether the work for the whole trace was not enough, so that what was found depends on the order.
func (m *meter) exhausted() bool { return m.total < 0 }

// spend takes work off what is left, and reports whether there was enough.
func (m *meter) spend(work int) bool {
	// What a call may not spend is not done, so that one call takes little from the others.
	work = max(1, min(work, m.call+1))
	m.total -= work
	m.call -= work
	return m.total >= 0 && m.call >= 0
}

// compile compiles a tool's schema, and reports whether it can be used.
func (m *meter) compile(doc any) (schema *jsonschema.Schema, ok bool) {
	// The library gives up on some contradictory identifiers with a panic.
	defer func() {
		if recover() != nil {
			schema, ok = nil, false
		}
	}()
	nodes, dynamic := inspect(doc)
	if nodes > maxSchemaNodes || dynamic {
		return nil, false
	}
	m.call = m.total
	if !m.spend(nodes * nodes / 16) {
		return nil, false
	}
	c := jsonschema.NewCompiler()
	c.UseRegexpEngine(m.regexp)
	schema, err := compileWith(c, doc)
	if err != nil {
		return nil, false
	}
	m.attach(schema)
	return schema, true
}

// inspect counts the nodes of a decoded schema, and reports whether it has references that are resolved only while
// values are checked: what they lead to cannot be metered.
func inspect(doc any) (nodes int, dynamic bool) {
	switch v := doc.(type) {
	case bool:
		nodes = 1
	case []any:
		nodes = 1
		for _, item := range v {
			n, d := inspect(item)
			nodes, dynamic = nodes+n, dynamic || d
		}
	case map[string]any:
		nodes = 1
		for key, item := range v {
			n, d := inspect(item)
			nodes, dynamic = nodes+n, dynamic || d || slices.Contains(dynamicKeywords, key)
		}
	}
	return nodes, dynamic
}

var dynamicKeywords = []string{"$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"}

// check checks the arguments of one call.
func (m *meter) check(schema *jsonschema.Schema, args jsontext.Value) (result argumentCheck) {
	defer func() {
		if recover() != nil {
			result = argsUnchecked
		}
	}()
	value, ok := decodeJSON(args)
	if !ok {
		return argsInvalid // no computer number is that long
	}
	if deeper(value, maxArgsDepth) {
		return argsUnchecked
	}
	m.call = workPerCall
	err := schema.Validate(value)
	switch {
	case m.call < 0 || m.total < 0:
		return argsUnchecked
	case err != nil:
		return argsInvalid
	}
	return argsValid
}

// deeper reports whether a value is nested more than limit deep.
func deeper(v any, limit int) bool {
	if limit == 0 {
		return true
	}
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return deeper(item, limit-1) })
	case map[string]any:
		for _, item := range v {
			if deeper(item, limit-1) {
				return true
			}
		}
	}
	return false
}

var errSpent = errors.New("checking takes too much work")

// attach makes a schema and all that it leads to count the values that they visit. The count takes the place of the
// assertion of formats, which are not asserted: they are the first thing that the library checks besides the type.
func (m *meter) attach(root *jsonschema.Schema) {
	seen := map[*jsonschema.Schema]bool{root: true}
	for all := []*jsonschema.Schema{root}; len(all) > 0; all = all[1:] {
		for _, s := range children(all[0]) {
			if !seen[s] {
				seen[s] = true
				all = append(all, s)
			}
		}
	}
	for s := range seen {
		m.count(s, len(seen))
	}
}

// count makes one schema of so many count its visits. Besides the visit it pays for what is done before its children
// count theirs: comparing with their enumerations, and with every schema that the visit came through.
func (m *meter) count(s *jsonschema.Schema, schemas int) {
	weight := 1 + schemas/32 + choices(s)
	for _, child := range children(s) {
		weight += 1 + choices(child)
	}
	patterns := 1 + len(s.PatternProperties)
	s.Format = &jsonschema.Format{Name: "work", Validate: func(v any) error {
		work := weight
		switch v := v.(type) {
		case map[string]any:
			work += patterns * len(v)
		case []any:
			work += weight * len(v)
		}
		if !m.spend(work) {
			return errSpent
		}
		return nil
	}}
}

// choices returns the size of what a schema compares values with.
func choices(s *jsonschema.Schema) int {
	size := len(s.Required)
	if s.Enum != nil {
		size += sizeOf(s.Enum.Values)
	}
	if s.Const != nil {
		size += sizeOf(*s.Const)
	}
	return size
}

func sizeOf(v any) int {
	size := 1
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			size += sizeOf(item)
		}
	case map[string]any:
		for _, item := range v {
			size += sizeOf(item)
		}
	}
	return size
}

// children returns the schemas that a schema applies to a value or to its parts, in no order.
func children(s *jsonschema.Schema) []*jsonschema.Schema {
	list := slices.Concat(s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems)
	list = append(list, s.Ref, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.UnevaluatedProperties,
		s.Contains, s.Items2020, s.UnevaluatedItems, s.ContentSchema)
	for _, child := range s.Properties {
		list = append(list, child)
	}
	for _, child := range s.PatternProperties {
		list = append(list, child)
	}
	for _, child := range s.DependentSchemas {
		list = append(list, child)
	}
	for _, child := range s.Dependencies {
		list = append(list, asSchemas(child)...)
	}
	for _, child := range []any{s.AdditionalProperties, s.Items, s.AdditionalItems} {
		list = append(list, asSchemas(child)...)
	}
	return slices.DeleteFunc(list, func(child *jsonschema.Schema) bool { return child == nil })
}

// asSchemas returns the schemas of a keyword that can hold other things, too.
func asSchemas(v any) []*jsonschema.Schema {
	switch v := v.(type) {
	case *jsonschema.Schema:
		return []*jsonschema.Schema{v}
	case []*jsonschema.Schema:
		return v
	}
	return nil
}

// meteredRegexp pays for the texts that it is matched with.
type meteredRegexp struct {
	*Pattern
	meter *meter
}

// regexp reads a pattern of a schema.
func (m *meter) regexp(expr string) (jsonschema.Regexp, error) {
	if m.exhausted() {
		return nil, errSpent
	}
	pattern, err := m.patterns.short(expr, m.pos)
	if err != nil {
		return nil, err
	}
	// An instruction costs as much time, and memory besides, as some two hundred visits.
	if !m.spend(200 * pattern.size) {
		return nil, errSpent
	}
	m.used = append(m.used, pattern)
	return meteredRegexp{pattern, m}, nil
}

// String returns the pattern.
func (re meteredRegexp) String() string { return re.text }

// MatchString reports whether s holds a match; it does not once there is no work left, and the call is not checked.
func (re meteredRegexp) MatchString(s string) bool {
	return re.meter.spend(1+len(s)*re.size/256) && re.match(s, re.meter.work)
}
