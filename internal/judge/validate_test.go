package judge

import (
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/yamlread"
)

func TestValidateFinds(t *testing.T) {
	good := func() *Gate {
		return &Gate{
			Name: "g", Doc: "Title\n\nProse.", Keys: []Key{{Name: "k", Type: TypeText, Doc: "K."}},
			Targets: []Target{{"g.x", Percent, "X."}}, Default: []Floor{{"g.x", ">= 5"}},
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
		{"target name", func(g *Gate) { g.Targets = append(g.Targets, Target{"g.X y", Percent, "Y."}) }, "misspelt"},
		{"target without doc", func(g *Gate) { g.Targets[0].Doc = "" }, "not documented"},
		{"default target", func(g *Gate) { g.Default[0].Target = "g.y" }, "no target"},
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
