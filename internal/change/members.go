package change

import (
	"slices"

	"github.com/org/mcp-gates/internal/schema"
)

// others is the name that means all members that a schema does not name.
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
	schemas []*schema.Node
	named   bool // a property or a pattern names it
	doubt   bool // a pattern is not understood, so it may match or not
}

// member returns the schemas that a set applies to the member of an object with this name.
func (w *narrowing) member(s *set, name string) member {
	var m member
	for _, n := range s.nodes {
		if names := s.of.get(n, "propertyNames"); isSchema(names) && w.fitsSchema(s.of, names, &schema.Node{Kind: '"', Text: name}, 0) == no {
			return member{schemas: []*schema.Node{literal('f')}, named: true}
		}
		own := false
		if p := n.Get("properties").Get(name); p != nil {
			m.schemas, own = append(m.schemas, p), true
		}
		patterns, doubt := n.Get("patternProperties"), false
		if patterns.IsObject() {
			for i, expr := range patterns.Keys {
				switch w.matches(name, expr) {
				case yes:
					m.schemas, own = append(m.schemas, patterns.Items[i]), true
				case unknown:
					doubt = true
					if s.of == w.head {
						m.schemas = append(m.schemas, patterns.Items[i])
					}
				}
			}
		}
		m.named, m.doubt = m.named || own, m.doubt || doubt
		if rest := n.Get("additionalProperties"); isSchema(rest) && !own && (!doubt || s.of == w.head) {
			m.schemas = append(m.schemas, rest)
		}
	}
	return m
}

// names returns the members that a set names, also in branches and conditions, each once.
func (w *narrowing) names(s *set) *nameList {
	list := &nameList{has: map[string]bool{}, inBranch: map[string]bool{}}
	w.addNames(s, list, 0)
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

// addNames adds the names of members that schemas of a set mention, also in branches and conditions.
func (w *narrowing) addNames(s *set, list *nameList, depth int) {
	for _, n := range s.nodes {
		if properties := n.Get("properties"); properties.IsObject() {
			for _, name := range properties.Keys {
				list.add(name)
				if depth > 0 {
					list.inBranch[name] = true
				}
			}
		}
		if depth >= maxSame || !w.spend(1) {
			continue
		}
		for _, key := range []string{"anyOf", "oneOf", "if", "then", "else", "dependentSchemas"} {
			value := s.of.get(n, key)
			inner := value.List()
			if key == "dependentSchemas" {
				inner = value.Members()
			} else if isSchema(value) {
				inner = []*schema.Node{value}
			}
			for _, one := range inner {
				w.addNames(w.set(s.of, one), list, depth+1)
			}
		}
	}
}

// openness describes the members that callers send besides those that a schema names.
type openness int

const (
	closed   openness = iota // no others
	tolerant                 // any, because the schema does not mention others
	spelled                  // members that the schema explicitly allows
)

// unnamedMembers returns the schemas for members that a set does not name, and whether callers send any.
func (w *narrowing) unnamedMembers(s *set, isRoot bool, names *nameList) (list []*schema.Node, open openness) {
	for _, n := range s.nodes {
		for _, key := range []string{"additionalProperties", "unevaluatedProperties"} {
			rest := s.of.get(n, key)
			if !isSchema(rest) {
				continue
			}
			if rest.Is('f') && key == "unevaluatedProperties" && !w.open {
				return nil, closed
			}
			if open = spelled; key == "additionalProperties" {
				list = append(list, rest)
			}
		}
	}
	free := !isRoot && len(names.order) == 0 && !slices.ContainsFunc(s.nodes, func(n *schema.Node) bool { return n.Has("patternProperties") })
	if open == closed && (w.open || free) {
		open = tolerant
	}
	return list, open
}

// patternOf is a pattern with the schemas for the members that match it, besides the named ones.
type patternOf struct {
	expr    string
	schemas []*schema.Node
}

func patternsOf(s *set) []patternOf {
	var list []patternOf
	for _, n := range s.nodes {
		if patterns := n.Get("patternProperties"); patterns.IsObject() {
			for i, expr := range patterns.Keys {
				list = append(list, patternOf{expr, append([]*schema.Node{patterns.Items[i]}, restBeside(s, n)...)})
			}
		}
	}
	return list
}

// restBeside returns the schemas for unnamed members in the other schemas of a set, if these have no patterns.
func restBeside(s *set, n *schema.Node) []*schema.Node {
	var list []*schema.Node
	for _, other := range s.nodes {
		if rest := other.Get("additionalProperties"); other != n && isSchema(rest) && !other.Has("patternProperties") {
			list = append(list, rest)
		}
	}
	return list
}
