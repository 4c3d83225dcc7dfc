package describe_test

import (
	"bytes"
	"cmp"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/org/mcp-gates/internal/bench"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/describe"
	"github.com/org/mcp-gates/internal/mock"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/org/mcp-gates/internal/yamlread"
	"gopkg.in/yaml.v3"
)

// unknownKey is a key that is like no other.
const unknownKey = "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq"

// asks reads a file and returns its mistakes.
type asks func(f file, data []byte) source.Errors

// TestKeys pins that the schema offers the keys that the readers ask for, and no others. An unknown key is put into every map of
// the files whose schema has fixed keys; the mistakes about it list the keys that were asked for.
func TestKeys(t *testing.T) {
	thorough.Unraced(t, "it takes seconds, on one goroutine")
	yamls := files(t, []string{"examples", "internal/mock/testdata", "internal/describe/testdata", "internal/cli/testdata"}, ".yml", ".yaml")
	for _, test := range []struct {
		format string
		files  []file
		read   asks
	}{
		{"suite", suites(t), readSuite},
		{"manifest", having(yamls, "mock_server"), readManifest},
		{"bench", having(yamls, "intents"), readBench},
	} {
		t.Run(test.format, func(t *testing.T) {
			k := &keysAsked{root: parsed(t, test.format), offered: map[string]string{}, asked: map[string]map[string]bool{}}
			k.offers("", k.root, map[*jsonschema.Schema]bool{})
			for _, f := range test.files {
				k.try(t, f, test.read)
			}
			for _, offered := range slices.Sorted(maps.Keys(k.offered)) {
				if k.asked[offered] == nil {
					t.Errorf("no file has a map with the keys %s, as at %s: add one to internal/describe/testdata", offered, k.offered[offered])
					continue
				}
				if asked := slices.Sorted(maps.Keys(k.asked[offered])); !slices.Equal(strings.Split(offered, " "), asked) {
					t.Errorf("a map has the fixed keys\n%s in the schema; the reader asks for\n%s", offered, strings.Join(asked, " "))
				}
			}
		})
	}
}

func readSuite(f file, data []byte) source.Errors {
	_, mistakes := suite.NewLoader(replaced{f.fsys, f.name, data}).Load(f.name)
	return mistakes
}

func readManifest(f file, data []byte) source.Errors {
	_, mistakes := mock.ReadManifest(f.name, data)
	return mistakes
}

func readBench(f file, data []byte) source.Errors {
	read := func(name string) ([]byte, error) { return fs.ReadFile(f.fsys, path.Join(path.Dir(f.name), name)) }
	_, mistakes := bench.Read(f.name, data, bench.Load{
		Catalog: func(name yamlread.Str) (*catalog.Catalog, source.Errors) {
			text, err := read(name.Value)
			if err != nil {
				return nil, source.Errors{{Msg: err.Error()}}
			}
			return catalog.Read(name.Value, text)
		},
		File: func(v yamlread.Value) (string, []byte, bool) {
			text, err := read(v.Text())
			if err != nil {
				v.Errorf("%s", err)
			}
			return v.Text(), text, err == nil
		},
	})
	return mistakes
}

// replaced is a file system in which a file has another content.
type replaced struct {
	fs.FS
	name string
	data []byte
}

func (r replaced) Open(name string) (fs.File, error) {
	if name == r.name {
		return fstest.MapFS{name: {Data: r.data}}.Open(name)
	}
	return r.FS.Open(name)
}

func having(list []file, key string) []file {
	return slices.DeleteFunc(slices.Clone(list), func(f file) bool {
		value, ok := yamlValue(f)
		return !ok || value[key] == nil
	})
}

// parsed returns a schema as it is written.
func parsed(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	f, _ := describe.Find(name)
	var text bytes.Buffer
	if err := f.Write(&text); err != nil {
		t.Fatal(err)
	}
	s := &jsonschema.Schema{}
	if err := s.UnmarshalJSON(text.Bytes()); err != nil {
		t.Fatal(err)
	}
	return s
}

// keysAsked compares the maps with fixed keys of one schema with what its reader asks for. Maps with the same keys are one.
type keysAsked struct {
	root    *jsonschema.Schema
	offered map[string]string          // the place of the first, by sorted keys, separated by spaces
	asked   map[string]map[string]bool // by those
}

// resolved follows a reference to a definition.
func (k *keysAsked) resolved(s *jsonschema.Schema) *jsonschema.Schema {
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		return k.root.Defs[name]
	}
	return s
}

// fixed returns the keys of a map with fixed keys, sorted; "" for another one. Expectations are left out: their targets are free.
func fixed(s *jsonschema.Schema) string {
	if s.AdditionalProperties == nil || s.AdditionalProperties.Not == nil || len(s.Properties) == 0 {
		return ""
	}
	if s.Properties["matcher"] != nil || s.Properties["exact"] != nil {
		return ""
	}
	keys := slices.Sorted(maps.Keys(s.Properties))
	return strings.Join(slices.DeleteFunc(keys, func(key string) bool { return key == "$schema" }), " ")
}

// offers notes the maps with fixed keys that a schema has, and the place of the first.
func (k *keysAsked) offers(place string, s *jsonschema.Schema, seen map[*jsonschema.Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	s = k.resolved(s)
	if keys := fixed(s); keys != "" && k.offered[keys] == "" {
		k.offered[keys] = cmp.Or(place, "the top")
	}
	for _, inner := range []*jsonschema.Schema{s.Items, s.AdditionalProperties, s.Then, s.Else} {
		k.offers(place, inner, seen)
	}
	for _, named := range []map[string]*jsonschema.Schema{s.Properties, s.PatternProperties} {
		for _, key := range slices.Sorted(maps.Keys(named)) {
			k.offers(strings.TrimPrefix(place+"."+key, "."), named[key], seen)
		}
	}
}

// try puts the unknown key into the maps of a file, and notes what its reader says.
func (k *keysAsked) try(t *testing.T, f file, read asks) {
	t.Helper()
	data, err := fs.ReadFile(f.fsys, f.name)
	if err != nil || bytes.Contains(data, []byte("*")) && bytes.Contains(data, []byte("&")) {
		return // a map that is used in several places has the keys of all of them
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	var maps []string
	k.put(doc.Content[0], k.root, &maps)
	changed, err := yaml.Marshal(&doc)
	if err != nil {
		t.Fatal(err)
	}
	var again yaml.Node
	if err := yaml.Unmarshal(changed, &again); err != nil {
		t.Fatal(err)
	}
	at := placesOfUnknown(&again)
	said := keysByPlace(read(f, changed))
	for i, offered := range maps {
		for _, key := range said[at[i]] {
			if strings.HasPrefix(key, "metadata.") { // a free key
				continue
			}
			if k.asked[offered] == nil {
				k.asked[offered] = map[string]bool{}
			}
			k.asked[offered][key] = true
		}
	}
}

// put adds the unknown key to a value and to what it holds, first the value's own, and notes the keys of each map that gets it.
func (k *keysAsked) put(n *yaml.Node, s *jsonschema.Schema, maps *[]string) {
	switch s = k.resolved(s); n.Kind {
	case yaml.SequenceNode:
		for _, item := range n.Content {
			if s.Items != nil {
				k.put(item, s.Items, maps)
			}
		}
	case yaml.MappingNode:
		for s.If != nil && s.Properties == nil {
			s = chosen(n, s)
		}
		content := n.Content
		if keys := fixed(s); keys != "" {
			*maps = append(*maps, keys)
			n.Content = append([]*yaml.Node{{Kind: yaml.ScalarNode, Value: unknownKey}, {Kind: yaml.ScalarNode, Value: "1"}}, content...)
		}
		for i := 0; i+1 < len(content); i += 2 {
			if inner := valueSchema(s, content[i].Value); inner != nil {
				k.put(content[i+1], inner, maps)
			}
		}
	}
}

// chosen returns the branch of a schema that holds for a map.
func chosen(n *yaml.Node, s *jsonschema.Schema) *jsonschema.Schema {
	var value any
	if err := n.Decode(&value); err != nil {
		return s.Else
	}
	condition, err := s.If.Resolve(nil)
	if err == nil && condition.Validate(value) == nil {
		return s.Then
	}
	return s.Else
}

func valueSchema(s *jsonschema.Schema, key string) *jsonschema.Schema {
	if s.Properties[key] != nil {
		return s.Properties[key]
	}
	for pattern, inner := range s.PatternProperties {
		if regexp.MustCompile(pattern).MatchString(key) {
			return inner
		}
	}
	return s.AdditionalProperties
}

// placesOfUnknown returns the places of the unknown keys in a file, in the order in which put adds them.
func placesOfUnknown(n *yaml.Node) [][2]int {
	var list [][2]int
	for _, inner := range n.Content {
		if inner.Value == unknownKey {
			list = append(list, [2]int{inner.Line, inner.Column})
		}
		list = append(list, placesOfUnknown(inner)...)
	}
	return list
}

var keysExpected = regexp.MustCompile(`^unknown key "` + unknownKey + `", expected one of (.*)$`)

// keysByPlace returns the keys that mistakes list, by line and column.
func keysByPlace(mistakes source.Errors) map[[2]int][]string {
	byPlace := map[[2]int][]string{}
	for _, m := range mistakes {
		if found := keysExpected.FindStringSubmatch(m.Msg); found != nil {
			at := [2]int{m.Pos.Line, m.Pos.Col}
			byPlace[at] = append(byPlace[at], strings.Split(found[1], ", ")...)
		}
	}
	return byPlace
}
