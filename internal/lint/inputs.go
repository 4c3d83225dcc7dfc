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
	parent   string  // key of what is around it
	schemas  []*node // its own, and those that it refers to
	required bool
}

func (in *input) isArgument() bool { return len(in.path) > 0 && in.path[len(in.path)-1] != "[]" }

// inputs are the arguments of a tool by the key of their path.
type inputs struct {
	byPath map[string]*input
	order  []string
}

// newInputs lists the arguments of a tool at every depth, as the rules see them.
func newInputs(t *catalog.Tool) *inputs {
	v := &View{input: decodeObject(t.InputSchema)}
	v.places = findPlaces(v.input)
	in := &inputs{byPath: map[string]*input{}}
	keys := make([]string, len(v.places))
	for i, p := range v.places {
		parent := ""
		if p.parent >= 0 {
			parent = keys[p.parent]
		}
		if p.kind == reference {
			keys[i] = parent
			in.byPath[parent].schemas = append(in.byPath[parent].schemas, p.schema)
			continue
		}
		keys[i] = parent + rootKey + p.key
		in.add(keys[i], &input{path: v.path(i), parent: parent, schemas: []*node{p.schema}, required: v.requires(p)})
	}
	return in
}

// add adds an argument; of those that stand in one place, such as the items of a tuple, the first counts.
func (in *inputs) add(key string, i *input) {
	if in.byPath[key] == nil {
		in.byPath[key] = i
		in.order = append(in.order, key)
	}
}

// rootKey is the key of the input schema itself, which every tool has: a missing one takes anything.
const rootKey = "\x00"

// has reports whether the schema spells out what is at key.
func (in *inputs) has(key string) bool { return key == "" || key == rootKey || in.byPath[key] != nil }

// requires reports whether the schema around a property requires it.
func (v *View) requires(p place) bool {
	return p.kind == property && slices.Contains(requiredOf(v.places[p.parent].schema), p.key)
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
