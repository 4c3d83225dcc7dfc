package judge

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/yamlread"
)

func TestValidateFinds(t *testing.T) {
	good := func() *Gate {
		return &Gate{
			Name: "g", Doc: "Title\n\nProse.", Keys: []Key{{Name: "k", Type: TypeText, Doc: "K."}},
			Targets: []Target{{Name: "g.x", Unit: Percent, Doc: "X."}}, Default: []Floor{{Target: "g.x", Bound: ">= 5"}},
			Configure: func(*yamlread.Map, Context) Plan { return Plan{} },
		}
	}
	tests := []struct {
		name  string
		spoil func(*Gate)
		want  string
	}{
		{"nothing", func(*Gate) {}, ""},
		{"name", func(g *Gate) { g.Name = "G" }, "lower-case"},
		{"no prose", func(g *Gate) { g.Doc = "Title" }, "Doc must be"},
		{"two title lines", func(g *Gate) { g.Doc = "Title\ngoes on\n\nProse." }, "Doc must be"},
		{"no Configure", func(g *Gate) { g.Configure = nil }, "no Configure"},
		{"key twice", func(g *Gate) { g.Keys = append(g.Keys, g.Keys[0]) }, "g.k is listed twice"},
		{"key without doc", func(g *Gate) { g.Keys[0].Doc = "" }, "not documented"},
		{"key type", func(g *Gate) { g.Keys[0].Type = "texts" }, "unknown type"},
		{"inner key", func(g *Gate) { g.Keys[0].Keys = []Key{{Name: "i", Type: "?", Doc: "I."}} }, "g.k.i: unknown type"},
		{"no target", func(g *Gate) { g.Targets, g.Default = nil, nil }, "no target"},
		{"target twice", func(g *Gate) { g.Targets = append(g.Targets, g.Targets[0]) }, "listed twice"},
		{"target name", func(g *Gate) { g.Targets = append(g.Targets, Target{Name: "g.X y", Unit: Percent, Doc: "Y."}) }, "misspelt"},
		{"target without doc", func(g *Gate) { g.Targets[0].Doc = "" }, "not documented"},
		{"default target", func(g *Gate) { g.Default[0].Target = "g.y" }, "not a target"},
		{"default bound", func(g *Gate) { g.Default[0].Bound = ">=5" }, "operator and a number"},
	}
	for _, test := range tests {
		g := good()
		test.spoil(g)
		got := strings.Join(Validate([]*Gate{g}), "\n")
		if got != "" != (test.want != "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: mistakes %q, want %q", test.name, got, test.want)
		}
	}
	if got := Validate([]*Gate{good(), good()}); len(got) != 1 {
		t.Errorf("a gate listed twice: mistakes %q, want one", got)
	}
}

func TestTargetParams(t *testing.T) {
	tests := []struct {
		target, name, canonical string // canonical "" when name is not the target's
	}{
		{"a.b", "a.b", "a.b"},
		{"a.b", "a.c", ""},
		{"a.b[K]", "a.b[3]", "a.b[3]"},
		{"a.b[K]", "a.b[0]", ""},
		{"a.b[K]", "a.b[03]", ""},
		{"a.b[K]", "a.b[K]", ""},
		{"a.b[K]", "a.b[99999999999]", ""},
		{`tool["NAME"].score`, `tool["get"].score`, `tool["get"].score`},
		{`tool["NAME"].score`, `tool["\u0067et"].score`, `tool["get"].score`},
		{`tool["NAME"].score`, `tool["a\"].score"].score`, `tool["a\"].score"].score`},
		{`tool["NAME"].score`, `tool["<é>"].score`, `tool["<é>"].score`},
		{`tool["NAME"].score`, `tool["NAME"].score`, `tool["NAME"].score`},
		{`tool["NAME"].score`, `tool[get].score`, ""},
		{`tool["NAME"].score`, `tool[null].score`, ""},
		{`tool["NAME"].score`, `tool["get"].tokens`, ""},
	}
	for _, test := range tests {
		_, canonical, ok := FindTarget([]Target{{Name: test.target}}, test.name)
		if ok != (test.canonical != "") || ok && canonical != test.canonical {
			t.Errorf("%s as %s: %s, %t, want %q", test.name, test.target, canonical, ok, test.canonical)
		}
	}
}

// types are the Type constants.
var types = []string{
	TypeText, TypeTexts, TypeRegexp, TypeBool, TypeWhole, TypeWholes, TypeNumber, TypeRate, TypeShare, TypePercent, TypeClasses,
	TypeExpectations, TypeMap, TypeMaps, TypeMapsOrFile, TypeAutoMapsFile, TypeMutations, TypeCatalog, TypeSeverities,
	TypePatterns, TypeSteps, TypeArguments, TypeCounts, TypeDuration,
	TypePatterns, TypeArguments, TypeFlowEnd,
}

var (
	choice     = regexp.MustCompile(`^\S+( \| \S+)+$`)
	keyName    = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	targetName = regexp.MustCompile(`^[a-z][a-z0-9_]*(\["NAME"\])?(\.[a-z0-9_]+(\[K\]|\["NAME"\])?)?$`)
)

// Validate returns what is wrong with a table of gates, one line a mistake: a name that is taken or misspelt, something
// undocumented, a type that is not one of the Type constants, a default that names no target or cannot be read.
func Validate(table []*Gate) []string {
	var v validator
	for i, g := range table {
		if slices.ContainsFunc(table[:i], func(other *Gate) bool { return other.Name == g.Name }) {
			v.addf("gate %q is listed twice", g.Name)
		}
		v.gate(g)
	}
	return v.mistakes
}

type validator struct{ mistakes []string }

func (v *validator) addf(format string, args ...any) {
	v.mistakes = append(v.mistakes, fmt.Sprintf(format, args...))
}

func (v *validator) gate(g *Gate) {
	if !keyName.MatchString(g.Name) {
		v.addf("gate %q: a name is made of lower-case letters, digits and _", g.Name)
	}
	title, prose, _ := strings.Cut(g.Doc, "\n\n")
	if title == "" || strings.Contains(title, "\n") || strings.TrimSpace(prose) == "" {
		v.addf("gate %q: Doc must be a title line, an empty line and prose", g.Name)
	}
	if g.Configure == nil {
		v.addf("gate %q has no Configure", g.Name)
	}
	v.keys(g.Name, g.Keys)
	if len(g.Targets) == 0 {
		v.addf("gate %q has no target", g.Name)
	}
	for i, t := range g.Targets {
		v.target(g, t, g.Targets[:i])
	}
	for _, floor := range g.Default {
		v.floor(g, floor)
	}
}

func (v *validator) keys(place string, keys []Key) {
	for i, key := range keys {
		at := place + "." + key.Name
		if !keyName.MatchString(key.Name) {
			v.addf("%s: a key is made of lower-case letters, digits and _", at)
		}
		if slices.ContainsFunc(keys[:i], func(other Key) bool { return other.Name == key.Name }) {
			v.addf("%s is listed twice", at)
		}
		if key.Doc == "" {
			v.addf("%s is not documented", at)
		}
		if !slices.Contains(types, key.Type) && !choice.MatchString(key.Type) {
			v.addf("%s: unknown type %q", at, key.Type)
		}
		v.keys(at, key.Keys)
	}
}

func (v *validator) target(g *Gate, t Target, before []Target) {
	if !targetName.MatchString(t.Name) {
		v.addf("gate %q: target %q is misspelt", g.Name, t.Name)
	}
	if t.Doc == "" {
		v.addf("gate %q: target %q is not documented", g.Name, t.Name)
	}
	if slices.ContainsFunc(before, func(other Target) bool { return other.Name == t.Name }) {
		v.addf("gate %q: target %q is listed twice", g.Name, t.Name)
	}
}

func (v *validator) floor(g *Gate, floor Floor) {
	if _, _, ok := FindTarget(g.Targets, floor.Target); !ok {
		v.addf("gate %q: the default names %q, which is not a target", g.Name, floor.Target)
	}
	op, digits, _ := strings.Cut(floor.Bound, " ")
	if _, ok := parseDecimal(digits); !ok || operators[op] == nil {
		v.addf("gate %q: the default %q must be an operator and a number", g.Name, floor.Bound)
	}
}
