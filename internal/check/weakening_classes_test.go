package check

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shared is a suite whose test has classes that two gates take, and one that has a list of its own.
const shared = `servers: {web: {catalog: web.json}}
agents:
  - name: one
    cassette: one.json
    servers: [web]
    classes:
      - {name: search, members: [web.search, find]}
      - {name: fetch, members: [web.fetch]}
    equal_function_sets: {}
    orchestration: {}
    token_efficiency: {classes: [{name: search, members: [search]}]}
`

// TestSoftenedClassesOfATest pins that a change of a test's own classes is reported for each gate that takes them, and that
// to write the same classes elsewhere softens nothing.
func TestSoftenedClassesOfATest(t *testing.T) {
	const both = "    classes:\n      - {name: search, members: [web.search, find]}\n      - {name: fetch, members: [web.fetch]}\n"
	const fetch = "      - {name: fetch, members: [web.fetch]}\n"
	const efs = "    equal_function_sets: {classes: [{name: search, members: [web.search, find]}, {name: fetch, members: [web.fetch]}]}\n"
	for _, test := range []struct {
		name     string
		replaced []string // in turn
		want     []string
	}{
		{"under the gate", []string{both, "", "    equal_function_sets: {}\n", efs}, nil},
		{"under defaults", []string{both, "", "agents:\n", "defaults:\n" + both + "agents:\n"}, nil},
		{"a member more", []string{"[web.fetch]", "[web.fetch, crawl]"}, []string{
			`equal_function_sets.classes["fetch"].members: tool added to those that count`,
			`orchestration.classes["fetch"].members: tool added to those that count`,
		}},
		{"a class less", []string{fetch, ""}, []string{
			`equal_function_sets.classes["fetch"].members: class removed`,
			`orchestration.classes["fetch"].members: class removed`,
		}},
		{"others under the gate", []string{both, "", "    equal_function_sets: {}\n", strings.Replace(efs, "web.fetch", "fetch", 1)}, []string{
			`equal_function_sets.classes["fetch"].members: tool added to those that count`, "orchestration.classes: changed",
		}},
		{"a list of its own", []string{"equal_function_sets: {}", "equal_function_sets: {classes: [{name: search, members: [find, web.search]}]}"}, []string{
			`equal_function_sets.classes["fetch"].members: class removed`,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			head := strings.NewReplacer(test.replaced...).Replace(shared)
			got := toldOf(t, recordings(shared, ""), recordings(head, ""))
			if diff := cmp.Diff(append([]string{}, test.want...), got); diff != "" {
				t.Errorf("%s\n-want +got\n%s", head, diff)
			}
		})
	}
}

// TestSoftenedStepsOfClasses pins that a gate which is added and brings other classes for the steps of others is reported, where a
// step names a class.
func TestSoftenedStepsOfClasses(t *testing.T) {
	const base = "servers: {web: {catalog: web.json}}\nagents:\n  - name: one\n    cassette: one.json\n    servers: [web]\n" +
		"    token_efficiency: {classes: [{name: get, members: [web.fetch]}]}\n"
	const added = "    equal_function_sets: {classes: [{name: get, members: [web.fetch, web.search]}]}\n"
	changed := []string{"equal_function_sets: changes what other gates judge"}
	for _, test := range []struct {
		gate string
		want []string
	}{
		{"    trajectory: {mode: in_order, steps: [web.search, {class: get}]}\n", changed},
		{"    golden_path: {steps: [{class: get, count: 2}]}\n", changed},
		{"    recovery: {}\n", changed},
		{"    trajectory: {mode: in_order, steps: [web.search, {tool: web.fetch, args: {class: get}}]}\n", []string{}},
		{"    golden_path: {calls: 3}\n", []string{}},
		{"    limits: {max_calls: 3}\n", []string{}},
	} {
		got := toldOf(t, recordings(base+test.gate, ""), recordings(base+test.gate+added, ""))
		if diff := cmp.Diff(append([]string{}, got...), test.want); diff != "" {
			t.Errorf("%s: (-got +want)\n%s", test.gate, diff)
		}
	}
}
