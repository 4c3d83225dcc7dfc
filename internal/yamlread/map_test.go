package yamlread

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/thorough"
)

func num(digits string) json.Number { return json.Number(digits) }

// TestDone pins that the reads are the only list of keys.
func TestDone(t *testing.T) {
	m, mistakes := parse(t, "name: a\nrun: 3\ncompletely_different: 1\nempty: {x: 1}\n")
	m.Str("name")
	m.Int("runs", 1, 1)
	m.Map("empty").Done()
	m.Done()
	want := `f.yml:2:1: unknown key "run", did you mean "runs"?
f.yml:3:1: unknown key "completely_different", expected one of empty, name, runs
f.yml:4:9: unknown key "x", expected no keys`
	if got := mistakes(); got != want {
		t.Errorf("mistakes\n got: %s\nwant: %s", got, want)
	}
}

// TestDonePasses pins which keys may stand where nobody asks for them, and that they are not what another key was meant for.
func TestDonePasses(t *testing.T) {
	m, mistakes := parse(t, "$schema: https://example.com\nx-owner: {any: thing}\nname: {x-: 1, $schema: 2, y-owner: 3}\n")
	m.Map("name").Done()
	m.Done()
	want := `f.yml:3:15: unknown key "$schema", expected no keys
f.yml:3:27: unknown key "y-owner", expected no keys`
	if got := mistakes(); got != want {
		t.Errorf("mistakes\n got: %s\nwant: %s", got, want)
	}
}

// TestPass pins that a key which is reported otherwise is neither unknown nor offered for another one.
func TestPass(t *testing.T) {
	m, mistakes := parse(t, "threshold: 1\nthreshol: 2\nname: a\n")
	m.Str("name")
	m.Pass("threshold")
	if v, ok := m.Peek("threshold"); !ok || v.Text() != "1" {
		t.Errorf("Peek: got %v, %t, want the value", v, ok)
	}
	m.Done()
	if got, want := mistakes(), `f.yml:2:1: unknown key "threshol", expected one of name`; got != want {
		t.Errorf("mistakes\n got: %s\nwant: %s", got, want)
	}
}

// TestMisplaced pins that advice takes the place of the list of keys, and that nobody is advised to write that key.
func TestMisplaced(t *testing.T) {
	m, mistakes := parse(t, "command: 1\nargs: 2\nwhatever: 3\n")
	m.Has("command")
	m.Misplaced("args", `put them into "command"`)
	m.Misplaced("other", "is not there")
	m.Done()
	want := `f.yml:2:1: unknown key "args"; put them into "command"
f.yml:3:1: unknown key "whatever", expected one of command`
	if got := mistakes(); got != want {
		t.Errorf("mistakes\n got: %s\nwant: %s", got, want)
	}
}

// TestManyUnknownKeys pins that a file of nothing but mistakes is refused in reasonable time, and the first are listed.
func TestManyUnknownKeys(t *testing.T) {
	m, mistakes := parse(t, "a: {"+manyKeys(thorough.Size(20_000, 200_000))+"}\n"+strings.Repeat("k", 1<<10)+": 1")
	child := m.Map("a")
	child.Int("some_key", 0, 0)
	child.Done()
	m.Done()
	if got, want := strings.Count(mistakes(), "\n"), 10_000; got != want {
		t.Errorf("got %d mistakes, want %d", got+1, want+1)
	}
}

// TestKeysWithoutNumbers pins that keys which users make up get no numbers: twenty thousand maps with an unknown key, below two
// hundred thousand of such keys, took over a minute.
func TestKeysWithoutNumbers(t *testing.T) {
	m, mistakes := parse(t, "a: {"+manyKeys(1000)+"}\nb: {unknown: 1}\n")
	child := m.Map("a")
	for _, e := range child.Entries() {
		child.Int(e.Key.Value, 0, 0)
	}
	child.Done()
	m.Map("b").Done()
	m.Done()
	if got := len(m.doc.numbers); got != 2 {
		t.Errorf("got numbers for %d keys, want them for a and b", got)
	}
	if got, want := mistakes(), `f.yml:2:5: unknown key "unknown", expected no keys`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestManyKeysAskedFor pins that each of more keys than a word has bits is known, in every map, and offered.
func TestManyKeysAskedFor(t *testing.T) {
	const keys = 200
	m, mistakes := parse(t, "a: {"+manyKeys(keys)+"key_9x: 1}\nb: {key_9x: 1}\n")
	a, b := m.Map("a"), m.Map("b")
	for _, key := range a.Keys()[:keys] {
		a.Has(key.Value)
	}
	a.Done()
	b.Has(a.Keys()[keys-1].Value)
	b.Done()
	want := ", expected one of " + a.Keys()[keys-1].Value
	if got := mistakes(); strings.Count(got, "unknown key") != 2 || !strings.HasSuffix(got, want) {
		t.Errorf("got %s\nwant key_9x unknown in both maps, and in the second%s", got, want)
	}
}

// TestInherit pins that the nearest value counts, and that what is read of a child counts as known in its parents.
func TestInherit(t *testing.T) {
	m, mistakes := parse(t, `
child: {a: child}
agent: {a: agent, b: agent, x: 1}
defaults: {a: defaults, b: defaults, c: defaults, y: 1}
`)
	child, agent, defaults := m.Map("child"), m.Map("agent"), m.Map("defaults")
	agent.Inherit(defaults)
	child.Inherit(nil, agent)
	got := []string{child.Str("a").Value, child.Str("b").Value, child.Str("c").Value}
	if want := []string{"child", "agent", "defaults"}; !slices.Equal(got, want) {
		t.Errorf("inherited values: got %q, want %q", got, want)
	}
	if child.Own().Has("b") || child.HasOwn("b") || !child.Has("b") || !child.HasOwn("a") {
		t.Errorf("Own, HasOwn and Has must tell own keys from inherited ones")
	}
	if got, want := child.KeyPos("c").String(), "f.yml:4:38"; got != want {
		t.Errorf("KeyPos of an inherited key: got %s, want %s", got, want)
	}
	for _, each := range []*Map{child, agent, defaults} {
		each.Done()
	}
	want := "f.yml:3:29: unknown key \"x\", did you mean \"a\"?\nf.yml:4:51: unknown key \"y\", did you mean \"a\"?"
	if got := mistakes(); got != want {
		t.Errorf("mistakes\n got: %s\nwant: %s", got, want)
	}
}

// TestJoin pins that files which are read together inherit from one another, and that each value stands in its own file.
func TestJoin(t *testing.T) {
	m, mistakes := parse(t, "own: 1")
	other := m.Join("g.yml", []byte("$schema: x\nown: 2\ntext: a\nnumber: many\nx-a: 1\nodd: 1"))
	m.Expand(func(text string, _ source.Pos) string { return text + "!" })
	m.Inherit(other)
	text, _ := m.OptStr("text")
	if got, want := text.Value+" "+text.Pos.String(), "a! g.yml:3:7"; got != want || m.Int("own", 0, 0) != 1 {
		t.Errorf("got text %s and own %d, want %s and 1", got, m.Int("own", 0, 0), want)
	}
	if m.Only("own").Has("text") || !m.Only("text").Has("text") {
		t.Error("Only must hide inherited keys, too")
	}
	if got, want := m.KeyPos("number").String(), "g.yml:4:1"; got != want {
		t.Errorf("KeyPos of a key of a joined file: got %s, want %s", got, want)
	}
	if Shared[int](m) != Shared[int](other) {
		t.Error("joined files share nothing")
	}
	m.Int("number", 0, 0)
	m.Done()
	other.Done()
	want := "g.yml:4:9: \"number\" must be a whole number of 0 or more, found \"many\"\ng.yml:6:1: unknown key \"odd\", expected one of number, own, text"
	if got := mistakes(); got != want {
		t.Errorf("mistakes\n got: %s\nwant: %s", got, want)
	}
}

// TestInheritBound pins that defaults times tests are bounded.
func TestInheritBound(t *testing.T) {
	size := thorough.Size(10_000, 100_000)
	m, mistakes := parse(t, "d: {"+manyKeys(size)+"}\nc: {}\n")
	child, defaults := m.Map("c"), m.Map("d")
	for range 1000 {
		child.Inherit(defaults)
	}
	if got, want := len(child.parents), 5_000_000/size-1; got != want {
		t.Errorf("got %d parents, want %d", got, want)
	}
	if want := "f.yml:1:4: maps inherit more than 5000000 values altogether"; mistakes() != want {
		t.Errorf("mistakes\n got: %s\nwant: %s", mistakes(), want)
	}
}

// TestOneOf pins that different spellings override each other along the line of inheritance.
func TestOneOf(t *testing.T) {
	m, mistakes := parse(t, "child: {models: [b]}\nparent: {model: a}\nboth: {models: [a], model: a}\nnone: {}\n")
	child, parent, both, none := m.Map("child"), m.Map("parent"), m.Map("both"), m.Map("none")
	child.Inherit(parent)
	none.Inherit(parent)
	for _, tt := range []struct {
		name string
		m    *Map
		want string
		ok   bool
	}{{"child", child, "models", true}, {"parent", parent, "model", true}, {"both", both, "model", true}, {"none", none, "model", true}, {"nil", nil, "", false}} {
		if got, ok := tt.m.OneOf("model", "models"); got != tt.want || ok != tt.ok {
			t.Errorf("OneOf of %s: got %q, %t, want %q, %t", tt.name, got, ok, tt.want, tt.ok)
		}
	}
	for _, each := range []*Map{child, parent, both, none} {
		each.Done()
	}
	if want := `f.yml:3:8: "model" and "models" are given, expected one of them`; mistakes() != want {
		t.Errorf("mistakes\n got: %s\nwant: %s", mistakes(), want)
	}
}

// TestOnly pins that the keys that are hidden are neither read nor known.
func TestOnly(t *testing.T) {
	m, mistakes := parse(t, "rules: {a: 1}\nruns: 3\n")
	view := m.Only("rules")
	if view.Map("rules") == nil || view.Has("runs") || view.HasOwn("runs") {
		t.Errorf("Only must show rules and hide runs")
	}
	m.Done()
	if want := `f.yml:2:1: unknown key "runs", expected one of rules`; mistakes() != want {
		t.Errorf("mistakes\n got: %s\nwant: %s", mistakes(), want)
	}
}

// TestPlaces pins where values of every form stand.
func TestPlaces(t *testing.T) {
	m, _ := parse(t, `list:
  - name: a
  -
    # - a comment
    name: b
  - {name: c}
  - &x
    name: d
  - *x
flow: [{name: e}, *x]
indented:
- name: f
text: é é
alias: *x
`)
	var got []string
	for _, key := range []string{"list", "flow", "indented"} {
		for _, item := range m.Maps(key) {
			got = append(got, item.Str("name").Value+" "+item.Pos().String())
		}
	}
	for _, key := range []string{"text", "alias"} {
		v, _ := m.Value(key)
		got = append(got, key+" "+v.Pos().String()+" "+m.KeyPos(key).String())
	}
	want := []string{
		"a f.yml:2:3", "b f.yml:3:3", "c f.yml:6:3", "d f.yml:7:3", "d f.yml:9:3",
		"e f.yml:10:8", "d f.yml:10:19", "f f.yml:12:1",
		"text f.yml:13:7 f.yml:13:1", "alias f.yml:14:8 f.yml:14:1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("places:\n got %q\nwant %q", got, want)
	}
}

// TestMerge pins that own keys win over merged ones, and earlier merged ones over later.
func TestMerge(t *testing.T) {
	m, mistakes := parse(t, "a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {<<: [*a, *b], x: 3}\nd:\n  <<: *b\n  w: 4\n")
	got := map[string]any{}
	for _, key := range []string{"c", "d"} {
		v, _ := m.Value(key)
		got[key], _ = v.JSON()
	}
	want := map[string]any{
		"c": map[string]any{"x": num("3"), "y": num("1"), "z": num("2")},
		"d": map[string]any{"w": num("4"), "y": num("2"), "z": num("2")},
	}
	if !reflect.DeepEqual(got, want) || mistakes() != "" {
		t.Errorf("merged: got %v, want %v\n%s", got, want, mistakes())
	}
}

// TestExpand pins that a text is rewritten wherever it is read, once, and that keys and raw texts are not.
func TestExpand(t *testing.T) {
	m, _ := parse(t, "a: &a x\nx: [*a]\n")
	calls := 0
	m.Expand(func(text string, at source.Pos) string {
		calls++
		return text + at.String()
	})
	v, _ := m.Value("x")
	j, _ := v.JSON()
	raw, _ := m.Value("a")
	got := []any{m.Str("a").Value, m.Strs("x")[0].Value, j, raw.Text(), m.Entries()[1].Key.Value, calls}
	want := []any{"xf.yml:2:5", "xf.yml:2:5", []any{"xf.yml:2:5"}, "x", "x", 1}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("expanded: got %v, want %v", got, want)
	}
}

// TestNilMap pins that a map that is not there reads as one without keys.
func TestNilMap(t *testing.T) {
	var m *Map
	m.Inherit(nil)
	m.Expand(nil)
	m.Errorf(m.Pos(), "nobody hears this")
	m.Done()
	if m.Own() != nil || m.Only("a") != nil || m.Entries() != nil || m.Map("a") != nil || m.Has("a") || m.Str("a").Value != "" {
		t.Errorf("a nil map must have no keys")
	}
}
