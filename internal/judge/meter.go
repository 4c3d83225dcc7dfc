package judge

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/schema"
	"github.com/org/mcp-gates/internal/source"
)

// Limits on the work that schemas and arguments can cause, because servers and models choose both. [schema.Compiled.Work] defines the
// unit.
const (
	workPerTrace = 50_000_000
	workForCall  = 200 // added for every call of the trace: more evidence may take longer
	workPerCall  = 100_000

	maxSchemaNodes = 5000 // objects, lists and truth values of a schema: the time to compile it grows with their square
	maxArgsDepth   = 64   // of arguments: every complaint of the library repeats the path
)

// ArgumentCheck is the result of checking arguments against a tool's schema.
type ArgumentCheck int

// The results of checking arguments.
const (
	ArgsUnchecked ArgumentCheck = iota // the schema does not compile, or checking takes too much work
	ArgsValid
	ArgsInvalid
)

// Meter checks arguments against schemas within the limits on work.
type Meter struct {
	total int // work that is left

	patterns *patterns
	used     []*Pattern // by its schemas
	pos      source.Pos // place of the schema in a suite; zero for schemas of catalogs
	work     *Work      // counts the cost of matching patterns
}

// NewMeter returns a meter for a trace with so many calls.
func NewMeter(calls int) *Meter {
	return &Meter{total: workPerTrace + workForCall*calls, patterns: &patterns{}, work: &Work{}}
}

// Exhausted reports whether the work for the whole trace ran out, so that the results depend on the order.
func (m *Meter) Exhausted() bool { return m.total < 0 }

// Match reports whether a text contains a match of a pattern of the gate's own block. It costs as much work as matching a pattern of a
// schema.
func (m *Meter) Match(p *Pattern, text string) bool { return p.match(text, m.work) }

// Steps returns the steps that matching patterns took.
func (m *Meter) Steps() int64 { return m.work.spent }

// spend subtracts work from the total, and reports whether enough was left.
func (m *Meter) spend(work int) bool {
	m.total -= max(1, min(work, m.total+1))
	return m.total >= 0
}

// Compile compiles a schema.
func (m *Meter) Compile(doc any) (*schema.Compiled, error) {
	nodes, dynamic := inspect(doc)
	switch {
	case !boundedNumbers(doc):
		return nil, errors.New(numberTooLong)
	case nodes > maxSchemaNodes || dynamic || !m.spend(nodes*nodes/16):
		return nil, errSpent
	}
	return schema.Compile(doc, m.regexp)
}

// inspect counts the nodes of a decoded schema. dynamic reports references that are resolved only while values are checked, whose work
// cannot be metered.
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
		return ArgsInvalid // a number that is too long to compute with
	}
	if isDeeper(value, maxArgsDepth) {
		return ArgsUnchecked
	}
	work := compiled.Work(value, workPerCall)
	if !m.spend(work) || work > workPerCall {
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

// meteredPattern counts the cost of matching.
type meteredPattern struct {
	*Pattern
	meter *Meter
}

func (m *Meter) regexp(expr string) (schema.Pattern, error) {
	if m.Exhausted() {
		return nil, errSpent
	}
	pattern, err := m.patterns.short(expr, m.pos)
	if err != nil {
		return nil, err
	}
	// An instruction costs as much time as some two hundred visits, and also takes memory.
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
