package change

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/schema"
)

// input is an argument, or the items of an argument, as a schema declares it.
type input struct {
	path         []string
	parent       int            // id of the argument or schema around it
	schemas      []*schema.Node // the argument's own schema, and the schemas to which it refers
	required     bool
	isIncomplete bool // not all schemas below the argument were visited
}

func (in *input) isArgument() bool { return len(in.path) > 0 && in.path[len(in.path)-1] != "[]" }

// inputIDs numbers the places of arguments. A place has the same number in both schemas that are compared.
type inputIDs map[inputStep]int

type inputStep struct {
	parent int
	key    string // an argument's name, or [] for items
}

// rootID is the id of the input schema itself. A missing input schema counts as one that accepts anything.
const rootID = 0

func (ids inputIDs) idOf(parent int, key string) int {
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

// newInputs lists the arguments of a tool at every depth. A schema is visited once for each argument that refers to it (lint rules
// visit it only once), so the result does not depend on whether the schema is written once or several times.
func newInputs(t *catalog.Tool, ids inputIDs) *inputs {
	// Nested references can make any number of arguments. If no two arguments share a schema, there are fewer than
	// least + length/bytesEach.
	const least, bytesEach, most = 1000, 6, 500_000
	w := inputWalk{
		root: t.Input().Object(), ids: ids, inputs: &inputs{byID: map[int]*input{}},
		ancestors: map[*schema.Node]bool{}, required: map[*schema.Node]map[string]bool{},
		left: min(most, least+len(t.InputSchema)/bytesEach),
	}
	w.visit(rootID, &input{parent: rootID, schemas: []*schema.Node{w.root}})
	return w.inputs
}

// isComplete reports whether the argument with the id exists and everything directly below it was visited.
func (in *inputs) isComplete(id int) bool {
	i := in.byID[id]
	return i != nil && !i.isIncomplete
}

// inputWalk visits the arguments of an input schema.
type inputWalk struct {
	root      *schema.Node
	ids       inputIDs
	inputs    *inputs
	ancestors map[*schema.Node]bool            // the schemas around the current one; visiting one of them again would never end
	required  map[*schema.Node]map[string]bool // by schema
	left      int                              // number of arguments that may still be visited
}

// visit adds an argument and everything below it. If several arguments have the same place, such as the items of a
// tuple, the first counts.
func (w *inputWalk) visit(id int, arg *input) {
	if w.inputs.byID[id] != nil {
		return
	}
	w.inputs.byID[id] = arg
	w.inputs.order = append(w.inputs.order, id)
	arg.schemas = arg.schemas[0].Chain(w.root)
	w.left--
	for _, n := range arg.schemas {
		if w.ancestors[n] || len(arg.path) >= lint.MaxDepth || w.left < 0 {
			arg.isIncomplete = true
			return
		}
	}
	for _, n := range arg.schemas {
		w.ancestors[n] = true
		defer delete(w.ancestors, n)
	}
	for _, n := range arg.schemas {
		n.Below(func(name string, inner *schema.Node, _ bool) { w.visitMember(id, arg, name, inner) })
	}
}

func (w *inputWalk) visitMember(id int, parent *input, key string, n *schema.Node) {
	if w.left < 0 {
		parent.isIncomplete = true
		return
	}
	w.visit(w.ids.idOf(id, key), &input{
		path: append(parent.path[:len(parent.path):len(parent.path)], key), parent: id, schemas: []*schema.Node{n}, required: w.isRequired(parent, key),
	})
}

func (w *inputWalk) isRequired(parent *input, name string) bool {
	return slices.ContainsFunc(parent.schemas, func(n *schema.Node) bool {
		if w.required[n] == nil {
			w.required[n] = map[string]bool{}
			for _, required := range n.Required() {
				w.required[n][required] = true
			}
		}
		return w.required[n][name]
	})
}

// types returns the types of an argument, in words: those that its first schema with the keyword type names, otherwise those of its
// possible values; "" if any type is allowed.
func (in *input) types(w *narrowing, of *document) string {
	all := anyType
	for _, s := range in.schemas {
		if named := namedTypes(s.Get("type")); named != 0 {
			return named.String()
		}
		all &= w.typesOfSchema(of, s, 0)
	}
	switch all {
	case anyType:
		return ""
	case 0:
		return "no value"
	}
	return all.String()
}

func sortedDistinct(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// values returns the allowed values as canonical JSON; nil if they are not listed.
func (in *input) values(of *document) []string {
	for _, s := range in.schemas {
		if listed := listedValues(of, s); listed != nil {
			return texts(listed)
		}
	}
	return nil
}

func valueText(n *schema.Node) string {
	switch {
	case n.IsString():
		return lint.JSONText(n.Text)
	case n.IsObject():
		members := make([]string, len(n.Keys))
		for i, key := range n.Keys {
			members[i] = lint.JSONText(key) + ":" + valueText(n.Items[i])
		}
		slices.Sort(members)
		return "{" + strings.Join(members, ",") + "}"
	case n.IsList():
		return "[" + strings.Join(texts(n.Items), ",") + "]"
	}
	return canonicalText([]byte(n.Spelled()))
}

// canonicalText returns the canonical form of JSON.
func canonicalText(raw []byte) string {
	value := jsontext.Value(slices.Clone(raw))
	// An error leaves the value as it is.
	_ = value.Canonicalize(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return string(value)
}
