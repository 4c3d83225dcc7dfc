package lint

import (
	"slices"

	"github.com/org/mcp-gates/internal/schema"
)

// MaxDepth bounds the depth of nested arguments, references included. Deeper ones are not visited: no agent fills them in, and
// a malicious schema could be as deep as it is long.
const MaxDepth = 32

// place is a schema within an input schema.
type place struct {
	schema   *schema.Node
	parent   int    // index of the place around it, -1 for the input schema itself
	key      string // the step from parent: a property's name or [] for items; unused for a reference
	kind     placeKind
	repeated bool // the schema is at an earlier place, too
}

type placeKind int

const (
	root placeKind = iota
	property
	items
	reference // the schema to which parent's $ref refers
)

// findPlaces collects the places of an input schema through properties, items and local references. Every property is a
// place; the content of a schema is visited only once. Remote references are never loaded, and the branches of anyOf,
// oneOf and allOf are not visited.
func findPlaces(input *schema.Node) []place {
	if input == nil {
		return nil
	}
	w := walker{root: input, seen: make(map[*schema.Node]bool)}
	w.addPlaces(place{schema: input, parent: -1}, 0)
	return w.places
}

type walker struct {
	root   *schema.Node
	seen   map[*schema.Node]bool
	places []place
}

// addPlaces adds a place, and then the places below it. A schema that occurs again is not entered again.
func (w *walker) addPlaces(p place, depth int) {
	n := p.schema
	isPlace := p.kind == property || n.IsObject()
	if !isPlace || depth > MaxDepth {
		return
	}
	p.repeated = w.seen[n]
	index := len(w.places)
	if p.kind == property || !p.repeated {
		w.places = append(w.places, p)
	}
	if p.repeated || !n.IsObject() {
		return
	}
	w.seen[n] = true
	w.addPlaces(place{schema: n.Referred(w.root), parent: index, kind: reference}, depth+1)
	n.Below(func(name string, inner *schema.Node, isItems bool) {
		below := place{schema: inner, parent: index, key: name, kind: property}
		if isItems {
			below.kind = items
		}
		w.addPlaces(below, depth+1)
	})
}

func (v *View) path(i int) []string {
	var path []string
	for ; i >= 0; i = v.places[i].parent {
		if k := v.places[i].kind; k == property || k == items {
			path = append(path, v.places[i].key)
		}
	}
	slices.Reverse(path)
	return path
}

func (v *View) eachSchema(visit func(i int, n *schema.Node)) {
	for i, p := range v.places {
		if !p.repeated && p.schema.IsObject() {
			visit(i, p.schema)
		}
	}
}

func (v *View) eachProperty(visit func(i int, p place)) {
	for i, p := range v.places {
		if p.kind == property {
			visit(i, p)
		}
	}
}

// eachPropertySchema calls visit with the schema of every property and with the schemas to which it refers. Each schema
// is visited once, even if something other than a property referred to it earlier.
func (v *View) eachPropertySchema(visit func(i int, n *schema.Node)) {
	seen := make(map[*schema.Node]bool)
	v.eachProperty(func(i int, p place) {
		for _, n := range p.schema.Chain(v.input) {
			if !n.IsObject() || seen[n] {
				return
			}
			seen[n] = true
			visit(i, n)
		}
	})
}

// undeclared returns the names that a schema requires but that its properties, references and branches do not declare,
// in the order of the required list.
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

// maxSearches bounds the search for required names in references and branches, in schemas and properties visited for
// one tool: a schema can be made so that each of its parts refers to all others. After that, names count as declared,
// because a flaw that cannot be shown is not reported.
const maxSearches = 1 << 18

// declaredSearch collects the properties that a schema, its references and its branches declare.
type declaredSearch struct {
	root  *schema.Node
	seen  map[*schema.Node]bool
	names map[string]bool
	left  *int // number of schemas and properties that may still be visited
}

// visit notes the names that a schema declares, and those of the schemas that apply to the same value.
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
