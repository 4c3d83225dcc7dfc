package weaken

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
)

const noRow = "the setting %s has no row in the table of table.go: say in which direction it is weaker, or that nobody knows it"

// labels are keys of gates that are no settings; see package judge.
var labels = []string{"name", "tags", "complexity", "catalog", "catalog_path", "search", judge.ExpectKey}

// TestKeysOfGates pins that every key of a gate that bears on a verdict has a row.
func TestKeysOfGates(t *testing.T) {
	for _, g := range gates.All {
		for _, key := range g.Keys {
			if !slices.Contains(labels, key.Name) {
				checkKey(t, g.Name+"."+key.Name, key)
			}
		}
	}
}

func checkKey(t *testing.T, name string, key judge.Key) {
	t.Helper()
	switch key.Type {
	case judge.TypeMap:
		for _, inner := range key.Keys {
			checkKey(t, name+"."+inner.Name, inner)
		}
		return
	case judge.TypeClasses:
		checkKey(t, name+"[].members", judge.Key{})
	case judge.TypeCounts, judge.TypeSeverities:
		name += "[]"
	}
	if keyOf(name) == "" {
		t.Errorf(noRow, name)
	}
}

// TestSettings pins that every setting which package suite takes out of a suite has a row, and that each row is of one.
func TestSettings(t *testing.T) {
	files := fstest.MapFS{}
	text, err := os.ReadFile("testdata/every.yml")
	if err != nil {
		t.Fatal(err)
	}
	files["every.yml"] = &fstest.MapFile{Data: text}
	files["web.json"] = &fstest.MapFile{Data: []byte(`{"tools": [{"name": "search"}, {"name": "drop"}]}`)}
	files["other.json"] = files["web.json"]
	files["prompts.csv"] = &fstest.MapFile{Data: []byte("query,gold\nsearch,search\n")}
	loader := suite.NewLoader(files)
	loader.Settings = true
	read, mistakes := loader.Load("every.yml")
	if len(mistakes) > 0 {
		t.Fatal(mistakes.Err())
	}
	settings := read.Settings
	for _, c := range read.Cases {
		settings = append(settings, c.Settings...)
	}
	has := map[string]bool{}
	for _, s := range settings {
		key := keyOf(shapeOf(s.Key))
		if has[key] = true; key == "" {
			t.Errorf(noRow, s.Key)
		}
	}
	for _, r := range table {
		for _, key := range strings.Split(r.key, "|") {
			isOf := func(s judge.Setting) bool { return matches(key, shapeOf(s.Key)) }
			if !slices.ContainsFunc(settings, isOf) {
				t.Errorf("testdata/every.yml has no setting of the row %s", key)
			}
		}
	}
}

// TestNamesInSuite pins the same of the keys that the source of package suite names, whether a suite here has them or not.
func TestNamesInSuite(t *testing.T) {
	names := regexp.MustCompile(`(?:\b(?:l|list)\.add|\.suiteSetting)\("([^"]+)"`)
	dir := "../../suite/"
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		text, err := os.ReadFile(dir + entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range names.FindAllStringSubmatch(string(text), -1) {
			n++
			begins := func(r row) bool {
				return slices.ContainsFunc(strings.Split(r.key, "|"), func(key string) bool { return strings.HasPrefix(key, found[1]) })
			}
			if keyOf(found[1]) == "" && !slices.ContainsFunc(table, begins) {
				t.Errorf("%s: "+noRow, entry.Name(), found[1])
			}
		}
	}
	if n < 20 {
		t.Errorf("%d names of settings found in %s, want at least 20", n, dir)
	}
}

// example is a setting on both sides. Beside it are others, KEY and VALUE in turn, that both sides have.
type example struct {
	key, base, head, words string
	beside                 []string
}

// examples has at least one of each row, in its order.
var examples = []example{
	{"limits", "present", "", report.GateRemoved, nil},
	{"distractors", "", "present", report.OthersChanged, []string{"distractors.count", "2"}},

	{"limits.expect.limits.calls.when_absent", "", "skip", report.MayBeAbsent, []string{"limits.expect.limits.calls", "<= 3"}},
	{"limits.expect.limits.calls", "", "<= 3", harmless, nil},
	{"limits.expect.limits.calls", "<= 3", "", report.AssertionRemoved, nil},
	{"limits.expect.limits.calls", ">= 3", ">= 2", report.BoundLowered, nil},
	{"limits.expect.limits.calls", "<= 3", "<= 4", report.BoundRaised, nil},
	{"expect.tool_names", `contains "a"`, `contains "b"`, report.SettingChanged, nil},
	{"limits.expect.limits.calls", "<= 5", "", report.MayBeAbsent, []string{"limits.expect.limits.calls", "<= 3", "limits.expect.limits.calls.when_absent", "skip"}},

	{"runs", "2", "1", report.FewerRuns, nil},
	{"allow_run_errors", "1", "2", report.MoreErrorsAllowed, nil},
	{"stale_catalog", "fail", "warn", report.StaleAllowed, nil},
	{"pricing.input", "2", "1", report.PriceLowered, nil},

	{"limits.min_x", "", "2", harmless, nil},
	{"limits.min_x", "2", "", report.MinimumRemoved, nil},
	{"limits.min_x", "2", "1", report.LowerMinimum, nil},
	{"limits.max_calls", "", "2", harmless, nil},
	{"limits.max_calls", "2", "", report.MaximumRemoved, nil},
	{"limits.max_calls", "2", "3", report.HigherMaximum, nil},

	{"equal_function_sets.classes", `["a","b"]`, `["b","a"]`, report.OrderChanged,
		[]string{`equal_function_sets.classes["a"].members`, `["x","y"]`, `equal_function_sets.classes["b"].members`, `["y","z"]`}},
	{`equal_function_sets.classes["a"].members`, `["x"]`, "", report.ClassRemoved, nil},
	{`equal_function_sets.classes["a"].members`, "", `["x"]`, report.ClassAdded, nil},
	{`equal_function_sets.classes["a"].members`, `["x"]`, `["x","y"]`, report.ToolAdded, nil},
	{`equal_function_sets.classes["a"].members`, `["x","y"]`, `["x"]`, report.SharedRemoved, []string{`equal_function_sets.classes["b"].members`, `["y"]`}},

	{"prompt", "a", "", report.GivenRemoved, nil},
	{"prompt", "a", "b", report.GivenUnkept, nil},
	{"system_prompt", "a", "b", report.GivenChanged, nil}, // which the recording keeps
	{`members["web.x"]`, "a", "b", report.MeaningChanged, nil},
	{"servers without catalog", `[]`, `["web"]`, report.ServersLeftOut, nil},
	{`servers["web"].catalog`, "a.json", "b.json", report.SettingChanged, nil},

	{"tool_selection.expected_tool", "a", `["a","b"]`, report.ToolAdded, nil},
	{"tool_search.expected_tool", "a", `["a","b"]`, report.ToolAdded, nil},
	{"tool_search.expected_tool", "", "a", harmless, nil},
	{"tool_search.expected_tool", "a", "", report.ClassRemoved, nil},
	{"distractors.correct", "a", "", report.NothingCorrect, nil},
	{"distractors.correct", "a", `["a","b"]`, report.ToolAdded, nil},
	{"distractors.count", "2", "1", report.FewerDistractors, nil},
	{"distractors.count", "2", "3", report.OthersChanged, []string{"orchestration", "present"}},
	{"distractors.source.of", `["a","b"]`, `["b","a"]`, report.OrderChanged, []string{"distractors.count", "1"}},
	{"distractors.source.of", `["a","b"]`, `["a"]`, report.SettingChanged, nil},

	{"tool_edges.restricted", `["a"]`, `["b"]`, report.Unrestricted, nil},
	{"tool_edges.restricted", `["a"]`, `["a","b"]`, report.SettingChanged, []string{"tool_edges.expect.edges.outside", "<= 1"}},
	{"tool_edges.allowed", "", `["a"]`, harmless, nil},
	{"tool_edges.allowed", `["a"]`, `["a","b"]`, report.ToolAdded, nil},
	{"tool_edges.allowed", `["a","b"]`, `["a"]`, report.SettingChanged, []string{"tool_edges.expect.edges.allowed_pct", ">= 50"}},

	{"orchestration.error_pattern", "x", "", report.PatternRemoved, nil},
	{"error_pattern", "x", "y", report.SettingChanged, nil},
	{"deferred.search", "codex", "", report.GivenRemoved, nil},
	{"deferred.search", "codex", "bm25", report.SettingChanged, nil},
	{"deferred.limit", "8", "", harmless, nil},
	{"deferred.limit", "8", "9", report.HigherMaximum, nil},
	{"faults", `["a"]`, `["b","a"]`, report.SettingChanged, nil},
	{`faults["a"].times`, "", "1", harmless, nil},
	{`faults["a"].times`, "1", "", report.FaultRemoved, nil},
	{`faults["a"].times`, "2", "1", report.FaultMilder, nil},
	{`faults["a"].delay_ms`, "1", "", harmless, nil},
	{`faults["a"].delay_ms`, "2", "1", report.FaultMilder, nil},

	{"tool_quality.rules.disable", `["DESC-001"]`, `["DESC-002"]`, report.RuleDisabled, nil},
	{"tool_quality.rules.ignore", `[]`, `[{"reason":"a","rule":"DESC-001"}]`, report.RuleIgnored, nil},
	{`tool_quality.rules.severity["DESC-006"]`, "critical", "warning", report.SeverityLowered, nil},
	{`tool_quality.rules.severity["DESC-009"]`, "warning", "critical", report.SettingChanged, []string{"tool_quality.expect.warning_count", "<= 5"}},

	{`tool_bench.intents["find"]`, `["a"]`, "", report.FewerIntents, nil},
	{`tool_bench.intents["find"]`, `["a","b"]`, `["a"]`, report.FewerIntents, nil},
	{`tool_bench.intents["find"]`, `["a"]`, `["a","b"]`, report.SettingChanged, nil},

	{`findability.intents["find"]`, "", `["a"]`, harmless, nil},
	{`findability.intents["find"]`, `["a"]`, "", report.FewerIntents, nil},
	{`findability.intents["find"]`, `["a","b"]`, `["a"]`, report.FewerIntents, nil},
	{"findability.intents", "auto", "", report.FewerIntents, nil},
	{`findability.intents.gold["find it"]`, `["a"]`, "", harmless, nil},
	{`findability.intents.gold["find it"]`, `["a"]`, `["a","b"]`, report.ToolAdded, nil},
	{"findability.search", "codex", "bm25", report.SettingChanged, nil},
	{`findability.intents.max_rank["find it"]`, "1", "2", report.HigherMaximum, nil},
	{"findability.limit", "5", "6", report.HigherMaximum, nil},
	{"findability.beside", `["a.json"]`, "", report.FewerCompeting, nil},
	{"findability.beside", `["a.json","b.json"]`, `["a.json"]`, report.FewerCompeting, nil},

	{"cassette", "a.json", "b.json", report.SettingChanged, nil},
	{"catalog", "a.json", "b.json", report.SettingChanged, nil},
	{"tool_bench.intents", "[1]", "[2]", report.SettingChanged, nil},
	{"trajectory.mode", "strict", "subset", report.SettingChanged, nil},

	{"redact.allow", `["a"]`, `["b"]`, report.RedactedNoMore, nil},
	{"redact.keys", `["a"]`, `["b"]`, report.RedactedNoMore, nil},
	{"budget.per_test_usd_cents", "", "5", harmless, nil},
	{"budget.per_test_usd_cents", "5", "", report.MaySpendMore, nil},
	{"budget.per_test_usd_cents", "5", "6", report.MaySpendMore, nil},
}

// TestRows pins the words of a change in each direction of the table, and that each row has an example. Recordings keep the system
// prompt, and nothing else.
func TestRows(t *testing.T) {
	decides := map[int]bool{}
	for _, e := range examples {
		c := e.change()
		if got := c.kind(); got != e.words {
			t.Errorf("%s: %q became %q: got %q, want %q", e.key, e.base, e.head, got, e.words)
		}
		key := keyOf(shapeOf(e.key))
		decides[slices.IndexFunc(table, func(r row) bool { return r.key == key && r.weaker(c) == yes })] = true
	}
	for i, r := range table {
		if !decides[i] {
			t.Errorf("the row of %s, %q, which is the %dth, has no example in table_test.go", r.key, r.words, i+1)
		}
	}
}

func (e example) change() change {
	var base, head []report.Setting
	for i := 0; i < len(e.beside); i += 2 {
		one := report.Setting{Key: e.beside[i], Value: e.beside[i+1]}
		base, head = append(base, one), append(head, one)
	}
	if e.base != "" {
		base = append(base, report.Setting{Key: e.key, Value: e.base})
	}
	if e.head != "" {
		head = append(head, report.Setting{Key: e.key, Value: e.head})
	}
	s := &sides{before: byKey(base), after: byKey(head), of: &report.Case{Recordings: []report.Recording{{Keeps: []string{"system_prompt"}}}}}
	s.classes = classChanges(s.before, s.after)
	return change{s, e.key, s.before[e.key], s.after[e.key]}
}

// TestUnknownSetting pins that a setting without a row counts, whichever way it changes.
func TestUnknownSetting(t *testing.T) {
	for _, e := range []example{{key: "new.key", base: "1", head: "2"}, {key: "new.key", head: "2"}, {key: "new.key", base: "1"}, {key: "runs", base: "many", head: "more"}} {
		if got := e.change().kind(); got != report.SettingChanged {
			t.Errorf("%s: %q became %q: got %q, want %q", e.key, e.base, e.head, got, report.SettingChanged)
		}
	}
}

// TestOrderOfRows pins that the rows of a key stand together, for the first key that fits decides.
func TestOrderOfRows(t *testing.T) {
	var keys []string
	for _, r := range table {
		keys = append(keys, r.key)
	}
	keys = slices.Compact(keys)
	for i, key := range keys {
		if slices.Contains(keys[:i], key) {
			t.Errorf("the rows of %s do not stand together", key)
		}
	}
	for _, key := range ordered {
		if !slices.Contains(keys, key) {
			t.Errorf("%s is in ordered, and has no row", key)
		}
	}
}
