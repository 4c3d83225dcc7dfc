// Package layout_test holds the repository to its structure: which package may import which.
package layout_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/org/mcp-gates/"

// order lists the packages as data flows: each may import only those above it.
var order = []string{
	"internal/thorough",
	"internal/lists",
	"internal/source",
	"internal/yamlread",
	"internal/redact",
	"internal/stat",
	"internal/jsonread",
	"internal/schema",
	"internal/lexical",
	"internal/catalog",
	"internal/table",
	"internal/fault",
	"internal/trace",
	"internal/intents",
	"internal/tempfile",
	"internal/git",
	"internal/imports/logs",
	"internal/imports/logtest",
	"internal/imports/chat",
	"internal/imports/agentlogs",
	"internal/imports/spans",
	"internal/imports",
	"internal/agents",
	"internal/locate",
	"internal/tokens",
	"internal/lint/english",
	"internal/toolsearch",
	"internal/lint",
	"internal/change",
	"internal/bench",
	"internal/finding",
	"internal/cost",
	"internal/judge",
	"internal/gates",
	"internal/model",
	"internal/model/provider",
	"internal/model/builtin",
	"internal/suite",
	"internal/clients",
	"internal/mcpclient",
	"internal/proxy/frame",
	"internal/proxy/recording",
	"internal/proxy",
	"internal/live",
	"internal/mock",
	"internal/report",
	"internal/report/reporttest",
	"internal/report/trend",
	"internal/report/weaken",
	"internal/report/compare",
	"internal/report/tell",
	"internal/report/text",
	"internal/report/markdown",
	"internal/report/html",
	"internal/report/annotation",
	"internal/report/junit",
	"internal/report/sarif",
	"internal/report/codequality",
	"internal/staleness",
	"internal/shard",
	"internal/check/basesuites",
	"internal/check",
	"internal/check/checktest",
	"internal/suggest",
	"internal/describe",
	"internal/validate",
	"internal/baseline",
	"internal/history",
	"internal/annotate",
	"internal/cli",
	"internal/notices",
	"cmd/check",
	"cmd/mcp-gates",
}

// only names the packages that alone may import a module outside the standard library.
var only = map[string][]string{
	"gopkg.in/yaml.v3":                       {"internal/yamlread"},
	"github.com/pkoukk/tiktoken-go":          {"internal/tokens"},
	"github.com/pkoukk/tiktoken-go-loader":   {},
	"github.com/spf13/cobra":                 {"internal/cli"},
	"golang.org/x/term":                      {"internal/cli"},
	"gonum.org/v1/gonum":                     {"internal/stat"},
	"github.com/agnivade/levenshtein":        {"internal/source"},
	"github.com/kljensen/snowball":           {"internal/lexical"},
	"github.com/sergi/go-diff":               {"internal/lexical"},
	"github.com/clipperhouse/uax29":          {"internal/toolsearch"},
	"github.com/modelcontextprotocol/go-sdk": {"internal/mcpclient", "internal/mock"},
	"github.com/hashicorp/go-retryablehttp":  {"internal/model/provider"},
	"github.com/santhosh-tekuri/jsonschema":  {"internal/schema"},
	module + "internal/thorough":             {},
	module + "internal/model/provider":       {"internal/live"},
	"github.com/google/jsonschema-go":        {"internal/describe"},
	module + "internal/git":                  {"internal/baseline"},
}

// pure packages do no I/O, read no clock and start nothing that does.
var pure = []string{"internal/lists", "internal/table", "internal/intents", "internal/fault", "internal/agents", "internal/clients", "internal/judge", "internal/gates", "internal/model", "internal/lint", "internal/change", "internal/locate", "internal/lint/english", "internal/schema", "internal/stat", "internal/lexical", "internal/toolsearch", "internal/bench", "internal/finding", "internal/cost", "internal/describe", "internal/validate", "internal/report", "internal/report/trend", "internal/report/weaken", "internal/report/compare", "internal/report/tell", "internal/report/text", "internal/report/markdown", "internal/report/html", "internal/staleness", "internal/shard", "internal/check/basesuites", "internal/report/annotation", "internal/report/junit", "internal/report/sarif", "internal/report/codequality"}

// impure are the standard packages that pure ones do not import; fs.FS and io are only shapes.
var impure = []string{"os", "os/exec", "net", "net/http", "time", "log", "syscall", "math/rand", "math/rand/v2"}

func TestLayout(t *testing.T) {
	imports := importsByPackage(t)
	for pkg, paths := range imports {
		t.Run(pkg, func(t *testing.T) {
			at := slices.Index(order, pkg)
			if at < 0 {
				t.Fatalf("package %s has no place in the order of imports; give it one in layout_test.go", pkg)
			}
			for _, imported := range paths {
				checkImport(t, pkg, at, imported)
			}
		})
	}
	for _, pkg := range order {
		if _, exists := imports[pkg]; !exists {
			t.Errorf("package %s is in the order of imports and not in the tree", pkg)
		}
	}
}

// TestArchitecture holds the table of rooms in ARCHITECTURE.md to the order of imports.
func TestArchitecture(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	var rooms []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z/-]+)` \\| .").FindAllStringSubmatch(string(text), -1) {
		rooms = append(rooms, row[1])
	}
	if !slices.Equal(rooms, order) {
		t.Errorf("the rooms of ARCHITECTURE.md are %q, want one row for each package of layout_test.go, in its order: %q", rooms, order)
	}
}

func checkImport(t *testing.T, pkg string, at int, imported string) {
	t.Helper()
	for prefix, allowed := range only {
		if (imported == prefix || strings.HasPrefix(imported, prefix+"/")) && !slices.Contains(allowed, pkg) {
			t.Errorf("%s imports %q, which only %v may", pkg, imported, allowed)
		}
	}
	if own, ok := strings.CutPrefix(imported, module); ok {
		if i := slices.Index(order, own); i < 0 || i > at || i == at && own == pkg {
			t.Errorf("%s imports %s, which does not stand above it", pkg, own)
		}
		return
	}
	if slices.Contains(pure, pkg) && slices.Contains(impure, imported) {
		t.Errorf("%s imports %q, but does no I/O and reads no clock", pkg, imported)
	}
}

// importsByPackage returns what the non-test files of each package of the repository import.
func importsByPackage(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	for _, dir := range []string{"cmd", "internal"} {
		err := fs.WalkDir(os.DirFS("."), dir, func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && entry.Name() == "testdata" {
				return fs.SkipDir
			}
			if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
				imports[path.Dir(name)] = append(imports[path.Dir(name)], importsOf(t, name)...)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return imports
}

func importsOf(t *testing.T, name string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{}
	for _, spec := range file.Imports {
		value, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, value)
	}
	return paths
}
