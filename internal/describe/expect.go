package describe

import (
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/org/mcp-gates/internal/judge"
)

// The names of definitions about expectations.
const (
	runExpectations = "expectation" // for single runs; for a gate, _ and its name follow
	matcherPrefix   = "matcher_"    // followed by the kind of the figure
)

// The kinds of figures: percentages, and other figures. A matcher of a percentage accepts a percent sign.
const (
	percentOf = "a percentage"
	figureOf  = judge.OfNumber
)

func expectationsOf(g *judge.Gate) string { return runExpectations + "_" + g.Name }

func matcherOf(kind string) string {
	return matcherPrefix + strings.ReplaceAll(strings.TrimPrefix(kind, "a "), " ", "_")
}

// target is a name that an expectation can have.
type target struct {
	name, doc, pattern, kind string
}

func (t target) isPattern() bool { return strings.Contains(t.name, "[") }

func targetsOf(g *judge.Gate) []target {
	list := make([]target, len(g.Targets))
	for i, t := range g.Targets {
		list[i] = target{t.Name, t.Doc, t.Pattern(), figureOf}
		if t.Unit == judge.Percent {
			list[i].kind = percentOf
		}
	}
	return list
}

func runTargets() []target {
	words, _ := judge.RunWords()
	list := make([]target, len(words))
	for i, w := range words {
		list[i] = target{w.Name, w.Doc, w.Pattern, w.Of[0]}
	}
	return list
}

// expectation describes an entry of an expect:, in both spellings: {TARGET: MATCHER} and {target: TARGET, matcher: MATCHER}.
func expectation(targets []target) *jsonschema.Schema {
	keys := []key{
		{name: "target", doc: "The figure, where the matcher is under `matcher`.", of: targetName(targets)},
		{name: "matcher", doc: "What the target must be.", of: someOf(anyValue())},
		{name: "message", doc: "What to print when it does not hold.", of: &jsonschema.Schema{Type: "string", MaxLength: jsonschema.Ptr(1000)}},
		{name: "when_absent", doc: "`skip`: an absent figure is skipped, and does not fail.", of: choice("skip")},
	}
	for _, t := range targets {
		if !t.isPattern() {
			keys = append(keys, key{name: t.name, doc: t.doc, of: ref(matcherOf(t.kind))})
		}
	}
	s := object(keys...)
	for _, t := range targets {
		if t.isPattern() {
			s.PatternProperties[t.pattern] = key{doc: t.doc, of: ref(matcherOf(t.kind))}.schema()
		}
	}
	s.MinProperties = jsonschema.Ptr(1)
	s.DependentRequired = map[string][]string{"target": {"matcher"}, "matcher": {"target"}}
	return s
}

func targetName(targets []target) *jsonschema.Schema {
	patterns := make([]string, len(targets))
	s := &jsonschema.Schema{Type: "string"}
	for i, t := range targets {
		patterns[i] = t.pattern
		if !t.isPattern() {
			s.Examples = append(s.Examples, t.name)
		}
	}
	s.Pattern = strings.Join(patterns, "|")
	return s
}

func matcher(kind string) *jsonschema.Schema {
	of := kind
	if kind == percentOf {
		of = judge.OfNumber
	}
	var keys []key
	for _, w := range judge.MatcherWords() {
		if slices.Contains(w.Of, of) {
			keys = append(keys, key{name: w.Name, doc: w.Doc, of: argumentOf(w.Name, kind)})
		}
	}
	s := object(keys...)
	s.MinProperties = jsonschema.Ptr(1)
	s.PatternProperties = nil // a map of matchers has no extension keys
	return s
}

func argumentOf(name, kind string) *jsonschema.Schema {
	bound := &jsonschema.Schema{Type: "number"}
	if kind == percentOf {
		bound = either(bound, matching(percentage))
	}
	switch name {
	case "exact":
		return exactly(kind, bound)
	case "contains":
		return partSchema(kind)
	case "not_contains":
		return unwantedSchema(kind)
	case "not_one_of":
		return oneOrMore(unwantedSchema(kind))
	case "contains-all":
		return oneOrMore(partSchema(kind))
	case "icontains":
		return anyText()
	case "regex", "not_regex":
		return &jsonschema.Schema{Type: "string", MaxLength: jsonschema.Ptr(1000)}
	case "schema":
		return either(mapOf(anyValue()), boolean())
	}
	return bound
}

// partSchema describes the value of contains.
func partSchema(kind string) *jsonschema.Schema {
	if kind == judge.OfText {
		return anyText()
	}
	return anyValue()
}

// unwantedSchema describes the value of not_contains.
func unwantedSchema(kind string) *jsonschema.Schema {
	if kind == judge.OfTexts {
		return anyText()
	}
	return partSchema(kind)
}

func exactly(kind string, number *jsonschema.Schema) *jsonschema.Schema {
	switch kind {
	case judge.OfNumber, percentOf:
		return number
	case judge.OfText:
		return anyText()
	case judge.OfTexts:
		return listOf(anyText())
	}
	return anyValue()
}

func runExpect() *jsonschema.Schema {
	list := listOf(ref(runExpectations))
	keys := []key{{name: "assertions", doc: "Expectations, each judged on every run.", of: list}}
	_, limits := judge.RunWords()
	for _, w := range limits {
		keys = append(keys, key{name: w.Name, doc: w.Doc, of: wholeNumber(0)})
	}
	return either(list, object(keys...))
}

func defineExpectations(defs map[string]*jsonschema.Schema, gates []*judge.Gate) {
	for _, kind := range []string{figureOf, percentOf, judge.OfText, judge.OfTexts, judge.OfAny} {
		defs[matcherOf(kind)] = matcher(kind)
	}
	defs[runExpectations] = expectation(runTargets())
	for _, g := range gates {
		defs[expectationsOf(g)] = expectation(targetsOf(g))
	}
}
