package lint

import "github.com/org/mcp-gates/internal/schema"
import "slices"

// undeclared returns the names that a schema requires, and that neither its properties nor what it refers to nor a branch
// of it declares, in the order of the required list.
func (v *View) undeclared(n *schema.Node) []string {
	var missing []string
	properties := n.Get("properties")
	for _, name := range n.Required() {
		if !properties.Has(name) {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	s := declaredSearch{root: v.input, seen: make(map[*schema.Node]bool), names: make(map[string]bool), left: &v.searches}
	s.visit(n)
	if v.searches <= 0 {
		return nil
	}
	return slices.DeleteFunc(missing, func(name string) bool { return s.names[name] })
}

// maxSearches bounds the work of looking for what is required in references and branches, in schemas and properties
// looked at in one tool: a schema can be made so that each of its parts refers to all others. After that nothing is
// missing: a flaw that cannot be shown is not reported.
const maxSearches = 1 << 18

// declaredSearch collects the properties that a schema, what it refers to and its branches declare.
type declaredSearch struct {
	root  *schema.Node
	seen  map[*schema.Node]bool
	names map[string]bool
	left  *int // how much may still be looked at
}

func (s *declaredSearch) visit(n *schema.Node) {
	if !n.IsObject() || s.seen[n] || *s.left <= 0 {
		return
	}
	s.seen[n] = true
	*s.left--
	if properties := n.Get("properties"); properties.IsObject() {
		*s.left -= len(properties.Keys)
		for _, name := range properties.Keys {
			s.names[name] = true
		}
	}
	s.visit(n.Referred(s.root))
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		for _, branch := range n.Get(key).List() {
			s.visit(branch)
		}
	}
}
