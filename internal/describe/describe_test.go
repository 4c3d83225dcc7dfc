package describe_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/org/mcp-gates/internal/describe"
)

var update = flag.Bool("update", false, "rewrite the files in schemas/")

// TestFiles holds the files in schemas/ to what the program prints.
func TestFiles(t *testing.T) {
	for _, f := range describe.Formats {
		var got, again bytes.Buffer
		if err := f.Write(&got); err != nil {
			t.Fatal(err)
		}
		if err := f.Write(&again); err != nil || !bytes.Equal(got.Bytes(), again.Bytes()) {
			t.Errorf("%s: a second schema differs from the first: %v", f.Name, err)
		}
		name := filepath.Join("..", "..", "schemas", f.Name+".json")
		if *update {
			if err := os.WriteFile(name, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("schemas/%s.json is not what the program prints; make update writes it", f.Name)
		}
	}
}

// TestDocumented pins that every key of what people write has its documentation.
func TestDocumented(t *testing.T) {
	for _, name := range []string{"suite", "manifest", "bench", "cassette", "catalog", "history"} {
		root := parsed(t, name)
		seen := map[*jsonschema.Schema]bool{}
		var visit func(place string, s *jsonschema.Schema)
		visit = func(place string, s *jsonschema.Schema) {
			if s == nil || seen[s] {
				return
			}
			seen[s] = true
			for key, inner := range s.Properties {
				if inner.Description == "" && inner.Not == nil {
					t.Errorf("%s: %s.%s is not documented", name, place, key)
				}
				visit(place+"."+key, inner)
			}
			for key, inner := range s.Defs {
				visit(key, inner)
			}
			visit(place+"[]", s.Items)
			visit(place+".*", s.AdditionalProperties)
		}
		visit("", root)
	}
}

// TestSuiteDocs holds the tables of keys in docs/suite.md to the schema. The gates have tables of their own.
func TestSuiteDocs(t *testing.T) {
	docs, err := os.ReadFile("../../docs/suite.md")
	if err != nil {
		t.Fatal(err)
	}
	root := parsed(t, "suite")
	log := root.Defs["test"].Properties["cassette"]
	for heading, s := range map[string]*jsonschema.Schema{"## Top level": root, "## Tests": root.Defs["test"], "### Logs of other programs": log} {
		offered := slices.DeleteFunc(keysIn(s), func(key string) bool {
			return strings.HasPrefix(key, "$") || strings.HasPrefix(s.Properties[key].Ref, "#/$defs/gate_")
		})
		if heading == "## Tests" {
			offered = slices.DeleteFunc(offered, func(key string) bool { return key == "type" || key == "discovery" }) // said in other places
		}
		if documented := tableKeys(t, string(docs), heading); !slices.Equal(documented, offered) {
			t.Errorf("%s of docs/suite.md has the keys\n%q, the schema\n%q", heading, documented, offered)
		}
	}
}

// tableKeys returns the keys in the first column of the table under a heading, sorted.
func tableKeys(t *testing.T, docs, heading string) []string {
	t.Helper()
	_, text, ok := strings.Cut(docs, "\n"+heading+"\n")
	if !ok {
		t.Fatalf("docs/suite.md has no heading %q", heading)
	}
	text, _, _ = strings.Cut(text, "\n#")
	var keys []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(text, -1) {
		for _, key := range regexp.MustCompile("`([$\\w]+)`").FindAllStringSubmatch(row[1], -1) {
			keys = append(keys, key[1])
		}
	}
	slices.Sort(keys)
	return slices.DeleteFunc(keys, func(key string) bool { return strings.HasPrefix(key, "$") })
}
