package yamlread

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/source"
)

// Map is a YAML map that is read key by key. A nil Map has no keys.
type Map struct {
	doc     *document
	node    *node
	at      place
	parents []*Map
	asked   *askedKeys
	keys    []string // the only keys to see; nil shows all
	over    *Map     // whose entries come before the map's own, see With; nil when there is none

	misplaced map[string]string // for keys that belong elsewhere, what to do with them
}

// Str is a text value and where it stands.
type Str struct {
	Value string
	Pos   source.Pos
}

// Entry is a key of a map with free keys, and its value.
type Entry struct {
	Key   Str
	Value Value
}

// maxInherited bounds how many values the maps of a file may inherit altogether: a few lines of defaults times many
// tests can be far more work than the file's size suggests.
const maxInherited = 5_000_000

// Inherit makes parents stand in, earlier ones first, for keys that m lacks. A key read through m counts as asked for
// in its parents too.
func (m *Map) Inherit(parents ...*Map) {
	for _, p := range parents {
		if m == nil || p == nil {
			continue
		}
		if m.doc.inherited += p.Size(); m.doc.inherited > maxInherited {
			m.doc.stopf(p.Pos(), "maps inherit more than %d values altogether", maxInherited)
			return
		}
		m.parents = append(m.parents, p)
	}
}

// Size is how many values can be read through m, aliases and inheritance followed.
func (m *Map) Size() int {
	size := m.node.size
	for _, p := range m.parents {
		size += p.Size()
	}
	return size
}

// Own returns m without inherited keys. A key that is asked of one of the two counts as asked of the other.
func (m *Map) Own() *Map {
	if m == nil {
		return nil
	}
	return &Map{doc: m.doc, node: m.node, at: m.at, asked: m.asked, keys: m.keys, over: m.over}
}

// Only returns m with all keys hidden but those given, inherited ones too. A key that is asked of one of the two counts as asked of the other.
func (m *Map) Only(keys ...string) *Map {
	if m == nil {
		return nil
	}
	view := *m
	view.keys = keys
	view.parents = make([]*Map, len(m.parents))
	for i, p := range m.parents {
		view.parents[i] = p.Only(keys...)
	}
	return &view
}

// Expand makes f rewrite every text of the file, and of those joined to it, that is read from now on, given its place; it may
// report mistakes there. f is called once for a text without mistakes. Keys are left as they are.
func (m *Map) Expand(f func(text string, at source.Pos) string) {
	if m != nil {
		m.doc.expand = f
	}
}

// Pos returns where the map begins: its dash in a list, else its first key or brace.
func (m *Map) Pos() source.Pos {
	if m == nil {
		return source.Pos{}
	}
	return m.doc.pos(m.at)
}

// KeyPos returns where key stands in m or in the maps that it inherits from, else where m begins.
func (m *Map) KeyPos(key string) source.Pos {
	e, doc, ok := m.find(key)
	if !ok {
		return m.Pos()
	}
	if doc.over[e.value] != nil { // the key itself stands where the map does over which the value lies
		below := *m
		below.over = nil
		return below.KeyPos(key)
	}
	return doc.pos(e.keyAt)
}

// Has reports whether m has key, itself or inherited, and asks for it.
func (m *Map) Has(key string) bool {
	_, _, ok := m.find(key)
	return ok
}

// HasOwn reports whether m itself has key, without asking for it.
func (m *Map) HasOwn(key string) bool {
	_, _, ok := m.first(key)
	return ok
}

// OneOf asks for all the keys and returns the one that m has, itself or nearest in what it inherits: they are
// different spellings of one thing. Two of them side by side are a mistake, and the first given here counts.
func (m *Map) OneOf(keys ...string) (key string, ok bool) {
	if m == nil {
		return "", false
	}
	for _, k := range keys {
		m.ask(k)
		switch has := m.HasOwn(k); {
		case has && ok:
			m.Errorf(m.Own().KeyPos(k), "%q and %q are given, expected one of them", key, k)
		case has:
			key, ok = k, true
		}
	}
	for _, p := range m.parents {
		if k, has := p.OneOf(keys...); has && !ok {
			key, ok = k, true
		}
	}
	return key, ok
}

// Value returns the value of key and whether there is one.
func (m *Map) Value(key string) (Value, bool) {
	e, doc, ok := m.find(key)
	if !ok {
		return Value{}, false
	}
	return Value{doc: doc, node: e.value, at: e.valueAt, key: key}, true
}

// Str returns the required, non-empty text of key.
func (m *Map) Str(key string) Str {
	v, ok := m.Value(key)
	if !ok {
		m.Errorf(m.Pos(), "%q is missing", key)
		return Str{Pos: m.Pos()}
	}
	s, ok := v.Str()
	if ok && s.Value == "" {
		v.Errorf("%q must not be empty", key)
	}
	return s
}

// OptStr returns the text of key and whether it is given.
func (m *Map) OptStr(key string) (Str, bool) {
	v, ok := m.Value(key)
	if !ok {
		return Str{Pos: m.Pos()}, false
	}
	return v.Str()
}

// Strs returns the texts of key: a list of them, or one alone. It is empty when the key is not given.
func (m *Map) Strs(key string) []Str {
	v, ok := m.Value(key)
	if !ok {
		return nil
	}
	return v.Strs()
}

// Map returns the map of key, or nil when it is not given or is not a map.
func (m *Map) Map(key string) *Map {
	v, ok := m.Value(key)
	if !ok {
		return nil
	}
	child, _ := v.Map()
	return child
}

// Maps returns the list of maps of key; it is empty when the key is not given.
func (m *Map) Maps(key string) []*Map {
	v, ok := m.Value(key)
	if !ok {
		return nil
	}
	var children []*Map
	for _, item := range v.List() {
		if child, ok := item.Map(); ok {
			children = append(children, child)
		}
	}
	return children
}

// Entries returns all keys of m itself, in file order, and asks for each.
func (m *Map) Entries() []Entry {
	if m == nil {
		return nil
	}
	entries := make([]Entry, len(m.node.entries))
	m.asked.own = true
	for i, e := range m.node.entries {
		value := Value{doc: m.doc, node: e.value, at: e.valueAt, key: e.key}
		entries[i] = Entry{Str{e.key, m.doc.pos(e.keyAt)}, value}
	}
	return entries
}

// Prefixed returns the entries whose keys begin with prefix, in the order of the file; other keys stay unknown unless they are
// asked for.
func (m *Map) Prefixed(prefix string) []Entry {
	var entries []Entry
	for _, e := range m.node.entries {
		if strings.HasPrefix(e.key, prefix) {
			m.Pass(e.key)
			entries = append(entries, Entry{Str{e.key, m.doc.pos(e.keyAt)}, Value{doc: m.doc, node: e.value, at: e.valueAt, key: e.key}})
		}
	}
	return entries
}

// Errorf reports a mistake at pos.
func (m *Map) Errorf(pos source.Pos, format string, args ...any) {
	if m != nil {
		m.doc.errs.Addf(pos, format, args...)
	}
}

// Peek returns the value that m itself has of key, without asking for it.
func (m *Map) Peek(key string) (Value, bool) {
	e, doc, ok := m.first(key)
	if !ok {
		return Value{}, false
	}
	return Value{doc: doc, node: e.value, at: e.valueAt, key: key}, true
}

// Stopf reports a mistake at pos that concerns the file as a whole, such as a bound on all that it holds: what was read after it
// is of no use. See [Map.Stopped].
func (m *Map) Stopf(pos source.Pos, format string, args ...any) {
	if m != nil {
		m.doc.stopf(pos, format, args...)
	}
}

// Stopped reports whether a mistake was reported that concerns the file as a whole. Any other mistake concerns the part of the file
// in which it stands, and those that read that part.
func (m *Map) Stopped() bool { return m != nil && m.doc.stopped }

// HasAliases reports whether parts of the file stand for others, so that the place of a mistake does not say which parts it
// concerns.
func (m *Map) HasAliases() bool { return m != nil && m.doc.aliased }

// Keys returns the keys of m itself with their places, in file order, without asking for them.
func (m *Map) Keys() []Str {
	if m == nil {
		return nil
	}
	keys := make([]Str, len(m.node.entries))
	for i, e := range m.node.entries {
		keys[i] = Str{e.key, m.doc.pos(e.keyAt)}
	}
	return keys
}

func (m *Map) shows(key string) bool {
	return m.keys == nil || slices.Contains(m.keys, key)
}

// own returns the entry of key in m itself, without asking for it.
func (m *Map) own(key string) (entry, bool) {
	if m == nil || !m.shows(key) {
		return entry{}, false
	}
	for i := range m.node.entries {
		if e := &m.node.entries[i]; e.key == key {
			return *e, true
		}
	}
	return entry{}, false
}

// first returns the entry of key in m itself or in what lies over it, and its file, without asking for it.
func (m *Map) first(key string) (found entry, in *document, ok bool) {
	if m == nil {
		return entry{}, nil, false
	}
	if found, ok = m.over.own(key); ok && m.shows(key) {
		return found, m.over.doc, true
	}
	found, ok = m.own(key)
	return found, m.doc, ok
}

// find asks for key in m and in all maps that it inherits from, and returns the first entry and the file in which it stands.
func (m *Map) find(key string) (found entry, in *document, ok bool) {
	if m == nil {
		return entry{}, nil, false
	}
	m.ask(key)
	found, in, ok = m.first(key)
	for _, p := range m.parents {
		if e, doc, has := p.find(key); has && !ok {
			found, in, ok = e, doc, true
		}
	}
	return found, in, ok
}
