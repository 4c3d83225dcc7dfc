package describe_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// jsonFolders have the JSON files of the repository.
var jsonFolders = []string{"examples", "internal/trace/testdata", "internal/catalog/testdata", "internal/gates/testdata", "internal/suite/testdata", "internal/cli/testdata"}

// TestCassettes pins that each value of a cassette that is right fits the schema, and that one of another shape does not.
func TestCassettes(t *testing.T) {
	read := func(f file, _ []byte) source.Errors {
		_, mistakes := trace.Read(f.fsys, []string{f.name}, 0)
		return mistakes
	}
	shape := regexp.MustCompile(`" must be (a list|text|true or false|an object), found|a call has no "name"|must have "(runs|tool_calls)"`)
	checkJSON(t, "cassette", files(t, jsonFolders, ".json", ".jsonl"), read, shape)
}

// TestCatalogs pins the same for catalogs.
func TestCatalogs(t *testing.T) {
	read := func(f file, data []byte) source.Errors {
		_, mistakes := catalog.Read(f.name, data)
		return mistakes
	}
	shape := regexp.MustCompile(`must be (a list|text|an object), found|has no (tools|"name")`)
	checkJSON(t, "catalog", files(t, jsonFolders, ".json"), read, shape)
}

func checkJSON(t *testing.T, format string, list []file, read asks, shape *regexp.Regexp) {
	t.Helper()
	s := compiled(t, format)
	right, wrong := 0, 0
	for _, f := range list {
		data, err := fs.ReadFile(f.fsys, f.name)
		if err != nil {
			t.Fatal(err)
		}
		values, ok := jsonValues(data)
		if !ok {
			continue
		}
		var problems []string
		for _, value := range values {
			problems = append(problems, flaws(s.Validate(value))...)
		}
		switch mistakes := read(f, data); {
		case len(mistakes) == 0:
			right++
			if len(problems) > 0 {
				t.Errorf("%s is right, but does not fit the schema: %q", f.place, problems)
			}
		case shape.MatchString(mistakes.Error()):
			wrong++
			if len(problems) == 0 {
				t.Errorf("%s fits the schema, but has mistakes of shape:\n%s", f.place, mistakes)
			}
		}
	}
	t.Logf("%d right files, %d with mistakes of shape", right, wrong)
	if right < 20 || wrong < 3 {
		t.Errorf("found %d right files and %d with mistakes of shape, want more", right, wrong)
	}
}

// jsonValues returns the values of a JSON file, one after another.
func jsonValues(data []byte) (values []any, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte(source.ByteOrderMark))))
	dec.UseNumber()
	for {
		var value any
		err := dec.Decode(&value)
		if errors.Is(err, io.EOF) {
			return values, len(values) > 0
		}
		if err != nil {
			return nil, false
		}
		values = append(values, value)
	}
}

// TestCassetteKeys holds the keys of a cassette in the schema to those in docs/cassettes.md.
func TestCassetteKeys(t *testing.T) {
	root := parsed(t, "cassette")
	docs, err := os.ReadFile("../../docs/cassettes.md")
	if err != nil {
		t.Fatal(err)
	}
	for heading, def := range map[string]string{"Keys above the runs": "cassette", "Keys of a run": "run"} {
		_, text, _ := strings.Cut(string(docs), "## "+heading+"\n")
		text, _, _ = strings.Cut(text, "\n## ")
		var documented []string
		for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(text, -1) {
			for _, key := range regexp.MustCompile("`(\\w+)").FindAllStringSubmatch(row[1], -1) {
				documented = append(documented, key[1])
			}
		}
		slices.Sort(documented)
		offered := slices.DeleteFunc(keysIn(root.Defs[def]), func(key string) bool { return key == "runs" })
		if !slices.Equal(documented, offered) {
			t.Errorf("%s has the keys\n%q, the schema\n%q", heading, documented, offered)
		}
	}
}

func keysIn(s *jsonschema.Schema) []string { return slices.Sorted(maps.Keys(s.Properties)) }
