package judge

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/schema"
	"github.com/org/mcp-gates/internal/source"
)

// These constants bound the work for schemas and arguments, because servers and models choose both. The unit is the same as for
// [schema.Compiled.Work].
const (
	maxTraceWork  = 50_000_000
	extraPerCall  = 200 // added to maxTraceWork for each call of the trace, because more evidence may take longer
	maxWorkOfCall = 100_000

	maxSchemaNodes = 5000 // objects, lists and truth values in a schema; the time to compile grows with the square of their number
	maxArgsDepth   = 64   // bound on the depth of arguments, because each error of the library repeats the whole path
)

// ArgumentCheck is the result of checking arguments against a tool's schema.
type ArgumentCheck int

// These are the results of checking arguments.
const (
	ArgsUnchecked ArgumentCheck = iota // the schema does not compile, or checking takes too much work
	ArgsValid
	ArgsInvalid
)

// Meter checks arguments against schemas within the limits on work.
type Meter struct {
	total int // work that may still be done

	patterns *patterns
	used     []*Pattern // patterns in the compiled schemas
	pos      source.Pos // place of the schema in a suite; zero for schemas of catalogs
	work     *Work      // counts the cost of matching patterns
}

// NewMeter returns a meter for a trace with this number of calls.
func NewMeter(calls int) *Meter {
	return &Meter{total: maxTraceWork + extraPerCall*calls, patterns: &patterns{}, work: &Work{}}
}

// Exhausted reports whether the work for the whole trace was used up. If it was, the results depend on the order of the calls.
func (m *Meter) Exhausted() bool { return m.total < 0 }

// Match reports whether a text contains a match of a pattern in the gate's own block. It costs as much work as matching a pattern
// in a schema.
func (m *Meter) Match(p *Pattern, text string) bool { return p.match(text, m.work) }

// Steps returns the steps that matching patterns took.
func (m *Meter) Steps() int64 { return m.work.spent }

// spend subtracts work, at least 1, from the total, and reports whether enough was left. The first spending that is too much makes
// the total -1.
func (m *Meter) spend(work int) bool {
	m.total -= max(1, min(work, m.total+1))
	return m.total >= 0
}

// Compile compiles a decoded schema. It returns an error if the schema is invalid or too complex, or if too little work is left.
func (m *Meter) Compile(doc any) (*schema.Compiled, error) {
	nodes, dynamic := inspect(doc)
	if !boundedNumbers(doc) {
		return nil, errors.New(numberTooLong)
	}
	isTooComplex := nodes > maxSchemaNodes || dynamic
	if isTooComplex || !m.spend(nodes*nodes/16) { // the time to compile grows with the square
		return nil, errSpent
	}
	return schema.Compile(doc, m.compilePattern)
}

// inspect counts the nodes of a decoded schema. dynamic reports whether the schema has references that are resolved only when
// values are checked. Their work cannot be metered.
func inspect(doc any) (nodes int, dynamic bool) {
	everyNode(doc, 0, func(v any, _ int) bool {
		switch v := v.(type) {
		case bool, []any:
			nodes++
		case map[string]any:
			nodes++
			for _, key := range dynamicKeywords {
				_, has := v[key]
				dynamic = dynamic || has
			}
		}
		return true
	})
	return nodes, dynamic
}

var dynamicKeywords = []string{"$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"}

// Check checks the arguments of one call.
func (m *Meter) Check(compiled *schema.Compiled, args jsontext.Value) (result ArgumentCheck) {
	defer func() {
		if recover() != nil {
			result = ArgsUnchecked
		}
	}()
	value, ok := DecodeJSON(args)
	if !ok {
		return ArgsInvalid // args contain a number that is too long to compute with
	}
	if isDeeper(value, maxArgsDepth) {
		return ArgsUnchecked
	}
	work := compiled.Work(value, maxWorkOfCall)
	if !m.spend(work) || work > maxWorkOfCall {
		return ArgsUnchecked
	}
	if compiled.Validate(value) != nil {
		return ArgsInvalid
	}
	return ArgsValid
}

func isDeeper(v any, limit int) bool {
	return !everyNode(v, 0, func(_ any, depth int) bool { return depth < limit })
}

var errSpent = errors.New("checking takes too much work")

// meteredPattern is a pattern of a schema. Matching it counts against the meter.
type meteredPattern struct {
	*Pattern
	meter *Meter
}

func (m *Meter) compilePattern(expr string) (schema.Pattern, error) {
	if m.Exhausted() {
		return nil, errSpent
	}
	pattern, err := m.patterns.lookUpBounded(expr, m.pos)
	if err != nil {
		return nil, err
	}
	// Compiling an instruction takes as much time as about two hundred visits, and it takes memory.
	if !m.spend(200 * pattern.size) {
		return nil, errSpent
	}
	m.used = append(m.used, pattern)
	return meteredPattern{pattern, m}, nil
}

// String returns the pattern.
func (re meteredPattern) String() string { return re.text }

// Work implements [schema.Pattern].
func (re meteredPattern) Work(s string) int { return 1 + len(s)*re.size/256 }

// MatchString reports whether s contains a match. It returns false once the case has used up its work for matching.
func (re meteredPattern) MatchString(s string) bool { return re.match(s, re.meter.work) }
