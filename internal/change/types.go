package change

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/schema"
)

// types is a set of JSON types. Integers are separate from other numbers, so that no value has two types.
type types uint8

const (
	isNull types = 1 << iota
	isBoolean
	isObject
	isArray
	isString
	isInteger
	isFraction

	isNumber = isInteger | isFraction
	anyType  = isNull | isBoolean | isObject | isArray | isString | isNumber
)

// typeNames are the names of types in ascending order, except that number comes before integer, which it includes.
var typeNames = []struct {
	name string
	is   types
}{{"array", isArray}, {"boolean", isBoolean}, {"number", isNumber}, {"integer", isInteger}, {"null", isNull}, {"object", isObject}, {"string", isString}}

func typeNamed(name string) types {
	for _, t := range typeNames {
		if t.name == name {
			return t.is
		}
	}
	return 0
}

// String lists the types, as schemas name them.
func (t types) String() string {
	var names []string
	for _, one := range typeNames {
		if t&one.is == one.is {
			names = append(names, one.name)
			t &^= one.is
		}
	}
	slices.Sort(names)
	return strings.Join(names, " or ")
}

// typesOfKinds are the types of all values but numbers, by their kinds.
var typesOfKinds = map[jsontext.Kind]types{'"': isString, '{': isObject, '[': isArray, 'n': isNull, 't': isBoolean, 'f': isBoolean}

func typeOfValue(n *schema.Node) types {
	if t := typesOfKinds[n.Kind]; t != 0 {
		return t
	}
	switch r := numberOf(n); {
	case r == nil:
		return isNumber
	case r.IsInt():
		return isInteger
	}
	return isFraction
}

// typesOf returns the types that a value of a set may have, and possibly more.
func (w *narrowing) typesOf(s *set, depth int) types {
	all := anyType
	for _, n := range s.nodes {
		all &= w.typesOfNode(s.doc, n, depth)
	}
	return all
}

func (w *narrowing) typesOfNode(of *document, n *schema.Node, depth int) types {
	if !n.IsObject() {
		if n.Is('f') {
			return 0
		}
		return anyType
	}
	all := anyType
	if named := n.Get("type"); named.IsString() || named.IsList() {
		all = namedTypes(named)
	}
	if listed := listedValues(of, n); listed != nil {
		var some types
		for _, v := range listed {
			some |= typeOfValue(v)
		}
		all &= some
	}
	if depth >= maxNesting || !w.spend(1) {
		return all
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches := n.Get(keyword); branches.IsList() {
			var some types
			for _, branch := range branches.Items {
				some |= w.typesOfSchema(of, branch, depth+1)
			}
			all &= some
		}
	}
	return all &^ w.refusedTypes(of, n.Get("not"), depth)
}

func (w *narrowing) typesOfSchema(of *document, n *schema.Node, depth int) types {
	all := anyType
	for _, one := range w.flatten(of, n).nodes {
		all &= w.typesOfNode(of, one, depth)
	}
	return all
}

// refusedTypes returns the types of which the keyword "not" refuses every value: those that its schema names, if the schema has no
// other constraint.
func (w *narrowing) refusedTypes(of *document, not *schema.Node, depth int) types {
	if !isSchema(not) || not.Is('f') {
		return 0
	}
	if ref := not.Get("$ref"); ref.IsString() && depth < maxNesting {
		if target := of.follow(ref.Text); target != nil && len(not.Keys) == 1 {
			return w.refusedTypes(of, target, depth+1)
		}
	}
	all := anyType
	for i, key := range not.Keys {
		switch {
		case key == "type" && (not.Items[i].IsString() || not.Items[i].IsList()):
			all &= namedTypes(not.Items[i])
		case key == "not" && isSchema(not.Items[i]) && depth < maxNesting:
			all &= anyType &^ w.typesOfSchema(of, not.Items[i], depth+1)
		case keywords[key] != nil || strings.HasPrefix(key, "$") && !slices.Contains(metaKeywords, key):
			return 0
		}
	}
	return all
}

// metaKeywords are the keywords with a dollar sign that constrain no value.
var metaKeywords = []string{"$schema", "$id", "$comment", "$defs", "$anchor", "$dynamicAnchor", "$vocabulary"}

func namedTypes(n *schema.Node) types {
	if n.IsString() {
		return typeNamed(n.Text)
	}
	var some types
	for _, item := range n.List() {
		if item.IsString() {
			some |= typeNamed(item.Text)
		}
	}
	return some
}

// listedValues returns the values that a schema lists as the only allowed ones; nil if it lists none.
func listedValues(of *document, n *schema.Node) []*schema.Node {
	if one := of.get(n, "const"); one != nil {
		return []*schema.Node{one}
	}
	if list := n.Get("enum"); list.IsList() {
		return append([]*schema.Node{}, list.Items...)
	}
	return nil
}
