package lint

import "slices"

// maxWalked bounds how deep arguments are nested, references included: no agent fills in deeper ones, and a schema made
// for the purpose could be as deep as it is long.
const maxWalked = 32

// place is a schema within an input schema.
type place struct {
	schema   *node
	parent   int    // index of the place around it, -1 for the input schema itself
	key      string // on the way from parent: a property's name or [] for items; unused for a reference
	kind     placeKind
	repeated bool // the schema stands at an earlier place, too
}

type placeKind int

const (
	root placeKind = iota
	property
	items
	reference // what parent's $ref leads to
)

// findPlaces goes through an input schema by properties, items and local references. Every property is a place; what is
// below a schema is looked at once. A remote reference is never loaded, and the branches of anyOf, oneOf and allOf are not
// looked into.
func findPlaces(input *node) []place {
	if input == nil {
		return nil
	}
	w := walker{root: input, seen: make(map[*node]bool)}
	w.visit(place{schema: input, parent: -1}, 0)
	return w.places
}

type walker struct {
	root   *node
	seen   map[*node]bool
	places []place
}

func (w *walker) visit(p place, depth int) {
	n := p.schema
	if p.kind != property && !n.isObject() || depth > maxWalked {
		return
	}
	p.repeated = w.seen[n]
	index := len(w.places)
	if p.kind == property || !p.repeated {
		w.places = append(w.places, p)
	}
	if p.repeated || !n.isObject() {
		return
	}
	w.seen[n] = true
	if ref := n.get("$ref"); ref.isString() {
		w.visit(place{schema: w.root.at(ref.text), parent: index, kind: reference}, depth+1)
	}
	if properties := n.get("properties"); properties.isObject() {
		for i, name := range properties.keys {
			w.visit(place{schema: properties.items[i], parent: index, key: name, kind: property}, depth+1)
		}
	}
	w.items(n.get("items"), index, depth)
}

// items visits a schema for all items, or the schemas of a tuple.
func (w *walker) items(n *node, parent, depth int) {
	w.visit(place{schema: n, parent: parent, key: "[]", kind: items}, depth+1)
	for _, item := range n.list() {
		w.visit(place{schema: item, parent: parent, key: "[]", kind: items}, depth+1)
	}
}

// path returns the way to place i, as [Note] has it.
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

// eachSchema calls visit with every schema once.
func (v *View) eachSchema(visit func(i int, n *node)) {
	for i, p := range v.places {
		if !p.repeated && p.schema.isObject() {
			visit(i, p.schema)
		}
	}
}

// eachProperty calls visit with every property.
func (v *View) eachProperty(visit func(i int, p place)) {
	for i, p := range v.places {
		if p.kind == property {
			visit(i, p)
		}
	}
}

// eachPropertySchema calls visit with the schema of every property, and with what it refers to, each once. It does not
// matter whether something that is no property refers to the same schema earlier.
func (v *View) eachPropertySchema(visit func(i int, n *node)) {
	seen := make(map[*node]bool)
	v.eachProperty(func(i int, p place) {
		n := p.schema
		for range maxHops {
			if !n.isObject() || seen[n] {
				return
			}
			seen[n] = true
			visit(i, n)
			ref := n.get("$ref")
			if !ref.isString() {
				return
			}
			n = v.input.at(ref.text)
		}
	})
}
