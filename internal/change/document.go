package change

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/schema"
)

// dialect is a draft of JSON Schema, as its year or number. Later drafts are greater.
type dialect int

const (
	draft4    dialect = 4
	draft6    dialect = 6
	draft7    dialect = 7
	draft2019 dialect = 2019
	draft2020 dialect = 2020
)

// dialectOf returns the draft that a schema names. If it names none, the draft is 2020-12, the default of MCP.
func dialectOf(root *schema.Node) dialect {
	named := root.Get("$schema")
	for _, d := range []struct {
		text string
		is   dialect
	}{{"draft-04", draft4}, {"draft-06", draft6}, {"draft-07", draft7}, {"2019-09", draft2019}} {
		if named.IsString() && strings.Contains(named.Text, d.text) {
			return d.is
		}
	}
	return draft2020
}

// document is one of the two input schemas that are compared.
type document struct {
	root        *schema.Node
	dialect     dialect
	hasInnerIDs bool // an inner schema has an identifier, which can change where references lead, so no reference is followed
	anchors     map[string]*schema.Node
}

func newDocument(root *schema.Node) *document {
	s := &document{root: root, dialect: dialectOf(root), anchors: map[string]*schema.Node{}}
	s.indexAnchors(root, true)
	return s
}

func (s *document) indexAnchors(n *schema.Node, isRoot bool) {
	for _, key := range []string{"$anchor", "$dynamicAnchor"} {
		if name := n.Get(key); name.IsString() && s.anchors[name.Text] == nil {
			s.anchors[name.Text] = n
		}
	}
	for _, key := range []string{"$id", "id"} {
		id := n.Get(key)
		if !id.IsString() {
			continue
		}
		if name, isAnchor := strings.CutPrefix(id.Text, "#"); isAnchor {
			s.anchors[name] = n
		} else if !isRoot {
			s.hasInnerIDs = true
		}
	}
	for _, member := range n.Members() {
		s.indexAnchors(member, false)
	}
}

// follow returns the schema to which a reference leads; nil if the schema is not known.
func (s *document) follow(ref string) *schema.Node {
	if id := s.root.Get("$id"); id.IsString() && id.Text != "" && !strings.HasPrefix(id.Text, "#") {
		ref = strings.TrimPrefix(ref, strings.TrimSuffix(id.Text, "#"))
	}
	if s.hasInnerIDs {
		return nil
	}
	name, isLocal := strings.CutPrefix(ref, "#")
	isPointer := name == "" || name[0] == '/'
	if isLocal && !isPointer {
		return s.anchors[name]
	}
	return s.root.At(ref)
}

// isSchema reports whether a value is a schema. Any other value has no constraints.
func isSchema(n *schema.Node) bool { return n.IsObject() || n.IsBool() }

// set is a list of schemas that apply to the same value. References and allOf are resolved: the schemas to which they lead are
// in the list.
type set struct {
	id    int
	doc   *document
	nodes []*schema.Node
	types types
	loops bool // a schema refers to itself, so values cannot be compared with the set
}

func (s *set) get(keyword string) []*schema.Node {
	var values []*schema.Node
	for _, n := range s.nodes {
		if v := s.doc.get(n, keyword); v != nil {
			values = append(values, v)
		}
	}
	return values
}

// hasBranches reports whether the schemas have branches or conditions, which may describe any part of a value.
func (s *set) hasBranches() bool { return len(s.get("anyOf"))+len(s.get("oneOf"))+len(s.get("if")) > 0 }

// get returns the value of a keyword, or nil if the draft does not have the keyword.
func (s *document) get(n *schema.Node, keyword string) *schema.Node {
	if row := keywords[keyword]; row != nil && !row.in(s.dialect) {
		return nil
	}
	return n.Get(keyword)
}

// maxNesting bounds the depth of schemas for the same value, such as branches inside branches. Deeper schemas are not examined.
const maxNesting = 8

// flattening resolves the schemas that apply to the same value.
type flattening struct {
	w     *narrowing
	doc   *document
	nodes []*schema.Node
	seen  map[*schema.Node]bool // the schemas that were added; true while a schema is still being resolved
	loops bool
}

func (w *narrowing) flatten(of *document, nodes ...*schema.Node) *flattening {
	f := &flattening{w: w, doc: of, seen: map[*schema.Node]bool{}}
	for _, n := range nodes {
		f.add(n)
	}
	return f
}

// add adds a schema, the schema to which it refers, and the members of its allOf, each once.
func (f *flattening) add(n *schema.Node) {
	isOpen, isKnown := f.seen[n]
	f.loops = f.loops || isOpen
	if isKnown || !f.w.spend(1) {
		return
	}
	if n.Is('f') {
		f.nodes = append(f.nodes, n)
	}
	if !n.IsObject() || len(n.Keys) == 0 {
		return
	}
	f.seen[n] = true
	f.addObject(n)
	f.seen[n] = false
}

func (f *flattening) addObject(n *schema.Node) {
	ref := n.Get("$ref")
	var target *schema.Node
	if ref.IsString() {
		target = f.doc.follow(ref.Text)
	}
	onlyRefCounts := ref.IsString() && f.doc.dialect < draft2019 // older drafts ignore keywords beside a reference
	switch {
	case onlyRefCounts && target != nil:
		f.add(target)
		return
	case onlyRefCounts:
		f.nodes = append(f.nodes, f.w.onlyKeyword(n, "$ref"))
		return
	}
	f.nodes = append(f.nodes, n)
	if target != nil {
		f.add(target)
	}
	for _, inner := range n.Get("allOf").List() {
		f.add(inner)
	}
}

func (w *narrowing) resolve(of *document, nodes ...*schema.Node) *set {
	resolved := w.flatten(of, nodes...)
	return w.internSet(of, resolved.nodes, resolved.loops)
}

// internSet returns the set of the resolved schemas, each once. Equal lists of schemas share a set, so that results for a set can
// be cached.
func (w *narrowing) internSet(of *document, resolved []*schema.Node, loops bool) *set {
	flat := make([]*schema.Node, 0, len(resolved))
	for _, n := range resolved {
		if !slices.Contains(flat, n) && (!n.IsObject() || len(n.Keys) > 0) {
			flat = append(flat, n)
		}
	}
	key := make([]byte, 0, 8*len(flat)+1)
	key = append(key, byte(of.dialect))
	if of == w.head {
		key = append(key, 'h')
	}
	for _, n := range flat {
		if w.ids[n] == 0 {
			w.ids[n] = len(w.ids) + 1
		}
		id := w.ids[n]
		key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
	}
	s := w.sets[string(key)]
	if s == nil {
		s = &set{id: len(w.sets) + 1, doc: of, nodes: flat, loops: loops}
		w.sets[string(key)] = s
		s.types = w.typesOf(s, 0)
	}
	return s
}

func (w *narrowing) with(s *set, nodes ...*schema.Node) *set {
	return w.withReplaced(s, s.nodes, nodes...)
}

func (w *narrowing) withReplaced(s *set, kept []*schema.Node, added ...*schema.Node) *set {
	resolved := w.flatten(s.doc, added...)
	return w.internSet(s.doc, slices.Concat(kept, resolved.nodes), s.loops || resolved.loops)
}

// derivation identifies a copy of a schema that keeps or loses a keyword.
type derivation struct {
	of      *schema.Node
	keyword string
	only    bool // the copy has only the keyword; otherwise it lacks the keyword
}

// comparedOneOf is the name of oneOf in the copy of a schema whose branches are compared one by one. The copy keeps the keyword,
// because a value of one branch must still fit no other. No key of a schema has this name, because the name is not UTF-8.
const comparedOneOf = "oneOf\xff"

// withoutKeyword returns a copy of a schema without a keyword. Each call with the same arguments returns the same copy.
func (w *narrowing) withoutKeyword(n *schema.Node, keyword string) *schema.Node {
	return w.derive(derivation{n, keyword, false})
}

func (w *narrowing) onlyKeyword(n *schema.Node, keyword string) *schema.Node {
	return w.derive(derivation{n, keyword, true})
}

func (w *narrowing) derive(d derivation) *schema.Node {
	if made := w.derived[d]; made != nil {
		return made
	}
	w.derived[d] = d.of.Renamed(func(key string) string {
		switch {
		case (key == d.keyword) == d.only:
			return key
		case key == "oneOf" && !d.only:
			return comparedOneOf
		}
		return ""
	})
	return w.derived[d]
}

func (w *narrowing) typeSchema(t types) *schema.Node {
	if known := w.typeSchemas[t]; known != nil {
		return known
	}
	names := &schema.Node{Kind: '['}
	for _, one := range typeNames {
		if t&one.is != 0 {
			names.Items = append(names.Items, &schema.Node{Kind: '"', Text: one.name})
		}
	}
	w.typeSchemas[t] = &schema.Node{Kind: '{', Keys: []string{"type"}, Items: []*schema.Node{names}}
	return w.typeSchemas[t]
}

func literal(kind byte) *schema.Node {
	return &schema.Node{Kind: jsontext.Kind(kind)}
}
