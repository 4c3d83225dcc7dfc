package schema

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Work returns the maximum cost of validating a value, or limit+1 if the cost exceeds limit. The unit is a visit of a value by a
// schema, or other work that takes as long. The visits are counted before the value is validated, as if all of them took place,
// because a schema of n references can visit a value 2^n times.
func (c *Compiled) Work(value any, limit int) int {
	count := workCount{left: limit}
	count.visit(c.root, value, nil)
	return limit - max(count.left, -1)
}

type workCount struct {
	left int
}

// spend subtracts work from the remaining work, and reports whether there was enough.
func (w *workCount) spend(work int) bool {
	w.left -= min(work, w.left+1)
	return w.left >= 0
}

// visit counts the work of validating a value with s. around has the schemas that were already entered for the same value, because
// the library stops at a repeated one.
func (w *workCount) visit(s *jsonschema.Schema, value any, around []*jsonschema.Schema) {
	const comparisons = 32 // number of comparisons with schemas in around that take as long as a visit
	if s == nil || !w.spend(1+len(around)/comparisons+choices(s)) || slices.Contains(around, s) {
		return
	}
	around = append(around, s)
	for _, lists := range [][]*jsonschema.Schema{{s.Ref, s.Not, s.If, s.Then, s.Else}, s.AllOf, s.AnyOf, s.OneOf} {
		for _, child := range lists {
			w.visit(child, value, around)
		}
	}
	switch value := value.(type) {
	case map[string]any:
		w.object(s, value, around)
	case []any:
		w.list(s, value)
	case string:
		w.match(s.Pattern, value)
	}
}

// object counts the work of checking an object. around are the schemas whose results unevaluatedProperties needs.
func (w *workCount) object(s *jsonschema.Schema, object map[string]any, around []*jsonschema.Schema) {
	for name, child := range s.DependentSchemas {
		if _, has := object[name]; has {
			w.visit(child, object, around)
		}
	}
	for name, child := range s.Dependencies {
		if _, has := object[name]; has {
			w.visitSchema(child, object, around)
		}
	}
	for name, value := range object {
		if !w.spend(1) {
			return
		}
		w.visit(s.Properties[name], value, nil)
		for pattern, child := range s.PatternProperties {
			w.match(pattern, name)
			w.visit(child, value, nil)
		}
		w.visitSchema(s.AdditionalProperties, value, nil)
		w.visit(s.UnevaluatedProperties, value, nil)
		w.visit(s.PropertyNames, name, nil)
	}
}

func (w *workCount) list(s *jsonschema.Schema, list []any) {
	for i, item := range list {
		if !w.spend(1) {
			return
		}
		if i < len(s.PrefixItems) {
			w.visit(s.PrefixItems[i], item, nil)
		}
		for _, child := range []*jsonschema.Schema{s.Items2020, s.UnevaluatedItems, s.Contains} {
			w.visit(child, item, nil)
		}
		if tuple, ok := s.Items.([]*jsonschema.Schema); !ok {
			w.visitSchema(s.Items, item, nil)
		} else if i < len(tuple) {
			w.visit(tuple[i], item, nil)
		}
		w.visitSchema(s.AdditionalItems, item, nil)
	}
}

// visitSchema visits the value of a keyword if it is a schema.
func (w *workCount) visitSchema(keyword, value any, around []*jsonschema.Schema) {
	if s, ok := keyword.(*jsonschema.Schema); ok {
		w.visit(s, value, around)
	}
}

func (w *workCount) match(pattern jsonschema.Regexp, text string) {
	if p, ok := pattern.(Pattern); ok {
		w.spend(p.Work(text))
	}
}

// choices returns the number of names and values with which a schema compares a value.
func choices(s *jsonschema.Schema) int {
	size := len(s.Required)
	if s.Enum != nil {
		size += sizeOf(s.Enum.Values)
	}
	if s.Const != nil {
		size += sizeOf(*s.Const)
	}
	return size
}

// sizeOf returns the number of values in a decoded value, including itself.
func sizeOf(value any) int {
	size := 1
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			size += sizeOf(item)
		}
	case map[string]any:
		for _, item := range v {
			size += sizeOf(item)
		}
	}
	return size
}
