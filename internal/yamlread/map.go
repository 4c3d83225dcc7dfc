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
	keys    []string // the only visible keys; nil shows all
	over    *Map     // the map whose entries precede the map's own, see With; nil if there is none

	misplaced map[string]string // advice on keys that belong elsewhere
}

// Str is a text value with its position.
type Str struct {
	Value string
	Pos   source.Pos
}

// Entry is a key of a map with free keys, and its value.
type Entry struct {
	Key   Str
	Value Value
}

// maxInherited bounds the number of values that the maps of a file may inherit together: a few lines of defaults for many tests
// can be far more work than the file's size suggests.
const maxInherited = 5_000_000

// Inherit makes m inherit keys that it lacks from parents, in order of precedence. A key that is read through m also counts as
// asked for in its parents.
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

// Size returns the number of values that can be read through m, including aliases and inheritance.
func (m *Map) Size() int {
	size := m.node.size
	for _, p := range m.parents {
		size += p.Size()
	}
	return size
}

// Own returns m without inherited keys. A key that is asked of m or of the result counts as asked of both.
func (m *Map) Own() *Map {
	if m == nil {
		return nil
	}
	return &Map{doc: m.doc, node: m.node, at: m.at, asked: m.asked, keys: m.keys, over: m.over}
}

// Only returns m with only the given keys visible, including inherited ones. A key that is asked of m or of the result counts
// as asked of both.
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

// Expand makes f rewrite every text of the file, and of joined files, that is read from now on. f gets the text's position and
// may report mistakes there. It is called once for a text that it changes without a mistake, and by each reader of any other text.
// Keys are not rewritten.
func (m *Map) Expand(f func(text string, at source.Pos) string) {
	if m != nil {
		m.doc.expand = f
	}
}

// Pos returns the position of the map: its dash in a list, otherwise its first key or brace.
func (m *Map) Pos() source.Pos {
	if m == nil {
		return source.Pos{}
	}
	return m.doc.pos(m.at)
}

// KeyPos returns the position of key in m or in the maps that it inherits from, otherwise that of m.
func (m *Map) KeyPos(key string) source.Pos {
	e, doc, ok := m.findEntry(key)
	if !ok {
		return m.Pos()
	}
	if doc.over[e.value] != nil { // the key is in the map that the value is over
		below := *m
		below.over = nil
		return below.KeyPos(key)
	}
	return doc.pos(e.keyAt)
}

// Has reports whether m has key, itself or inherited, and marks it as asked for.
func (m *Map) Has(key string) bool {
	_, _, ok := m.findEntry(key)
	return ok
}

// HasOwn reports whether m itself has key, without marking it as asked for.
func (m *Map) HasOwn(key string) bool {
	_, _, ok := m.firstEntry(key)
	return ok
}

// OneOf marks all keys, which are different spellings of one key, as asked for. It returns the one that m has, itself or
// through the nearest map that it inherits from. Two of them in one map are a mistake, and the first in the argument list
// counts.
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
	e, doc, ok := m.findEntry(key)
	if !ok {
		return Value{}, false
	}
	return Value{doc: doc, node: e.value, at: e.valueAt, key: key}, true
}

// Str returns the text of key, which is required and must not be empty.
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

// OptStr returns the text of key, and whether m has it.
func (m *Map) OptStr(key string) (Str, bool) {
	v, ok := m.Value(key)
	if !ok {
		return Str{Pos: m.Pos()}, false
	}
	return v.Str()
}

// Strs returns the texts of key: a list of texts, or a single text. It is empty if m lacks the key.
func (m *Map) Strs(key string) []Str {
	v, ok := m.Value(key)
	if !ok {
		return nil
	}
	return v.Strs()
}

// Map returns the map of key; nil if m lacks the key or its value is not a map.
func (m *Map) Map(key string) *Map {
	v, ok := m.Value(key)
	if !ok {
		return nil
	}
	child, _ := v.Map()
	return child
}

// Maps returns the list of maps of key; it is empty if m lacks the key.
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

// Entries returns all entries of m itself, in file order, and marks their keys as asked for.
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

// Prefixed returns the entries whose keys begin with prefix, in file order, and makes Done ignore these keys.
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

// Peek returns the value of key in m itself, without marking the key as asked for.
func (m *Map) Peek(key string) (Value, bool) {
	e, doc, ok := m.firstEntry(key)
	if !ok {
		return Value{}, false
	}
	return Value{doc: doc, node: e.value, at: e.valueAt, key: key}, true
}

// Stopf reports a mistake at pos that concerns the whole file, such as an exceeded bound. Everything that is read afterwards is
// useless. See [Map.Stopped].
func (m *Map) Stopf(pos source.Pos, format string, args ...any) {
	if m != nil {
		m.doc.stopf(pos, format, args...)
	}
}

// Stopped reports whether a mistake of the whole file was reported. Any other mistake concerns the part of the file that has
// it, and the readers of that part.
func (m *Map) Stopped() bool { return m != nil && m.doc.stopped }

// HasAliases reports whether the file has aliases. The position of a mistake is then ambiguous.
func (m *Map) HasAliases() bool { return m != nil && m.doc.aliased }

// Keys returns the keys of m itself with their positions, in file order, without marking them as asked for.
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

// isVisible reports whether m shows the key. If m.keys is set, m shows only these.
func (m *Map) isVisible(key string) bool {
	return m.keys == nil || slices.Contains(m.keys, key)
}

// ownEntry returns the entry of key in m itself, without marking the key as asked for.
func (m *Map) ownEntry(key string) (entry, bool) {
	if m == nil || !m.isVisible(key) {
		return entry{}, false
	}
	for i := range m.node.entries {
		if e := &m.node.entries[i]; e.key == key {
			return *e, true
		}
	}
	return entry{}, false
}

// firstEntry returns the entry of key in m itself or in the map over it, with its file, without marking the key as asked for.
func (m *Map) firstEntry(key string) (found entry, in *document, ok bool) {
	if m == nil {
		return entry{}, nil, false
	}
	if found, ok = m.over.ownEntry(key); ok && m.isVisible(key) {
		return found, m.over.doc, true
	}
	found, ok = m.ownEntry(key)
	return found, m.doc, ok
}

// findEntry marks key as asked for in m and in all maps that it inherits from. It returns the first entry of key, with its file.
func (m *Map) findEntry(key string) (found entry, in *document, ok bool) {
	if m == nil {
		return entry{}, nil, false
	}
	m.ask(key)
	found, in, ok = m.firstEntry(key)
	for _, p := range m.parents {
		if e, doc, has := p.findEntry(key); has && !ok {
			found, in, ok = e, doc, true
		}
	}
	return found, in, ok
}
