package lint

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
)

// input is an argument, or the items of one, as a schema declares it.
type input struct {
	path     []string
	parent   int     // id of what is around it
	schemas  []*node // its own, and those that it refers to
	required bool
	cut      bool // there is more below it than was looked at
}

func (in *input) isArgument() bool { return len(in.path) > 0 && in.path[len(in.path)-1] != "[]" }

// inputIDs numbers the places where arguments stand, the same in both of two schemas that are compared.
type inputIDs map[inputStep]int

type inputStep struct {
	parent int
	key    string // an argument's name, or [] for items
}

// rootID is that of the input schema itself, which every tool has: a missing one takes anything.
const rootID = 0

func (ids inputIDs) of(parent int, key string) int {
	step := inputStep{parent, key}
	if ids[step] == 0 {
		ids[step] = len(ids) + 1
	}
	return ids[step]
}

// inputs are the arguments of a tool by their ids.
type inputs struct {
	byID  map[int]*input
	order []int
}

// newInputs lists the arguments of a tool at every depth. Other than for the rules, a schema that several arguments refer
// to is gone through for each of them, so that it makes no difference whether it is written once or several times.
func newInputs(t *catalog.Tool, ids inputIDs) *inputs {
	// Where nothing is referred to twice, there are fewer arguments than this.
	const least, bytesEach, most = 1000, 6, 500_000
	w := inputWalk{
		root: decodeObject(t.InputSchema), ids: ids, in: &inputs{byID: map[int]*input{}},
		open: map[*node]bool{}, required: map[*node]map[string]bool{},
		left: min(most, least+len(t.InputSchema)/bytesEach),
	}
	w.visit(rootID, &input{parent: rootID, schemas: []*node{w.root}})
	return w.in
}

// has reports whether the schema spells out what is at id, and all that is right below it.
func (in *inputs) has(id int) bool {
	i := in.byID[id]
	return i != nil && !i.cut
}

// inputWalk goes through the arguments of an input schema.
type inputWalk struct {
	root     *node
	ids      inputIDs
	in       *inputs
	open     map[*node]bool            // the schemas around the one that is looked at: there is no end to what holds itself
	required map[*node]map[string]bool // by schema
	left     int                       // how many more arguments are looked at: references to references can make any number of them
}

// visit adds an argument and what is below it. Of those that stand in one place, such as the items of a tuple, the first
// counts.
func (w *inputWalk) visit(id int, i *input) {
	if w.in.byID[id] != nil {
		return
	}
	w.in.byID[id] = i
	w.in.order = append(w.in.order, id)
	i.schemas = w.referred(i.schemas[0])
	w.left--
	for _, n := range i.schemas {
		if w.open[n] || len(i.path) >= maxWalked || w.left < 0 {
			i.cut = true
			return
		}
	}
	for _, n := range i.schemas {
		w.open[n] = true
		defer delete(w.open, n)
	}
	for _, n := range i.schemas {
		w.below(id, i, n)
	}
}

// referred returns a schema, what it refers to, and so on.
func (w *inputWalk) referred(n *node) []*node {
	chain := []*node{n}
	for range maxHops {
		ref := n.get("$ref")
		if !ref.isString() {
			break
		}
		n = w.root.at(ref.text)
		if !n.isObject() || slices.Contains(chain, n) {
			break
		}
		chain = append(chain, n)
	}
	return chain
}

func (w *inputWalk) below(id int, i *input, n *node) {
	if properties := n.get("properties"); properties.isObject() {
		for k, name := range properties.keys {
			w.step(id, i, name, properties.items[k])
		}
	}
	items := n.get("items")
	if items.isObject() {
		w.step(id, i, "[]", items)
	}
	for _, item := range items.list() {
		if item.isObject() {
			w.step(id, i, "[]", item)
		}
	}
}

func (w *inputWalk) step(id int, i *input, key string, n *node) {
	if w.left < 0 {
		i.cut = true
		return
	}
	w.visit(w.ids.of(id, key), &input{
		path: append(i.path[:len(i.path):len(i.path)], key), parent: id, schemas: []*node{n}, required: w.requires(i, key),
	})
}

// requires reports whether a schema of an argument requires the one of a name within.
func (w *inputWalk) requires(i *input, name string) bool {
	return slices.ContainsFunc(i.schemas, func(n *node) bool {
		if w.required[n] == nil {
			w.required[n] = setOfNames(requiredOf(n))
		}
		return w.required[n][name]
	})
}

// types returns the types that a value may have, sorted; nil when any may do or it is not known.
func (in *input) types() []string {
	var types []string
	for _, s := range in.schemas {
		if types = schemaTypes(s, 0); types != nil {
			break
		}
	}
	return types
}

// maxBranches bounds how deep branches within branches are looked at.
const maxBranches = 8

func schemaTypes(n *node, depth int) []string {
	if types := namedTypes(n.get("type")); len(types) > 0 {
		return distinct(types)
	}
	if values := listedValues(n); values != nil {
		return distinct(valueTypes(values))
	}
	var types []string
	for _, keyword := range []string{"anyOf", "oneOf"} {
		for _, branch := range n.get(keyword).list() {
			of := []string(nil)
			if depth < maxBranches {
				of = schemaTypes(branch, depth+1)
			}
			if of == nil {
				return nil
			}
			types = append(types, of...)
		}
	}
	return distinct(types)
}

// namedTypes returns the types that the value of "type" names, one or a list.
func namedTypes(n *node) []string {
	if n.isString() {
		return []string{n.text}
	}
	var types []string
	for _, item := range n.list() {
		if item.isString() {
			types = append(types, item.text)
		}
	}
	return types
}

func distinct(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// valueTypes returns the type of each value.
func valueTypes(values []*node) []string {
	types := make([]string, len(values))
	for i, value := range values {
		switch value.kind {
		case '"':
			types[i] = "string"
		case '0':
			types[i] = "number"
			if !strings.ContainsAny(value.text, ".eE") {
				types[i] = "integer"
			}
		case '{':
			types[i] = "object"
		case '[':
			types[i] = "array"
		case 'n':
			types[i] = "null"
		default:
			types[i] = "boolean"
		}
	}
	return types
}

// listedValues returns the values that a schema lists as the only ones; nil when it does not.
func listedValues(n *node) []*node {
	if one := n.get("const"); one != nil {
		return []*node{one}
	}
	return n.get("enum").list()
}

// values returns the values that are allowed, as canonical JSON; nil when they are not listed.
func (in *input) values() []string {
	for _, s := range in.schemas {
		if listed := listedValues(s); listed != nil {
			values := make([]string, len(listed))
			for i, value := range listed {
				values[i] = valueText(value)
			}
			return values
		}
	}
	return nil
}

// valueText returns a value as canonical JSON.
func valueText(n *node) string {
	switch {
	case n.isString():
		return jsonText(n.text)
	case n.isObject():
		members := make([]string, len(n.keys))
		for i, key := range n.keys {
			members[i] = jsonText(key) + ":" + valueText(n.items[i])
		}
		slices.Sort(members)
		return "{" + strings.Join(members, ",") + "}"
	case n.isList():
		items := make([]string, len(n.items))
		for i, item := range n.items {
			items[i] = valueText(item)
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	return canonicalText([]byte(n.spelled()))
}

// canonicalText returns JSON without what makes no difference.
func canonicalText(raw []byte) string {
	value := jsontext.Value(slices.Clone(raw))
	// An error leaves the value as it is.
	_ = value.Canonicalize(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return string(value)
}
