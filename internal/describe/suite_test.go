package describe_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/describe"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/schema"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/yamlread"
	"golang.org/x/tools/txtar"
)

// compiled returns the schema of a format, as other programs read it.
func compiled(t *testing.T, name string) *schema.Compiled {
	t.Helper()
	f, ok := describe.Find(name)
	if !ok {
		t.Fatalf("no schema is called %q", name)
	}
	var text bytes.Buffer
	if err := f.Write(&text); err != nil {
		t.Fatal(err)
	}
	doc, ok := judge.DecodeJSON(text.Bytes())
	if !ok {
		t.Fatalf("the schema %q is not JSON", name)
	}
	s, err := judge.NewMeter(0).Compile(doc)
	if err != nil {
		t.Fatalf("compile the schema %q: %s", name, schema.Problem(err))
	}
	return s
}

// file is a file of the repository, or of one of its archives, and the files around it.
type file struct {
	place string
	fsys  fs.FS
	name  string
}

// files returns the files of the repository's folders whose names end in one of the endings, within archives too.
func files(t *testing.T, dirs []string, endings ...string) []file {
	t.Helper()
	var list []file
	root := filepath.Join("..", "..")
	for _, dir := range dirs {
		err := fs.WalkDir(os.DirFS(root), dir, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			if path.Ext(name) == ".txtar" {
				archive, err := txtar.ParseFile(filepath.Join(root, name))
				if err != nil {
					return err
				}
				list = append(list, filesIn(name, archive, endings)...)
			}
			if slices.Contains(endings, path.Ext(name)) {
				list = append(list, file{name, os.DirFS(root), name})
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

func filesIn(place string, archive *txtar.Archive, endings []string) []file {
	fsys := fstest.MapFS{}
	var list []file
	for _, f := range archive.Files {
		fsys[f.Name] = &fstest.MapFile{Data: f.Data}
		if slices.Contains(endings, path.Ext(f.Name)) {
			list = append(list, file{place + ":" + f.Name, fsys, f.Name})
		}
	}
	return list
}

// yamlValue returns a YAML file as JSON has it; ok is false where it is not a map.
func yamlValue(f file) (value map[string]any, ok bool) {
	data, err := fs.ReadFile(f.fsys, f.name)
	if err != nil {
		return nil, false
	}
	var errs source.Errors
	m := yamlread.Parse(f.name, data, &errs)
	if m == nil || len(errs) > 0 {
		return nil, false
	}
	value = map[string]any{}
	for _, e := range m.Entries() {
		value[e.Key.Value], ok = e.Value.JSON()
		if !ok {
			return nil, false
		}
	}
	return value, true
}

var suiteKeys = []string{"agents", "tests", "tool_quality", "tool_bench"}

// suites returns the suites of the repository that can be read as YAML.
func suites(t *testing.T) []file {
	t.Helper()
	list := files(t, []string{"examples", "internal/suite/testdata", "internal/suggest/testdata", "internal/describe/testdata", "internal/cli/testdata"}, ".yml", ".yaml")
	return slices.DeleteFunc(list, func(f file) bool {
		value, ok := yamlValue(f)
		return !ok || !slices.ContainsFunc(suiteKeys, func(key string) bool { return value[key] != nil })
	})
}

// ofShape are the messages about mistakes that a schema finds.
var ofShape = regexp.MustCompile(`unknown key|must be (text|a map|a list|true or false|a whole number|one of), found`)

// TestSuites pins that the schema finds the mistakes of shape in suites, and no others.
func TestSuites(t *testing.T) {
	s := compiled(t, "suite")
	right, wrong := 0, 0
	for _, f := range suites(t) {
		value, _ := yamlValue(f)
		err := s.Validate(value)
		_, mistakes := suite.NewLoader(f.fsys).Load(f.name)
		mistakes = slices.DeleteFunc(mistakes, func(m *source.Error) bool { return m.Pos.File != f.name && m.Pos.File != "" }) // of included files
		text, _ := json.Marshal(flaws(err))
		switch {
		case len(mistakes) == 0:
			right++
			if err != nil {
				t.Errorf("%s is right, but does not fit the schema: %s", f.place, text)
			}
		case ofShape.MatchString(mistakes.Error()):
			wrong++
			found := lines(t, f, schema.Flaws(err))
			for _, m := range mistakes {
				if ofShape.MatchString(m.Msg) && !slices.Contains(found, m.Pos.Line) {
					t.Errorf("%s: the schema does not find %s", f.place, m)
				}
			}
			for _, line := range found {
				if !slices.ContainsFunc(mistakes, func(m *source.Error) bool { return m.Pos.Line == line }) {
					t.Errorf("%s: the schema finds a flaw in line %d, the program none: %s", f.place, line, text)
				}
			}
		}
	}
	t.Logf("%d right suites, %d with mistakes of shape", right, wrong)
	if right < 50 || wrong < 10 {
		t.Errorf("found %d right suites and %d with mistakes of shape, want more", right, wrong)
	}
}

func flaws(err error) []string {
	var list []string
	for _, flaw := range schema.Flaws(err) {
		list = append(list, strings.Join(flaw.Path, ".")+": "+flaw.Problem)
	}
	return list
}
