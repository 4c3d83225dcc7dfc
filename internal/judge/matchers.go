package judge

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/yamlread"
)

// kind is the type of a target's value. It is a mistake in the suite if a matcher can match no value of the kind.
type kind string

const (
	numberKind kind = "a number"
	textKind   kind = "text"
	listKind   kind = "a list of texts"
	anyKind    kind = "any value"

	// These are kinds of numbers. They differ in how a bound is read.
	percentKind  kind = "a percentage"
	fractionKind kind = "a fraction from 0 to 1"
)

// matcherKind is a named matcher.
type matcherKind struct {
	name string
	doc  string // Markdown, for docs/gates/expect.md
	of   []kind // kinds of targets to which the matcher can be applied
	read func(arg yamlread.Value, plain any) (Matcher, bool)
}

// namedMatchers lists the matchers that are not operators.
var namedMatchers = []matcherKind{
	{"exact", "A value that equals this JSON value. Numbers are compared exactly.", []kind{numberKind, textKind, listKind, anyKind}, readExact},
	{"contains", "A text that contains this text, or a list that contains this value.", []kind{textKind, listKind, anyKind}, readContains},
	{"icontains", "A text that contains this text, or a list with this item, in any letter case.", []kind{textKind, listKind, anyKind}, readContainsFold},
	{"contains-all", "A text or list that contains every value of this list.", []kind{textKind, listKind, anyKind}, readContainsAll},
	{"regex", "A text that matches this [RE2](https://github.com/google/re2/wiki/Syntax) expression, or a list with a text that matches it.", []kind{textKind, listKind, anyKind}, readRegex},
	{"not_contains", "A text without this text, or a list without this value.", []kind{textKind, listKind, anyKind}, readNotContains},
	{"not_regex", "A text that does not match this expression, or a list without a text that matches it.", []kind{textKind, listKind, anyKind}, readNotRegex},
	{"not_one_of", "A value that is not in this list. If the value is itself a list, none of its items may be in this list.", []kind{textKind, listKind, anyKind}, readNotOneOf},
	{"schema", "A value that this JSON Schema accepts. `$schema` selects a draft from 4 to 2020-12, by default 2020-12. References to other documents and dynamic references are mistakes. `format` is not checked.", []kind{numberKind, textKind, listKind, anyKind}, readSchema},
}

// maxMatcher bounds the size of a matcher's argument as JSON, in bytes, because every assertion in a report repeats it.
const maxMatcher = 1 << 16

// maxMatchers bounds the total size of all matchers' arguments in one suite file as JSON, in bytes, because aliases and inheritance
// can repeat arguments.
const maxMatchers = 64 << 20

// matcherUse adds up the sizes of all matchers of one suite file.
type matcherUse struct {
	bytes, nodes int
	schemas      map[string]*schemaMatcher // by their JSON
}

// spend adds the size of a matcher's argument. It reports a mistake, and returns false, if the sum is too large.
func (u *matcherUse) spend(arg yamlread.Value, bytes int) bool {
	if u.bytes <= maxMatchers && u.bytes+bytes > maxMatchers {
		arg.Stopf("matchers hold more than %d bytes altogether, aliases and inheritance followed", maxMatchers)
	}
	u.bytes += bytes
	return u.bytes <= maxMatchers
}

// readMatcher reads a map of operators, or a map with one named matcher, for a target whose values have this kind.
func readMatcher(v yamlread.Value, target string, of kind) (Matcher, bool) {
	m, ok := v.Map()
	if !ok {
		return Matcher{}, false
	}
	entries := m.Entries()
	if len(entries) == 0 {
		v.Errorf("the matcher of %q is empty, expected %s", target, matcherList())
		return Matcher{}, false
	}
	var out Matcher
	for i, e := range entries {
		_, isOperator := operators[e.Key.Value]
		followsOperator := len(out.bounds) > 0
		switch {
		case e.Key.Value == messageKey || e.Key.Value == absentKey:
			m.Errorf(e.Key.Pos, "%q stands in the matcher, expected it beside the target", e.Key.Value)
			return Matcher{}, false
		case i > 0 && !(isOperator && followsOperator):
			m.Errorf(e.Key.Pos, "%q stands beside %q, expected one matcher or operators alone", e.Key.Value, entries[0].Key.Value)
			return Matcher{}, false
		case isOperator:
			b, ok := readBound(e, target, of)
			if !ok {
				return Matcher{}, false
			}
			out.bounds = append(out.bounds, b)
		default:
			if out, ok = readNamed(m, e, target, of); !ok {
				return Matcher{}, false
			}
		}
	}
	return out, true
}

// readBound reads an operator and its number, for a target whose values have this kind. It returns false after a mistake: a target
// without numbers, a value that is not a number, or a lower bound in percent that looks like a share of 1.
func readBound(e yamlread.Entry, target string, of kind) (bound, bool) {
	if of == textKind || of == listKind {
		e.Value.Errorf("%q compares numbers, but %q is %s, expected a matcher such as exact or contains", e.Key.Value, target, of)
		return bound{}, false
	}
	limit, ok := of.number(e.Value)
	if !ok {
		hint := cmp.Or(unquoteHint(e.Value), percentHint(e.Value, target, of))
		e.Value.Errorf("%q must be a number, found %s%s", e.Key.Value, e.Value.Describe(), hint)
	}
	if ok && of == percentKind && sides[e.Key.Value] == floor {
		ok = checkFloor(e.Value, e.Key.Value, ofTarget(target))
	}
	return bound{e.Key.Value, limit}, ok
}

func unquoteHint(v yamlread.Value) string {
	if v.Kind() != yamlread.TextKind {
		return ""
	}
	if _, ok := parseDecimal(v.Text()); !ok {
		return ""
	}
	return " (write it without quotes: " + v.Text() + ")"
}

// readNamed reads a matcher by its name, for a target whose values have this kind.
func readNamed(m *yamlread.Map, e yamlread.Entry, target string, of kind) (Matcher, bool) {
	i := slices.IndexFunc(namedMatchers, func(k matcherKind) bool { return k.name == e.Key.Value })
	if i < 0 {
		m.Errorf(e.Key.Pos, "unknown matcher %q%s", Clip(e.Key.Value), matcherHint(e.Key.Value))
		return Matcher{}, false
	}
	k := namedMatchers[i]
	if !slices.Contains(k.of, of.withoutUnit()) {
		m.Errorf(e.Key.Pos, "%q compares text, but %q is %s, expected an operator such as >=", k.name, target, of.withoutUnit())
		return Matcher{}, false
	}
	plain, ok := e.Value.JSON()
	if !ok {
		return Matcher{}, false
	}
	if of == percentKind {
		if plain, ok = k.percentArgument(e.Value, plain, target); !ok {
			return Matcher{}, false
		}
	}
	if jsonSize(plain) > maxMatcher {
		e.Value.Errorf("%q holds more than %d bytes", k.name, maxMatcher)
		return Matcher{}, false
	}
	if !yamlread.Shared[matcherUse](m).spend(e.Value, jsonSize(plain)) {
		return Matcher{}, true // reported already
	}
	return k.readArgument(e.Value, plain, target, of)
}

// readArgument reads the argument of a named matcher. The returned matcher has no name if it is equivalent to operators.
func (k matcherKind) readArgument(arg yamlread.Value, plain any, target string, of kind) (Matcher, bool) {
	if need := k.neededType(plain, of); need != "" {
		arg.Errorf("%q must be %s, as %q is, found %s%s", k.name, need, target, arg.Describe(), percentHint(arg, target, of))
		return Matcher{}, false
	}
	out, ok := k.read(arg, plain)
	if len(out.bounds) == 0 {
		out.text = k.name + " " + CompactJSON(plain)
	} else if of == textKind || of == listKind {
		arg.Errorf("a schema that only compares numbers never fits %q, which is %s", target, of)
		return Matcher{}, false
	}
	return out, ok
}

// neededType returns "" if values of the target's kind can be compared with the argument, otherwise the type that the argument must
// have.
func (k matcherKind) neededType(plain any, of kind) string {
	switch _, isText := plain.(string); {
	case of == textKind && !isText && slices.Contains([]string{"exact", "contains", "not_contains"}, k.name):
		return "text"
	case of == textKind && !onlyTexts(plain) && slices.Contains([]string{"contains-all", "not_one_of"}, k.name):
		return "a list of texts"
	case of == listKind && !onlyTexts(plain) && slices.Contains([]string{"exact", "not_one_of"}, k.name):
		return "a list of texts"
	case of == listKind && !isText && k.name == "not_contains":
		return "text"
	}
	if _, isNumber := plain.(json.Number); k.name == "exact" && of.withoutUnit() == numberKind && !isNumber {
		return "a number"
	}
	return ""
}

func onlyTexts(plain any) bool {
	list, ok := plain.([]any)
	return ok && !slices.ContainsFunc(list, func(item any) bool {
		_, isText := item.(string)
		return !isText
	})
}

// jsonSize estimates the length of a decoded value's JSON. It does not write the JSON, because aliases can make the JSON far longer
// than the suite.
func jsonSize(v any) int {
	size := 0
	everyNode(v, 0, func(v any, _ int) bool {
		switch v := v.(type) {
		case string:
			size += len(v) + 3
		case []any:
			size += 2
		case map[string]any:
			size += 2
			for key := range v {
				size += len(key) + 4
			}
		default:
			size += 8
		}
		return true
	})
	return size
}

func readExact(_ yamlread.Value, want any) (Matcher, bool) {
	return Matcher{test: func(actual any, _ *Work) (bool, string) { return equalJSON(actual, want), "" }}, true
}

// equalJSON reports whether two decoded values are the same JSON value. Numbers are compared by value: 1 equals 1.0.
func equalJSON(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		n, ok := b.(json.Number)
		return ok && equalNumbers(a, n)
	case []any:
		list, ok := b.([]any)
		return ok && slices.EqualFunc(a, list, equalJSON)
	case map[string]any:
		object, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, object, equalJSON)
	}
	switch b.(type) {
	case json.Number, []any, map[string]any:
		return false
	}
	return a == b
}

func equalNumbers(a, b json.Number) bool {
	m, errM := a.Int64()
	if n, errN := b.Int64(); errM == nil && errN == nil {
		return m == n
	}
	x, okX := parseDecimal(a.String())
	y, okY := parseDecimal(b.String())
	return okX && okY && x.Cmp(y) == 0
}

func readContains(_ yamlread.Value, want any) (Matcher, bool) {
	return Matcher{test: func(actual any, _ *Work) (bool, string) { return contains(actual, want) }}, true
}

// contains reports whether actual is a text that contains want, or a list with the item want.
func contains(actual, want any) (ok bool, why string) {
	switch actual := actual.(type) {
	case string:
		part, ok := want.(string)
		if !ok {
			return false, "it is text and cannot hold " + Clip(CompactJSON(want))
		}
		return strings.Contains(actual, part), ""
	case []any:
		return slices.ContainsFunc(actual, func(item any) bool { return equalJSON(item, want) }), ""
	}
	return false, "it is neither text nor a list"
}

func readContainsFold(arg yamlread.Value, want any) (Matcher, bool) {
	part, ok := want.(string)
	if !ok {
		arg.Errorf(`"icontains" must be text, found %s`, arg.Describe())
		return Matcher{}, false
	}
	part = strings.ToLower(part)
	return Matcher{test: func(actual any, _ *Work) (bool, string) { return contains(toLower(actual), part) }}, true
}

func toLower(v any) any {
	switch v := v.(type) {
	case string:
		return strings.ToLower(v)
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			if s, ok := item.(string); ok {
				item = strings.ToLower(s)
			}
			list[i] = item
		}
		return list
	}
	return v
}

func readContainsAll(arg yamlread.Value, want any) (Matcher, bool) {
	parts, ok := want.([]any)
	if !ok || len(parts) == 0 {
		arg.Errorf(`"contains-all" must be a list of one or more values, found %s`, describeList(arg, ok))
		return Matcher{}, false
	}
	return Matcher{test: func(actual any, work *Work) (bool, string) {
		cost := costOf(actual)
		for _, part := range parts {
			if !work.Spend(cost) {
				return false, tooMuchWork
			}
			ok, why := contains(actual, part)
			if !ok && why == "" {
				why = "it lacks " + Clip(CompactJSON(part))
			}
			if !ok {
				return false, why
			}
		}
		return true, ""
	}}, true
}

// tooMuchWork is the reason why a comparison was skipped.
const tooMuchWork = "comparing takes too much work"

// costOf returns the cost of comparing a value, in steps: the length of a text, and 32 times the size of any other value, because
// numbers in it are compared exactly.
func costOf(actual any) int {
	if text, ok := actual.(string); ok {
		return len(text)
	}
	return 32 * jsonSize(actual)
}

func describeList(v yamlread.Value, isList bool) string {
	if isList {
		return "an empty list"
	}
	return v.Describe()
}

func readRegex(arg yamlread.Value, want any) (Matcher, bool) {
	pattern, ok := patternOf("regex", arg, want)
	if !ok {
		return Matcher{}, false
	}
	return Matcher{test: pattern.matchAny}, true
}

func patternOf(name string, arg yamlread.Value, want any) (*Pattern, bool) {
	expr, ok := want.(string)
	if !ok {
		arg.Errorf(`%q must be text, found %s`, name, arg.Describe())
		return nil, false
	}
	pattern, err := patternsOf(arg).lookUpBounded(expr, arg.Pos())
	if err != nil {
		arg.Errorf(`%q must be a regular expression (RE2): %v`, name, err)
		return nil, false
	}
	return pattern, true
}

func (p *Pattern) matchAny(actual any, work *Work) (ok bool, why string) {
	switch actual := actual.(type) {
	case string:
		return p.match(actual, work), ""
	case []any:
		return slices.ContainsFunc(actual, func(item any) bool {
			s, ok := item.(string)
			return ok && p.match(s, work)
		}), ""
	}
	return false, "it is neither text nor a list"
}
