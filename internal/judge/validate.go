package judge

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	keyName    = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	targetName = regexp.MustCompile(`^[a-z][a-z0-9_]*(\["NAME"\])?(\.[a-z0-9_]+(\[K\])?)?$`)
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
		if typeSchema(key) == nil {
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
		v.addf("gate %q: the default names %q, which is no target", g.Name, floor.Target)
	}
	op, digits, _ := strings.Cut(floor.Bound, " ")
	if _, ok := parseDecimal(digits); !ok || operators[op] == nil {
		v.addf("gate %q: the default %q must be an operator and a number", g.Name, floor.Bound)
	}
}
