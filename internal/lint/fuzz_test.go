package lint

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/schema"
	"github.com/org/mcp-gates/internal/thorough"
)

// figures are what of a result must not depend on the order of the tools.
type figures struct {
	Scores    []int
	Min, Mean int
	Smells    map[string]int
	Counts    Counts
}

func figuresOf(r Result) figures {
	scores := slices.Clone(r.Scores)
	slices.Sort(scores)
	return figures{scores, r.Min, r.Mean, r.Smells, r.Counts}
}

func FuzzCheck(f *testing.F) {
	for _, rule := range Rules {
		f.Add([]byte("[" + strings.Trim(rule.Bad, "[]") + "," + strings.Trim(rule.Good, "[]") + "]"))
	}
	f.Add([]byte(shop))
	f.Add([]byte(`[{"name": "a", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/properties/a"}, "": {"enum": [{}, [], null, 1e5, "\ud83d"]}}, "required": ["", 3]}}]`))
	f.Add([]byte(`[{"name": "a", "inputSchema": {"$id": "x", "$schema": "y", "$ref": "#/%zz/~2", "patternProperties": {"(": 1}, "properties": {"\u0000": {"minimum": 1e9999}}}}]`))
	f.Add([]byte(`[{"name": "a", "description": "- ` + "``\\\"x\\\"`` one of ''" + ` | either ' or \" values: -", "inputSchema": {"properties": {"p": {"description": "values: - 'a - 'b' |c|d| (e.g. '"}}}}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		cat, errs := catalog.Read("c.json", data)
		if len(errs) > 0 {
			return
		}
		got := Check(cat, Config{})
		if diff := gocmp.Diff(got.Findings, Check(cat, Config{}).Findings, gocmp.Comparer(func(a, b *catalog.Tool) bool { return a == b })); diff != "" {
			t.Errorf("%q: two checks differ:\n%s", data, diff)
		}
		checkFindings(t, data, got)
		slices.Reverse(cat.Tools)
		if diff := gocmp.Diff(figuresOf(got), figuresOf(Check(cat, Config{}))); diff != "" {
			t.Errorf("%q: figures differ when the tools are reversed:\n%s", data, diff)
		}
	})
}

// checkFindings checks what is true of any findings.
func checkFindings(t *testing.T, data []byte, r Result) {
	t.Helper()
	sorted := slices.IsSortedFunc(r.Findings, func(a, b Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	if !sorted {
		t.Errorf("%q: findings are not sorted, worst first", data)
	}
	for _, f := range r.Findings {
		if f.Message == "" || strings.ContainsAny(f.Message, "\n\r") || !utf8.ValidString(f.Message+f.Suggestion) || f.Pos.Line == 0 {
			t.Errorf("%q: %s has the message %q and the suggestion %q at %v, want lines of valid text with a place", data, f.Rule, f.Message, f.Suggestion, f.Pos)
		}
	}
	for _, score := range r.Scores {
		if score < r.Min || score > Whole || r.Mean < r.Min {
			t.Errorf("%q: score %d, min %d, mean %d", data, score, r.Min, r.Mean)
		}
	}
}

// FuzzProve checks that what is shown to compile does compile.
func FuzzProve(f *testing.F) {
	for _, seed := range []string{
		`{"type": "object", "properties": {"a": {"type": ["string", "null"], "pattern": "^a$"}}, "required": ["a"]}`,
		`{"$schema": "http://json-schema.org/draft-07/schema#", "items": [{}], "$ref": "#"}`,
		`{"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [true, {"enum": []}]}}, "$ref": "#/$defs/a"}`,
		`{"definitions": {"a/b": {}}, "$ref": "#/definitions/a~1b", "minLength": 0, "maximum": -1.5e2, "uniqueItems": true}`,
		`{"$ref": "#/enum/0", "enum": [{"type": "string"}], "propertyNames": false, "if": {}, "contains": {}}`,
		`{"properties": {"$ref": {"$ref": "#/properties/%24ref"}}, "examples": [], "readOnly": false, "$comment": ""}`,
		`{"type": "string", "contentEncoding": "base64", "contentMediaType": "a", "format": "regex", "title": ""}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !jsontext.Value(data).IsValid() {
			return
		}
		node := schema.DecodeObject(data)
		if node == nil || hugeNumber(node) != "" || !prove(node).isProven() {
			return
		}
		if err := compile(data); err != nil {
			t.Errorf("%s is held for a schema, but does not compile: %v", data, err)
		}
	})
}

// TestHostile lints what is made to take forever; each must take far less than a test's patience.
func TestHostile(t *testing.T) {
	deep := strings.Repeat(`{"properties":{"a":`, 200) + "{}" + strings.Repeat("}}", 200)
	long := strings.Repeat("a ", 100_000)
	many := func(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	numbered := func(n int, item string) string {
		items := make([]string, n)
		for i := range items {
			items[i] = strings.ReplaceAll(item, "№", strconv.Itoa(i))
		}
		return strings.Join(items, ",")
	}
	properties := thorough.Size(5_000, 50_000)
	tests := map[string]string{
		"deep":        `[{"name": "a", "inputSchema": ` + deep + `}]`,
		"long enum":   `[{"name": "a", "inputSchema": {"properties": {"p": {"description": "` + long + `", "enum": [` + numbered(20_000, `"v№"`) + `]}}}}]`,
		"references":  `[{"name": "a", "inputSchema": {"type": "object", "multipleOf": 1, "properties": {` + numbered(90, `"p№": {"$ref": "#/default/№"}`) + `}, "default": [` + numbered(90, `{"multipleOf": 1}`) + `]}}]`,
		"identities":  `[{"name": "a", "inputSchema": {"type": "object", "properties": {` + numbered(1500, `"p№": {"$id": "i№"}`) + `}}}]`,
		"required":    `[{"name": "a", "inputSchema": {"type": "object", "required": [` + numbered(properties, `"v№"`) + `], "properties": {` + numbered(properties, `"p№": {}`) + `}}}]`,
		"quotes":      `[{"name": "a", "inputSchema": {"properties": {` + numbered(200, `"p№": {"type": "string", "description": "`+strings.Repeat("'a', 'b' or e.g. ", 300)+`"}`) + `}}}]`,
		"bars":        `[{"name": "a", "inputSchema": {"properties": {` + numbered(200, `"p№": {"type": "string", "description": "`+strings.Repeat("a | b - ", 600)+`"}`) + `}}}]`,
		"tools":       `[` + many(thorough.Size(2_000, 20_000), `{"name": "a", "description": "Searches the web."}`) + `]`,
		"description": `[{"name": "` + long + `", "description": "` + long + `"}]`,
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			cat := readCatalog(t, "c.json", text)
			start := time.Now()
			Check(cat, Config{})
			if took := time.Since(start); took > time.Minute {
				t.Errorf("%d bytes took %v, want a second or so", len(text), took)
			}
		})
	}
}
