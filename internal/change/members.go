package change

import (
	"slices"

	"github.com/org/mcp-gates/internal/schema"
)

// others stands for the name of all members that a schema does not name.
const others = "*"

// required returns the names that the schemas require, in order, each once.
func (s *set) required() []string {
	var names []string
	for _, n := range s.nodes {
		for _, name := range n.Required() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// member holds the schemas of a set that apply to one member.
type member struct {
	schemas     []*schema.Node
	isNamed     bool // a property or a pattern names the member
	isUncertain bool // a pattern that is not understood may match the member
}

// memberSchemas returns the schemas that a set applies to a member with this name. A pattern that is not understood counts as a
// match in the new schema, and as no match in the old one, so that no narrowing is overlooked.
func (w *narrowing) memberSchemas(s *set, name string) member {
	var m member
	for _, n := range s.nodes {
		if w.refusesName(s.doc, n, name) {
			return member{schemas: []*schema.Node{literal('f')}, isNamed: true}
		}
		one := w.memberSchemasOfNode(s.doc, n, name)
		m.schemas = append(m.schemas, one.schemas...)
		m.isNamed, m.isUncertain = m.isNamed || one.isNamed, m.isUncertain || one.isUncertain
	}
	return m
}

func (w *narrowing) refusesName(doc *document, n *schema.Node, name string) bool {
	names := doc.get(n, "propertyNames")
	return isSchema(names) && w.fitsSchema(doc, names, &schema.Node{Kind: '"', Text: name}, 0) == no
}

func (w *narrowing) memberSchemasOfNode(doc *document, n *schema.Node, name string) member {
	var m member
	isHead := doc == w.head
	if property := n.Get("properties").Get(name); property != nil {
		m.schemas, m.isNamed = append(m.schemas, property), true
	}
	if patterns := n.Get("patternProperties"); patterns.IsObject() {
		for i, expr := range patterns.Keys {
			matches := w.matches(name, expr)
			if matches == yes || matches == unknown && isHead {
				m.schemas = append(m.schemas, patterns.Items[i])
			}
			m.isNamed = m.isNamed || matches == yes
			m.isUncertain = m.isUncertain || matches == unknown
		}
	}
	isAdditional := !m.isNamed && (!m.isUncertain || isHead)
	if rest := n.Get("additionalProperties"); isSchema(rest) && isAdditional {
		m.schemas = append(m.schemas, rest)
	}
	return m
}

// memberNames returns the members that a set names, also in branches and conditions, each once.
func (w *narrowing) memberNames(s *set) *nameList {
	list := &nameList{has: map[string]bool{}, inBranch: map[string]bool{}}
	w.addMemberNames(s, list, 0)
	return list
}

// nameList is a list of different names.
type nameList struct {
	order []string
	has   map[string]bool

	inBranch map[string]bool // members that branches and conditions name
}

func (l *nameList) add(name string) {
	if !l.has[name] {
		l.has[name] = true
		l.order = append(l.order, name)
	}
}

// addMemberNames adds the names of members that schemas of a set mention, also in branches and conditions. depth is the number
// of branches and conditions around the set.
func (w *narrowing) addMemberNames(s *set, list *nameList, depth int) {
	for _, n := range s.nodes {
		if properties := n.Get("properties"); properties.IsObject() {
			for _, name := range properties.Keys {
				list.add(name)
				if depth > 0 {
					list.inBranch[name] = true
				}
			}
		}
		if depth >= maxNesting || !w.spend(1) {
			continue
		}
		for _, key := range []string{"anyOf", "oneOf", "if", "then", "else", "dependentSchemas"} {
			value := s.doc.get(n, key)
			inner := value.List()
			if key == "dependentSchemas" {
				inner = value.Members()
			} else if isSchema(value) {
				inner = []*schema.Node{value}
			}
			for _, one := range inner {
				w.addMemberNames(w.resolve(s.doc, one), list, depth+1)
			}
		}
	}
}

// openness says whether callers send members that a schema does not name.
type openness int

const (
	closed   openness = iota // callers send none
	tolerant                 // callers may send any, although the schema does not explicitly allow them
	spelled                  // callers may send those that the schema explicitly allows
)

// unnamedMembers returns the schemas for members that a set does not name, and whether callers send any.
func (w *narrowing) unnamedMembers(s *set, isRoot bool, names *nameList) (list []*schema.Node, open openness) {
	for _, n := range s.nodes {
		for _, key := range []string{"additionalProperties", "unevaluatedProperties"} {
			rest := s.doc.get(n, key)
			if !isSchema(rest) {
				continue
			}
			if rest.Is('f') && key == "unevaluatedProperties" && !w.anyNames {
				return nil, closed
			}
			open = spelled
			if key == "additionalProperties" {
				list = append(list, rest)
			}
		}
	}
	hasPatterns := slices.ContainsFunc(s.nodes, func(n *schema.Node) bool { return n.Has("patternProperties") })
	namesNothing := !isRoot && len(names.order) == 0 && !hasPatterns
	if open == closed && (w.anyNames || namesNothing) {
		open = tolerant
	}
	return list, open
}

// patternOf is a pattern with the schemas for the members that match it and have no property of their own.
type patternOf struct {
	expr    string
	schemas []*schema.Node
}

func patternsOf(s *set) []patternOf {
	var list []patternOf
	for _, n := range s.nodes {
		if patterns := n.Get("patternProperties"); patterns.IsObject() {
			rest := restSchemasBeside(s, n)
			for i, expr := range patterns.Keys {
				list = append(list, patternOf{expr, append([]*schema.Node{patterns.Items[i]}, rest...)})
			}
		}
	}
	return list
}

// restSchemasBeside returns the additionalProperties of the schemas in s, except those of n and of schemas with patterns.
func restSchemasBeside(s *set, n *schema.Node) []*schema.Node {
	var list []*schema.Node
	for _, other := range s.nodes {
		if other == n || other.Has("patternProperties") {
			continue
		}
		if rest := other.Get("additionalProperties"); isSchema(rest) {
			list = append(list, rest)
		}
	}
	return list
}
