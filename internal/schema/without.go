package schema

import "slices"

// schemasAt is the way in which a keyword of JSON Schema contains schemas.
type schemasAt int

const (
	asValue  schemasAt = iota + 1 // a schema, or a list of schemas
	byMember                      // an object with a schema for each name
)

// holders are the keywords that contain schemas. The values of all other keywords, such as enum and default, are data.
var holders = map[string]schemasAt{
	"items": asValue, "prefixItems": asValue, "additionalItems": asValue, "unevaluatedItems": asValue, "contains": asValue,
	"additionalProperties": asValue, "unevaluatedProperties": asValue, "propertyNames": asValue,
	"allOf": asValue, "anyOf": asValue, "oneOf": asValue, "not": asValue, "if": asValue, "then": asValue, "else": asValue,
	"properties": byMember, "patternProperties": byMember, "$defs": byMember, "definitions": byMember,
	"dependentSchemas": byMember, "dependencies": byMember,
}

// Without returns a schema, or a list of schemas, without the keywords, also in nested schemas. Properties with these names, and
// data with these names such as in default, are kept.
func (n *Node) Without(keywords ...string) *Node {
	inner := func(_ string, n *Node) *Node { return n.Without(keywords...) }
	if n.IsList() {
		return n.mapped(inner)
	}
	return n.mapped(func(key string, value *Node) *Node {
		switch {
		case slices.Contains(keywords, key):
			return nil
		case holders[key] == asValue:
			return value.Without(keywords...)
		case holders[key] == byMember && value.IsObject():
			return value.mapped(inner)
		}
		return value
	})
}

// mapped returns an object or a list with its members replaced by the results of change. Members of an object for
// which change returns nil are removed. The key of an item is "". Any other value is returned unchanged.
func (n *Node) mapped(change func(key string, member *Node) *Node) *Node {
	if !n.IsObject() && !n.IsList() {
		return n
	}
	out := &Node{Kind: n.Kind}
	for i, member := range n.Items {
		if !n.IsObject() {
			out.Items = append(out.Items, change("", member))
		} else if member = change(n.Keys[i], member); member != nil {
			out.put(n.Keys[i], member)
		}
	}
	return out
}

// Renamed returns an object with its keys replaced by the results of name. Members for which name returns "" are removed. Any
// other value is returned unchanged.
func (n *Node) Renamed(name func(key string) string) *Node {
	if !n.IsObject() {
		return n
	}
	out := &Node{Kind: n.Kind}
	for i, key := range n.Keys {
		if key = name(key); key != "" {
			out.put(key, n.Items[i])
		}
	}
	return out
}
