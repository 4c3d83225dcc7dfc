package lint

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/thorough"
)

const shop = `{"tools": [
 {"name": "get_order",
  "description": "Gets an order by its number. Returns it as JSON, with items.",
  "inputSchema": {"type": "object", "properties": {
    "number": {"type": "string", "maxLength": 8, "description": "Eight digits", "examples": ["12345678"]}},
    "required": ["number"], "additionalProperties": false},
  "annotations": {"readOnlyHint": true}},
 {"name": "cancel_order",
  "description": "Cancel order",
  "inputSchema": {"type": "object", "properties": {
    "number": {"type": "string"}},
    "required": ["number"]}}
]}`

// brief lists findings as rule, severity, tool, argument and line.
func brief(findings []Finding) []string {
	var lines []string
	for _, f := range findings {
		lines = append(lines, fmt.Sprintf("%s %s %s.%s:%d", f.Rule, f.Severity, f.Tool.Name, f.Argument, f.Pos.Line))
	}
	return lines
}

func TestCheck(t *testing.T) {
	got := Check(readCatalog(t, "shop.json", shop), Config{})
	want := []string{
		"DESC-001 critical cancel_order.:9",
		"DESC-003 critical cancel_order.:9",
		"DESC-006 warning cancel_order.number:11",
		"DESC-009 warning cancel_order.:8",
		"DESC-010 warning cancel_order.:9",
		"DESC-012 warning cancel_order.:8",
		"SCH-002 warning cancel_order.:8",
		"SCH-004 warning cancel_order.number:11",
		"MCP-006 warning cancel_order.:8",
		"PASS pass get_order.:2",
	}
	if diff := cmp.Diff(want, brief(got.Findings)); diff != "" {
		t.Errorf("findings differ (-want +got):\n%s", diff)
	}
	if want := (Counts{Critical: 2, Warning: 4, SchemaWarning: 2, ConformanceWarning: 1}); got.Counts != want {
		t.Errorf("counts are %+v, want %+v", got.Counts, want)
	}
	smells := map[string]int{Underspecified: 2, Uninformative: 1, MissingExamples: 1, MissingReturnFormat: 1, MissingAnnotations: 1}
	if diff := cmp.Diff(smells, got.Smells); diff != "" {
		t.Errorf("smells differ (-want +got):\n%s", diff)
	}
	if got.SmellTotal() != 6 {
		t.Errorf("SmellTotal is %d, want 6", got.SmellTotal())
	}
}

func TestConfig(t *testing.T) {
	cat := readCatalog(t, "shop.json", shop)
	got := Check(cat, Config{
		Disable:  map[string]bool{"DESC-010": true, "SCH-002": true, "MCP-006": true, "DESC-009": true, "DESC-012": true},
		Severity: map[string]Severity{"DESC-006": Critical, "DESC-003": Warning},
		Ignore: []Ignore{
			{Rule: "DESC-001", Tool: "cancel_order", Reason: "short and clear"},
			{Rule: "SCH-004", Tool: "cancel_order", Reason: "the server checks"},
			{Rule: "SCH-004", Tool: "cancel_order", Reason: "twice"},
			{Rule: "DESC-001", Tool: "get_order", Reason: "was short once"},
			{Rule: "DESC-001", Tool: "get_orders", Reason: "no such tool"},
			{Rule: "DESC-999", Tool: "get_order", Reason: "no such rule"},
			{Rule: "DESC-010", Tool: "cancel_order", Reason: "disabled"},
		},
	})
	want := []string{
		"DESC-006 critical cancel_order.number:11",
		"DESC-003 warning cancel_order.:9",
		"PASS pass get_order.:2",
	}
	if diff := cmp.Diff(want, brief(got.Findings)); diff != "" {
		t.Errorf("findings differ (-want +got):\n%s", diff)
	}
	if want := (Counts{Critical: 1, Warning: 1}); got.Counts != want {
		t.Errorf("counts are %+v, want %+v", got.Counts, want)
	}
	unused := []UnusedIgnore{{3, true}, {4, false}, {5, true}, {6, true}}
	if diff := cmp.Diff(unused, got.UnusedIgnores); diff != "" {
		t.Errorf("unused ignores differ (-want +got):\n%s", diff)
	}
	if plain := Check(cat, Config{}); !slices.Equal(got.Scores, plain.Scores) {
		t.Errorf("scores are %v with rules disabled, %v without", got.Scores, plain.Scores)
	}
}

func TestIgnoreByQualifiedName(t *testing.T) {
	cat := readCatalog(t, "c.json", `[{"name": "a", "server": "one", "annotations": {}}, {"name": "a", "server": "two", "annotations": {}}]`)
	got := Check(cat, Config{Ignore: []Ignore{{Rule: "DESC-001", Tool: "one.a", Reason: "x"}}})
	var servers []string
	for _, f := range got.Findings {
		if f.Rule == "DESC-001" {
			servers = append(servers, f.Tool.Server)
		}
	}
	if want := []string{"two"}; !slices.Equal(servers, want) {
		t.Errorf("DESC-001 is found in %q, want %q", servers, want)
	}
}

func TestPassTakesTheIgnoredIn(t *testing.T) {
	cat := readCatalog(t, "c.json", `[{"name": "a", "description": "Gets a thing, and returns it.", "inputSchema": {"type": "object"}, "annotations": {}}]`)
	cfg := Config{Ignore: []Ignore{{Rule: "SCH-002", Tool: "a", Reason: "x"}}}
	want := []string{"PASS pass a.:1"}
	if diff := cmp.Diff(want, brief(Check(cat, cfg).Findings)); diff != "" {
		t.Errorf("findings differ (-want +got):\n%s", diff)
	}
}

func TestNoCatalog(t *testing.T) {
	for name, cat := range map[string]*catalog.Catalog{"nil": nil, "empty": {}} {
		got := Check(cat, Config{Ignore: []Ignore{{Rule: "DESC-001", Tool: "a"}}})
		if len(got.Findings) > 0 || got.HasScores || len(got.Scores) > 0 || len(got.UnusedIgnores) != 1 {
			t.Errorf("%s: got %+v, want nothing but an unused ignore", name, got)
		}
	}
}

// TestMostFunctions is about a rule of which an example file would be long: 128 tools on a server are fine, 129 are not.
func TestMostFunctions(t *testing.T) {
	tools := func(n int, server string) []*catalog.Tool {
		var list []*catalog.Tool
		for i := range n {
			list = append(list, &catalog.Tool{Name: fmt.Sprintf("tool_%03d", i), Server: server})
		}
		slices.Reverse(list)
		return list
	}
	cat := &catalog.Catalog{Tools: slices.Concat(tools(128, "a"), tools(129, "b"), tools(130, ""))}
	var got []string
	for _, f := range Check(cat, Config{}).Findings {
		if f.Rule == "MCP-007" {
			got = append(got, f.Tool.Ref().ID()+": "+f.Message)
		}
	}
	want := []string{
		`b.tool_128: the server "b" has 129 tools, some clients take at most 128`,
		"tool_128: the catalog has 130 tools, some clients take at most 128",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings differ (-want +got):\n%s", diff)
	}
}

// TestManyFindings reports more warnings than are kept, and a critical finding after them, which is kept.
func TestManyFindings(t *testing.T) {
	index := func(id string) int { return slices.IndexFunc(Rules, func(r *Rule) bool { return r.ID == id }) }
	views := []*View{newView(&catalog.Tool{Name: "a"})}
	c := newCollector([]Config{{}}, views)
	const many = maxFindings + 10
	for range many {
		c.addFinding(index("DESC-006"), views[0], Note{Message: "is missing"})
	}
	c.addFinding(index("SCH-003"), views[0], Note{Message: "has no type"})
	c.res.Findings = c.sorted(views)
	wantMany(t, c.res, many)
}

// TestManyFindingsOfACatalog has more warnings than are kept, of a rule that comes early: all are counted, and a critical
// finding of a later rule is kept.
func TestManyFindingsOfACatalog(t *testing.T) {
	thorough.Only(t, "it takes a second")
	var properties, required strings.Builder
	const many = maxFindings + 10
	for i := range many {
		fmt.Fprintf(&properties, `"x%d": {"type": "string", "format": "date"},`, i)
		fmt.Fprintf(&required, `"x%d",`, i)
	}
	text := `[{"name": "a", "description": "Gets an order by its number.", "inputSchema": {"type": "object", "properties": {` +
		properties.String() + `"last": {}}, "required": [` + required.String() + `"last"], "additionalProperties": false}}]`
	wantMany(t, Check(readCatalog(t, "c.json", text), Config{}), many)
}

// wantMany requires that so many warnings or more are counted, and that as many as can be and one critical finding are kept.
func wantMany(t *testing.T, got Result, many int) {
	t.Helper()
	kept := map[Severity]int{}
	for _, f := range got.Findings {
		kept[f.Severity]++
	}
	if kept[Warning] != maxFindings || got.Counts.Warning < many {
		t.Errorf("%d warnings are kept of %d, want %d of %d or more", kept[Warning], got.Counts.Warning, maxFindings, many)
	}
	if kept[Critical] != 1 || got.Counts.SchemaCritical != 1 || got.Findings[0].Rule != "SCH-003" {
		t.Errorf("%d critical findings are kept, the first of all is of %s; want 1 of SCH-003", kept[Critical], got.Findings[0].Rule)
	}
}

func TestExplain(t *testing.T) {
	if _, ok := Explain("DESC-999"); ok {
		t.Error("Explain knows DESC-999")
	}
	page, ok := Explain("SCH-001")
	for _, want := range []string{"### SCH-001: ", "Severity: warning.", "Found:\n```json\n{"} {
		if !ok || !strings.Contains(page, want) {
			t.Errorf("Explain(SCH-001) is %q, want %q in it", page, want)
		}
	}
}

func TestSeverity(t *testing.T) {
	for _, s := range []Severity{Warning, Critical} {
		if got, ok := ParseSeverity(s.String()); got != s || !ok {
			t.Errorf("ParseSeverity(%q) is %v, %t", s, got, ok)
		}
	}
	for _, word := range []string{"pass", "error", "", "Warning"} {
		if got, ok := ParseSeverity(word); ok {
			t.Errorf("ParseSeverity(%q) is %v, want none", word, got)
		}
	}
	if got := Severity(7).String(); got != "severity 7" {
		t.Errorf("Severity(7) is %q", got)
	}
}

// TestChecker pins that what was checked before makes no difference.
func TestChecker(t *testing.T) {
	var checker Checker
	for _, text := range []string{shop, `[]`, `[{"name": "a", "description": "Canceling orders"}, {"name": "b", "description": "cancels order"}]`, shop} {
		cat := readCatalog(t, "c.json", text)
		got, want := checker.Check(cat, Config{}), Check(cat, Config{})
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b *catalog.Tool) bool { return a == b })); diff != "" {
			t.Errorf("%s: findings differ (-fresh +used):\n%s", text, diff)
		}
	}
}

// TestTwinsWithoutOrder pins that near twins are the same tools in whatever order they stand, also where being near is
// not transitive.
func TestTwinsWithoutOrder(t *testing.T) {
	words := func(from, to int) string {
		var list []string
		for i := from; i < to; i++ {
			list = append(list, fmt.Sprintf("word%d", i))
		}
		return strings.Join(list, " ")
	}
	cat := &catalog.Catalog{Tools: []*catalog.Tool{
		{Name: "a", Description: words(0, 40)}, {Name: "b", Description: words(2, 42)}, {Name: "c", Description: words(4, 44)},
		{Name: "d", Description: words(2, 42)}, {Server: "s", Name: "b", Description: words(6, 46)}, {Name: "e", Description: words(60, 80)},
	}}
	found := func() (list []string) {
		for _, f := range Check(cat, Config{}).Findings {
			if f.Rule == twinDescriptions.ID {
				list = append(list, f.Tool.Ref().ID()+" "+f.Message)
			}
		}
		slices.Sort(list)
		return list
	}
	want := found()
	if len(want) != 4 {
		t.Fatalf("%d twins, want b, c, d and s.b: %q", len(want), want)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		r.Shuffle(len(cat.Tools), func(i, j int) { cat.Tools[i], cat.Tools[j] = cat.Tools[j], cat.Tools[i] })
		if diff := cmp.Diff(want, found()); diff != "" {
			t.Fatalf("twins differ in another order of the tools (-want +got):\n%s", diff)
		}
	}
}

// TestCheckConfigs pins that of several configurations each finding stands once, at its worst severity, in figures, too.
func TestCheckConfigs(t *testing.T) {
	cat := readCatalog(t, "shop.json", shop)
	hidden := Config{Disable: map[string]bool{}}
	for _, id := range IDs() {
		hidden.Disable[id] = true
	}
	milder := Config{Severity: map[string]Severity{"DESC-001": Warning}, Ignore: []Ignore{{Rule: "DESC-003", Tool: "cancel_order"}}}
	ignoring := Config{Ignore: []Ignore{{Rule: "DESC-001", Tool: "cancel_order"}, {Rule: "DESC-003", Tool: "cancel_order"}}}
	plain := Check(cat, Config{})
	for _, test := range []struct {
		name    string
		configs Configs
		want    Result
		changes []string
	}{
		{"none", nil, plain, []string{}},
		{"one that hides all beside another", Configs{hidden, {}}, plain, []string{}},
		{"a milder one beside another", Configs{milder, {}}, plain, []string{}},
		{"one alone", Configs{milder}, Check(cat, milder), []string{"DESC-001  warning", "DESC-003 cancel_order pass"}},
		{"two that ignore the same", Configs{milder, ignoring}, Check(cat, milder), []string{"DESC-001 cancel_order warning", "DESC-003 cancel_order pass"}},
	} {
		got := Check(cat, test.configs...)
		if diff := cmp.Diff(brief(test.want.Findings), brief(got.Findings)); diff != "" {
			t.Errorf("%s: findings: -want +got\n%s", test.name, diff)
		}
		if got.Counts != test.want.Counts || got.SmellTotal() != test.want.SmellTotal() || got.Mean != test.want.Mean {
			t.Errorf("%s: got %+v, want %+v", test.name, got.Counts, test.want.Counts)
		}
		if len(test.configs) == 0 {
			continue
		}
		changes := []string{}
		for _, c := range test.configs.Adaptations(cat) {
			tool := ""
			if c.Tool != nil {
				tool = c.Tool.Name
			}
			changes = append(changes, fmt.Sprintf("%s %s %s", c.Rule.ID, tool, c.Severity))
		}
		if diff := cmp.Diff(test.changes, changes); diff != "" {
			t.Errorf("%s: changes: -want +got\n%s", test.name, diff)
		}
	}
}
