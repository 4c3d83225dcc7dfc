package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Setting is a single setting of a suite that affects how a case is judged. Two versions of a suite are compared by their settings.
type Setting struct {
	Key   string // for example runs, distractors.count, equal_function_sets.classes["fetch"].members
	Value string // a text (see TextSetting), another scalar as written, a list as compact JSON, or an expectation (see Matcher.String)
	File  string // the file with the setting: the suite, or an included file
	Line  int    // line in File; for a default, the line of the gate
}

// With returns the setting with another value, shortened if it is long.
func (s Setting) With(value string) Setting {
	s.Value = shortened(value)
	return s
}

// These are fixed parts of settings.
const (
	GatePresent = "present" // value of the setting whose key is the name of a gate
	ExpectKey   = "expect"  // part of a setting's key between the name of a gate and a target
)

// labels are keys of blocks that are not settings. name, tags and complexity do not change a verdict, the tools of a catalog are
// evidence, and each search is a separate case. Package suite adds the path of a catalog. Expectations are added separately.
var labels = []string{"name", "tags", "complexity", "catalog", "catalog_path", "search", ExpectKey}

// ordered are the lists of named maps whose order can change the verdict, so that the order of their names is also a setting.
var ordered = []string{"classes"}

// TextSetting returns the value of a setting that is a text. A text that looks like a JSON list or a JSON text is quoted, so
// that it is not mistaken for one.
func TextSetting(text string) string {
	if (strings.HasPrefix(text, "[") || strings.HasPrefix(text, `"`)) && json.Valid([]byte(text)) {
		return CompactJSON(text)
	}
	return text
}

// Settings returns everything in a gate's block that can change its verdict, including inherited keys: the documented keys as they
// are written, in the order of the gate's keys, and then the expectations, with defaults applied.
func Settings(check Check, block *yamlread.Map) []Setting {
	var s settings
	s.add(check.Gate.Name, GatePresent, check.Pos)
	own := map[string]bool{}
	for _, key := range check.Gate.Keys {
		own[key.Name] = true
		if v, ok := block.Value(key.Name); ok && !slices.Contains(labels, key.Name) {
			s.addKey(check.Gate.Name, key, v)
			s.addOrder(check.Gate.Name, key.Name, v)
		}
	}
	if !block.Has("classes") {
		s.addClasses(check.Gate.Name, check.Plan.Classes)
	}
	for _, e := range check.Plan.Expect {
		isKey := own[e.Target] || e.OfKey // a key of the block, such as min_selection_rate, which was already added
		if !isKey {
			s.addExpectation(check.Gate.Name+"."+ExpectKey, e, check.Pos)
		}
	}
	return s
}

// Settings returns the expectations on each run, as settings whose keys begin with expect.
func (e RunExpect) Settings() []Setting {
	var s settings
	for _, check := range e.checks {
		s.addExpectation(ExpectKey, check.Expectation, source.Pos{})
	}
	return s
}

type settings []Setting

func (s *settings) add(key, value string, at source.Pos) {
	*s = append(*s, Setting{key, shortened(value), at.File, at.Line})
}

// addExpectation adds an expectation. at is the place for a default of the gate, which has no place of its own.
func (s *settings) addExpectation(prefix string, e Expectation, at source.Pos) {
	key := prefix + "." + e.Target
	if e.Pos.Line > 0 {
		at = e.Pos
	}
	s.add(key, e.Matcher.String(), at)
	if e.SkipAbsent {
		s.add(key+".when_absent", "skip", at)
	}
}

// addKey adds the value of a documented key. For a share, a percentage or a duration, it adds the number that the gate uses, so
// that it does not matter how the value is written.
func (s *settings) addKey(prefix string, key Key, v yamlread.Value) {
	prefix += "." + key.Name
	if number, ok := key.number(v); ok {
		s.add(prefix, DecimalText(number), v.Pos())
		return
	}
	if key.Type != TypeMap || v.Kind() != yamlread.MapKind {
		s.flatten(prefix, v)
		return
	}
	m, _ := v.Map()
	for _, inner := range key.Keys {
		if v, ok := m.Value(inner.Name); ok {
			s.addKey(prefix, inner, v)
		}
	}
}

// flatten adds a value. Members of a map, and of a list of named maps, are added under their own keys.
func (s *settings) flatten(key string, v yamlread.Value) {
	switch v.Kind() {
	case yamlread.MapKind:
		m, _ := v.Map()
		for _, e := range m.Entries() {
			s.flatten(key+member(e.Key.Value), e.Value)
		}
	case yamlread.ListKind:
		s.addList(key, v)
	case yamlread.TextKind:
		s.add(key, TextSetting(scalarText(v)), v.Pos())
	default:
		s.add(key, scalarText(v), v.Pos())
	}
}

func (s *settings) addList(key string, v yamlread.Value) {
	items := make([]any, 0)
	for _, item := range v.List() {
		if m, name, ok := namedMap(item); ok {
			s.flattenNamed(key+"["+CompactJSON(name)+"]", m)
			continue
		}
		items = append(items, encodable(item))
	}
	if len(items) > 0 || len(v.List()) == 0 {
		s.add(key, CompactJSON(items), v.Pos())
	}
}

// addOrder adds the order of a list as a setting, if the order can change the verdict.
func (s *settings) addOrder(gate, key string, v yamlread.Value) {
	if !slices.Contains(ordered, key) {
		return
	}
	names := []string{}
	for _, item := range v.List() {
		if _, name, ok := namedMap(item); ok {
			names = append(names, name)
		}
	}
	s.add(gate+"."+key, CompactJSON(names), v.Pos())
}

// addClasses adds the classes that a gate gets from its test, under the keys that classes in the gate's own block would have.
func (s *settings) addClasses(gate string, classes []Class) {
	if len(classes) == 0 {
		return
	}
	names := make([]string, len(classes))
	for i, class := range classes {
		names[i] = class.Name
		s.add(gate+".classes["+CompactJSON(class.Name)+"].members", CompactJSON(class.Members), class.Pos)
	}
	s.add(gate+".classes", CompactJSON(names), classes[0].Pos)
}

func (s *settings) flattenNamed(key string, m *yamlread.Map) {
	for _, e := range m.Entries() {
		if e.Key.Value != "name" {
			s.flatten(key+member(e.Key.Value), e.Value)
		}
	}
}

func namedMap(item yamlread.Value) (m *yamlread.Map, name string, ok bool) {
	if item.Kind() != yamlread.MapKind {
		return nil, "", false
	}
	m, _ = item.Map()
	v, ok := m.Value("name")
	if !ok || v.Kind() != yamlread.TextKind {
		return nil, "", false
	}
	return m, scalarText(v), true
}

var plainKey = regexp.MustCompile(`^\w+$`)

// member returns the step into a map in the spelling of settings: .key, or ["odd key"].
func member(key string) string {
	if plainKey.MatchString(key) {
		return "." + key
	}
	return "[" + CompactJSON(key) + "]"
}

// scalarText returns a text with its variables replaced, a number in its shortest form, and anything else as it is written. It
// reports no mistakes, because the gate has read the same value.
func scalarText(v yamlread.Value) string {
	if v.Kind() == yamlread.TextKind {
		text, _ := v.Str()
		return text.Value
	}
	if r, ok := v.Rat(); ok {
		return DecimalText(r)
	}
	return v.Text()
}

// encodable returns an item of a list in a form that can be encoded as JSON. Numbers become texts, because they are only compared.
func encodable(v yamlread.Value) any {
	switch v.Kind() {
	case yamlread.MapKind:
		m, _ := v.Map()
		object := map[string]any{}
		for _, e := range m.Entries() {
			object[e.Key.Value] = encodable(e.Value)
		}
		return object
	case yamlread.ListKind:
		return lists.Map(v.List(), encodable)
	}
	return scalarText(v)
}

// maxSetting bounds the length of a value, in bytes, because reports repeat it.
const maxSetting = 4096

// shortened returns a short value unchanged, and the beginning of a long value with its hash, so that different values stay
// different.
func shortened(value string) string {
	if len(value) <= maxSetting {
		return value
	}
	sum := sha256.Sum256([]byte(value))
	return Clip(value) + " (" + strconv.Itoa(len(value)) + " bytes, SHA-256 " + hex.EncodeToString(sum[:]) + ")"
}
