package text

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/report"
)

func readTools(t *testing.T, text string) *catalog.Catalog {
	t.Helper()
	cat, errs := catalog.Read("c.json", []byte(text))
	if len(errs) > 0 {
		t.Fatalf("%s: %v", text, errs.Err())
	}
	return cat
}

func lintOf(level report.FailLevel, cats ...*catalog.Catalog) *report.Lint {
	var found []report.Catalog
	for _, cat := range cats {
		c := report.NewCatalog(cat.File, cat.File, cat, lint.Check(cat, lint.Config{}))
		c.Tokenize(func(t *catalog.Tool) int { return 10 * len(t.Name) })
		found = append(found, c)
	}
	return report.NewLint(report.Tool{Name: "mcp-gates", Version: "1"}, level, found)
}

func lintTextOf(t *testing.T, l *report.Lint, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Lint(&b, l, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestNewCatalog(t *testing.T) {
	cat := readTools(t, `[
  {"name": "a", "server": "s", "inputSchema": {"type": "object", "properties": {"x": {}}, "required": ["x"]}}
]`)
	got := report.NewCatalog("name", "path.json", cat, lint.Check(cat, lint.Config{Disable: map[string]bool{"DESC-006": true}}))
	if got.MinScore != "0.0000" || got.MeanScore != "0.0000" || got.Tools[0].Score != "0.0000" || got.Tools[0].Line != 2 {
		t.Errorf("scores %q, %q and tools %v, want 0.0000 and line 2", got.MinScore, got.MeanScore, got.Tools)
	}
	want := report.FindingCounts{Critical: 1, Warning: 2, SchemaCritical: 1, SchemaWarning: 1}
	if got.Counts != want {
		t.Errorf("counts: got %+v, want %+v", got.Counts, want)
	}
	untyped := slices.IndexFunc(got.Findings, func(f report.Finding) bool { return f.Rule == "SCH-003" })
	f := got.Findings[untyped]
	if f.Argument != "x" || f.Path != "path.json" || f.Line != 2 || f.Server != "s" || f.Tool != "a" || f.Severity != "critical" {
		t.Errorf("finding %+v, want one about s.a, argument x, at path.json:2", f)
	}
	empty := report.NewCatalog("name", "path.json", &catalog.Catalog{}, lint.Check(nil, lint.Config{}))
	if empty.MinScore != "" || empty.Tools == nil || empty.Findings == nil {
		t.Errorf("empty catalog %+v, want no scores, and lists that are not null", empty)
	}
}

func TestFailLevels(t *testing.T) {
	none := readTools(t, `[]`)
	warned := readTools(t, `[{"name": "list_towns", "description": "Lists the towns of a country.", "inputSchema": {"type": "object"}}]`)
	critical := readTools(t, `[{"name": "a"}]`)
	tests := []struct {
		level report.FailLevel
		cats  []*catalog.Catalog
		want  judge.Verdict
	}{
		{report.FailCritical, []*catalog.Catalog{none}, judge.Pass},
		{report.FailWarning, []*catalog.Catalog{none}, judge.Pass},
		{report.FailCritical, []*catalog.Catalog{warned}, judge.Pass},
		{report.FailWarning, []*catalog.Catalog{none, warned}, judge.Fail},
		{report.FailCritical, []*catalog.Catalog{warned, critical}, judge.Fail},
		{report.FailNever, []*catalog.Catalog{critical}, judge.Pass},
	}
	for _, test := range tests {
		if got := lintOf(test.level, test.cats...).Verdict; got != test.want {
			t.Errorf("%s, %d catalogs: verdict %s, want %s", test.level, len(test.cats), got, test.want)
		}
	}
}

// TestLintOrder pins that the worst tool comes first, whatever the order of the file: by critical findings, then by score.
func TestLintOrder(t *testing.T) {
	tools := []string{
		`{"name": "good", "description": "List the towns that have a weather station. Returns names, sorted, each with its country code.", "annotations": {"readOnlyHint": true}, "inputSchema": {"type": "object", "additionalProperties": false}}`,
		`{"name": "bare", "inputSchema": {"type": "object", "additionalProperties": false}}`,
		`{"name": "short", "description": "Lists towns", "inputSchema": {"type": "object", "additionalProperties": false}}`,
		`{"name": "warned", "description": "Lists the towns of a country.", "inputSchema": {"type": "object", "additionalProperties": false}}`,
		`{"name": "broken", "description": "Lists towns", "inputSchema": {"type": "array"}}`,
	}
	for range 2 {
		var got []string
		for _, g := range lintedTools(&lintOf(report.FailNever, readTools(t, "["+strings.Join(tools, ",")+"]")).Catalogs[0]) {
			got = append(got, g.Name)
		}
		if want := []string{"broken", "bare", "short", "warned", "good"}; !slices.Equal(got, want) {
			t.Errorf("order %q, want %q", got, want)
		}
		slices.Reverse(tools)
	}
}

func TestScoreBarsAndShares(t *testing.T) {
	for score, want := range map[report.Optional]int{"0.0000": 0, "0.0999": 0, "0.1000": 1, "0.8999": 8, "0.9000": 9, "1.0000": 9} {
		if got := scoreBar(score); got != want {
			t.Errorf("score %s: bar %d, want %d", score, got, want)
		}
	}
	for _, test := range []struct {
		part, whole int64
		want        string
	}{{0, 0, "-"}, {0, 5, "0.0%"}, {1, 3, "33.3%"}, {2, 3, "66.6%"}, {999_999, 1_000_000, "99.9%"}, {5, 5, "100.0%"}} {
		if got := share(test.part, test.whole); got != test.want {
			t.Errorf("%d of %d: %q, want %q", test.part, test.whole, got, test.want)
		}
	}
}

func TestTokenTable(t *testing.T) {
	var tools []string
	for i := range 2 * maxTokenLines {
		tools = append(tools, fmt.Sprintf(`{"name": "t%s"}`, strings.Repeat("x", i)))
	}
	l := lintOf(report.FailNever, readTools(t, "["+strings.Join(tools, ",")+"]"))
	text := lintTextOf(t, l, Options{})
	for _, want := range []string{
		"tokens 8200, cl100k_base", fmt.Sprintf("%9d  %6s  %7s  t%s\n", 400, "4.8%", "4.8%", strings.Repeat("x", 39)),
		fmt.Sprintf("%9d  %6s  %7s  20 smaller tools (--verbose shows everything)\n", 2100, "25.6%", "100.0%"),
		"and 30 more tools (--verbose shows everything)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("text lacks %q:\n%s", want, text)
		}
	}
	if all := lintTextOf(t, l, Options{All: true}); strings.Contains(all, "--verbose shows") || strings.Count(all, "\n") < strings.Count(text, "\n") {
		t.Errorf("with All something is left out:\n%s", all)
	}
}

// FuzzLintText requires that no text of a catalog reaches a terminal as anything but text, and that the JSON forms can be
// written, twice to the same bytes.
func FuzzLintText(f *testing.F) {
	f.Add("a\x1b[2J", "\n::error::x", "x\u202e", "\x00")
	f.Add("", "**b** <b>", "`", "\xff")
	f.Fuzz(func(t *testing.T, name, description, argument, path string) {
		schema := []byte(`{"properties": {"a": {"enum": ["v"]}, "b": 1}, "required": ["a", "c"]}`)
		old := &catalog.Catalog{File: "c" + path, Tools: []*catalog.Tool{
			{Name: name, Description: description, InputSchema: schema}, {Name: argument, Description: name}, {Server: name, Name: argument},
		}}
		now := &catalog.Catalog{File: "c" + path, Tools: []*catalog.Tool{
			{Name: name, Description: argument, InputSchema: []byte(`{"properties": {"a": {"enum": ["w"]}}}`)}, {Name: path, Description: name},
		}}
		side := func(c *catalog.Catalog) change.Side {
			return change.Side{Catalog: c, Result: lint.Check(c, lint.Config{})}
		}
		l := lintOf(report.FailCritical, old, now)
		d := report.NewLintDiff(report.Tool{Name: "mcp-gates", Version: "1"}, report.FailCritical, side(old), side(now), func(*catalog.Tool) int { return 7 })
		write := func() string {
			var text, js bytes.Buffer
			for _, err := range []error{Lint(&text, l, Options{}), LintDiff(&text, d, Options{All: true}), report.JSON(&js, l), report.JSON(&js, d)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			for line := range strings.Lines(text.String()) {
				line = strings.TrimSuffix(line, "\n")
				if strings.HasPrefix(line, "::") || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
					t.Fatalf("line %q of\n%q", line, text.String())
				}
			}
			return text.String() + js.String()
		}
		if first, second := write(), write(); first != second {
			t.Errorf("two renderings differ:\n%s\n%s", first, second)
		}
	})
}
