package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// An entry can have these keys besides its target.
const (
	messageKey = "message"
	absentKey  = "when_absent"
)

// maxMessage bounds the length of an expectation's message, because every failed assertion repeats the message.
const maxMessage = 1000

// Expectation is one expectation on a figure.
type Expectation struct {
	Target  string
	Pos     source.Pos // position of the entry in the suite; zero for a default of the gate
	Matcher Matcher
	Message string // the suite's own message for a failure; may be empty

	K int // k of min_pass_hat; 0 for any other expectation

	OfKey bool // the expectation comes from a key of the gate's block, which is already a setting

	Unless         string // the expectation applies only if the figure of this target is absent; "" if it always applies
	hasReplacement bool   // another expectation replaces this one if its figure is absent

	SkipAbsent  bool // if the figure is absent, the expectation is skipped
	ErrorAbsent bool // if the figure is absent, the expectation is an error; if neither is set, it fails
}

// ReadExpect reads the expect list of a gate's block. If the list is missing or empty, it returns the defaults. Mistakes are
// reported at their places in the suite.
func ReadExpect(block *yamlread.Map, targets []Target, def []Floor) []Expectation {
	v, ok := block.Value("expect")
	if !ok {
		return defaults(def)
	}
	scope := scope{names: targetNames(targets), find: func(name string) (string, kind, bool) {
		target, canonical, ok := FindTarget(targets, name)
		return canonical, units[target.Unit].kind, ok
	}}
	expected := scope.readList(v)
	if v.IsEmptyList() {
		return defaults(def)
	}
	return expected
}

func defaults(def []Floor) []Expectation {
	expected := make([]Expectation, len(def))
	for i, floor := range def {
		op, digits, _ := strings.Cut(floor.Bound, " ")
		limit, _ := parseDecimal(digits) // a test checks all defaults
		hasReplacement := slices.ContainsFunc(def, func(other Floor) bool { return other.Unless == floor.Target })
		expected[i] = Expectation{Target: floor.Target, Matcher: Bound(op, limit), Unless: floor.Unless, hasReplacement: hasReplacement}
	}
	return expected
}

// scope has the targets that an expect list can name.
type scope struct {
	names []string // for messages
	find  func(name string) (canonical string, of kind, ok bool)
}

func (s scope) readList(v yamlread.Value) (expected []Expectation) {
	for _, item := range v.List() {
		m, ok := item.Map()
		if !ok {
			continue
		}
		e, ok := s.read(m)
		e.Pos = item.Pos()
		if ok {
			expected = append(expected, e)
		}
	}
	return expected
}

// read reads one entry: {target, matcher}, or {TARGET: matcher}, each with optional message and when_absent.
func (s scope) read(m *yamlread.Map) (Expectation, bool) {
	var e Expectation
	e.Message = readMessage(m)
	e.SkipAbsent = readWhenAbsent(m)
	if !m.HasOwn("target") && !m.HasOwn("matcher") {
		return s.readShort(m, e)
	}
	target := m.Str("target")
	matcher, hasMatcher := m.Value("matcher")
	if !hasMatcher {
		m.Errorf(m.Pos(), `"matcher" is missing, expected a map such as {">=": 80}`)
	}
	m.Done()
	canonical, of, ok := s.resolve(m, target, s.names)
	if !ok || !hasMatcher {
		return e, false
	}
	e.Target = canonical
	e.Matcher, ok = readMatcher(matcher, canonical, of)
	return e, ok
}

// readShort reads an entry in the form {TARGET: matcher}. It sets the target and the matcher of e, which already has the values of
// the other keys.
func (s scope) readShort(m *yamlread.Map, e Expectation) (Expectation, bool) {
	entries := slices.DeleteFunc(m.Entries(), func(entry yamlread.Entry) bool {
		return entry.Key.Value == messageKey || entry.Key.Value == absentKey
	})
	if len(entries) == 0 {
		m.Errorf(m.Pos(), "no target is named, expected one of %s", strings.Join(s.names, ", "))
		return e, false
	}
	good := true
	for i, entry := range entries {
		validKeys := append([]string{messageKey, absentKey, "target"}, s.names...)
		canonical, of, ok := s.resolve(m, entry.Key, validKeys)
		switch {
		case !ok:
			good = false
		case i > 0:
			m.Errorf(entry.Key.Pos, "%q is a second target in one entry, expected an entry of its own", entry.Key.Value)
			good = false
		default:
			e.Target = canonical
			e.Matcher, good = readMatcher(entry.Value, canonical, of)
		}
	}
	return e, good
}

// resolve finds a target by its name. It reports an unknown name, with the nearest valid name.
func (s scope) resolve(m *yamlread.Map, target yamlread.Str, valid []string) (canonical string, of kind, ok bool) {
	if target.Value == "" {
		return "", "", false // the parser has reported the missing or empty name
	}
	if canonical, of, ok = s.find(target.Value); ok {
		return canonical, of, true
	}
	lacksGate := func(name string) bool { return strings.HasSuffix(name, "."+target.Value) }
	hint := source.DidYouMean(target.Value, valid)
	if i := slices.IndexFunc(s.names, lacksGate); i >= 0 {
		hint = fmt.Sprintf(", did you mean %q?", s.names[i])
	}
	if hint == "" {
		hint = ", expected one of " + strings.Join(s.names, ", ")
	}
	m.Errorf(target.Pos, "unknown target %q%s", Clip(target.Value), hint)
	return "", "", false
}

func readMessage(m *yamlread.Map) string {
	s, ok := m.OptStr(messageKey)
	if ok && len(s.Value) > maxMessage {
		m.Errorf(s.Pos, `"message" is %d bytes long, at most %d are read`, len(s.Value), maxMessage)
		return ""
	}
	return s.Value
}

// readWhenAbsent reports whether the key when_absent is given. Its only value is skip.
func readWhenAbsent(m *yamlread.Map) bool {
	s, ok := m.OptStr(absentKey)
	if ok && s.Value != "skip" {
		m.Errorf(s.Pos, `"when_absent" must be skip, found %q`, Clip(s.Value))
	}
	return ok
}
