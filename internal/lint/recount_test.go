package lint

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/catalog"
)

// dataFiles returns the catalogs in the folder MCP_GATES_DATA, or skips the test.
func dataFiles(t testing.TB) map[string][]byte {
	t.Helper()
	folder := os.Getenv("MCP_GATES_DATA")
	if folder == "" {
		t.Skip("SKIPPED: MCP_GATES_DATA does not name a folder with catalogs, so nothing is checked on real ones")
	}
	files := make(map[string][]byte)
	err := filepath.WalkDir(filepath.Join(folder, "catalogs"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".json" {
			return err
		}
		files[path], err = os.ReadFile(path)
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%d catalogs in %s: %v", len(files), folder, err)
	}
	return files
}

// TestRecount counts again what can be counted simply, straight from the JSON and without any code of this package.
func TestRecount(t *testing.T) {
	tools := 0
	for path, data := range dataFiles(t) {
		got := make(map[string]int)
		cat, errs := catalog.Read(path, data)
		if err := errs.Err(); err != nil {
			t.Fatal(err)
		}
		tools += len(cat.Tools)
		want := make(map[string]int)
		for _, tool := range plainTools(t, data) {
			if isOffered(tool) {
				recount(tool, want)
			}
		}
		for _, f := range Check(cat, Config{}).Findings {
			if _, counted := want[f.Rule]; counted || recounted[f.Rule] {
				got[f.Rule]++
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: counts differ (-recounted +found):\n%s", path, diff)
		}
	}
	t.Logf("%d tools", tools)
}

func plainTools(t *testing.T, data []byte) []map[string]any {
	t.Helper()
	var whole struct{ Tools []map[string]any }
	if err := json.Unmarshal(data, &whole); err != nil {
		t.Fatal(err)
	}
	return whole.Tools
}

// isOffered reports whether models are offered a tool.
func isOffered(tool map[string]any) bool {
	meta, _ := tool["_meta"].(map[string]any)
	ui, _ := meta["ui"].(map[string]any)
	to, isList := ui["visibility"].([]any)
	return !isList || slices.Contains(to, any("model"))
}

// recounted are the rules that recount knows.
var recounted = map[string]bool{
	"DESC-001": true, "DESC-002": true, "DESC-003": true, "DESC-006": true, "DESC-008": true, "DESC-010": true,
	"DESC-011": true, "DESC-012": true, "SCH-003": true,
}

var (
	ignoredByDESC003 = regexp.MustCompile(`[\s_./-]+`)
	sayingReturns    = regexp.MustCompile(`(?i)(^|[^\pL\pN_])(return|output|result)`)
)

func trimmed(v any) string {
	s, _ := v.(string)
	return strings.TrimFunc(s, unicode.IsSpace)
}

// cjk are the characters that count two: ideographs, kana and Hangul.
var cjk = regexp.MustCompile(`[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]`)

func plainWidth(text string) int {
	return utf8.RuneCountInString(text) + len(cjk.FindAllString(text, -1))
}

func recount(tool map[string]any, counts map[string]int) {
	add := func(rule string, yes bool) {
		if yes {
			counts[rule]++
		}
	}
	text, name := trimmed(tool["description"]), tool["name"].(string)
	add("DESC-001", plainWidth(text) < 20)
	add("DESC-002", plainWidth(text) > 500)
	bare := func(s string) string { return strings.ToLower(ignoredByDESC003.ReplaceAllString(s, "")) }
	add("DESC-003", text != "" && bare(text) == bare(name))
	_, output := tool["outputSchema"].(map[string]any)
	add("DESC-010", text != "" && !output && !sayingReturns.MatchString(text))
	annotations, annotated := tool["annotations"].(map[string]any)
	add("DESC-012", !annotated)
	for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
		value, given := annotations[hint]
		_, boolean := value.(bool)
		add("DESC-011", given && !boolean)
	}
	node, _ := tool["inputSchema"].(map[string]any)
	properties, _ := node["properties"].(map[string]any)
	for _, value := range properties {
		property, _ := value.(map[string]any)
		add("DESC-008", plainWidth(trimmed(property["description"])) > plainWidth(text))
	}
	required, _ := node["required"].([]any)
	for _, name := range required {
		property, _ := properties[name.(string)].(map[string]any)
		add("DESC-006", trimmed(property["description"]) == "")
	}
	add("SCH-003", false)
	recountUntyped(node, counts)
}

func recountUntyped(node map[string]any, counts map[string]int) {
	properties, _ := node["properties"].(map[string]any)
	for _, value := range properties {
		property, _ := value.(map[string]any)
		typed := false
		for _, keyword := range strings.Fields("type enum const $ref anyOf oneOf allOf") {
			_, has := property[keyword]
			typed = typed || has
		}
		if !typed {
			counts["SCH-003"]++
		}
		recountUntyped(property, counts)
	}
	if items, ok := node["items"].(map[string]any); ok {
		recountUntyped(items, counts)
	}
}

// BenchmarkCheck lints all real catalogs.
func BenchmarkCheck(b *testing.B) {
	var cats []*catalog.Catalog
	tools := 0
	for path, data := range dataFiles(b) {
		cat, _ := catalog.Read(path, data)
		cats = append(cats, cat)
		tools += len(cat.Tools)
	}
	for b.Loop() {
		var checker Checker
		for _, cat := range cats {
			checker.Check(cat, Config{})
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*tools), "µs/tool")
}
