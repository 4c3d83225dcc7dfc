package judge

import (
	"strconv"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// RunExpect has the expectations of a test on each of its runs. The zero value expects nothing.
type RunExpect struct {
	checks []runCheck
	keep   trace.Keep
	tokens bool // an expectation needs the tokens of final responses
}

// runCheck is one expectation, with the path to its value.
type runCheck struct {
	Expectation
	path runPath
}

// These limits are keys in the long form of expect. They are judged like expectations on targets of the same names.
const (
	maxDuration       = "max_duration_ms"
	maxResponseTokens = "max_response_tokens"
)

// ReadRunExpect reads the key expect of a test: a list of expectations, or {assertions, max_duration_ms, max_response_tokens}.
// Mistakes are reported at their places in the suite.
func ReadRunExpect(test *yamlread.Map) RunExpect {
	var e RunExpect
	v, ok := test.Value("expect")
	switch {
	case !ok:
	case v.Kind() == yamlread.ListKind:
		e.readList(v)
	case v.Kind() == yamlread.MapKind:
		m, _ := v.Map()
		e.readLong(m)
	default:
		v.Errorf(`"expect" must be a list of expectations, or a map of assertions, %s and %s, found %s`, maxDuration, maxResponseTokens, v.Describe())
	}
	return e
}

func (e *RunExpect) readList(v yamlread.Value) {
	scope := scope{names: runTargetNames(), find: func(name string) (string, kind, bool) {
		path, ok := parseRunPath(name)
		return name, path.target.of, ok
	}}
	for _, expected := range scope.readList(v) {
		path, _ := parseRunPath(expected.Target)
		e.add(expected, path)
	}
}

func (e *RunExpect) add(expected Expectation, path runPath) {
	e.checks = append(e.checks, runCheck{expected, path})
	e.keep |= path.target.keep
	e.tokens = e.tokens || path.target.name == maxResponseTokens
}

func (e *RunExpect) readLong(m *yamlread.Map) {
	if v, ok := m.Value("assertions"); ok {
		e.readList(v)
	}
	for _, target := range runLimits {
		if m.Has(target.name) {
			limit := Int(m.Int(target.name, 0, 0), Number)
			e.add(Expectation{Target: target.name, Pos: m.KeyPos(target.name), Matcher: Bound("<=", limit.Rat)}, runPath{target: target})
		}
	}
	m.Done()
}

// Targets returns the targets of the expectations, as [RunWords] spells them.
func (e RunExpect) Targets() []string {
	return lists.Map(e.checks, func(check runCheck) string { return check.path.target.name })
}

// Expectations returns the expectations, in the order of the suite.
func (e RunExpect) Expectations() []Expectation {
	return lists.Map(e.checks, func(check runCheck) Expectation { return check.Expectation })
}

// Pos returns the place of the first expectation, or the zero value if there is none.
func (e RunExpect) Pos() source.Pos {
	if len(e.checks) == 0 {
		return source.Pos{}
	}
	return e.checks[0].Expectation.Pos
}

// Empty reports whether nothing is expected of runs.
func (e RunExpect) Empty() bool { return len(e.checks) == 0 }

// Keep returns the parts of a cassette that the expectations read.
func (e RunExpect) Keep() trace.Keep { return e.keep }

// NeedsTokens reports whether the expectations read trace.Run.ResponseTokens.
func (e RunExpect) NeedsTokens() bool { return e.tokens }

// Judge judges one run; the assertions are in the order of the suite.
func (e RunExpect) Judge(run *trace.Run) []Assertion { return new(Work).Judge(e, run) }

// Judge is [RunExpect.Judge], but adds the cost to w.
func (w *Work) Judge(e RunExpect, run *trace.Run) []Assertion {
	assertions := make([]Assertion, len(e.checks))
	for i, check := range e.checks {
		actual, why := check.path.target.get(run, check.path)
		if why != "" {
			assertions[i] = check.judgeAbsent("run " + strconv.Itoa(run.Number) + " " + why)
			continue
		}
		assertions[i] = check.judgeValue(actual, "", w)
		assertions[i].Actual = clipActual(actual)
	}
	return assertions
}
