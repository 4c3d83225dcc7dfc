package weaken

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// row is a way in which a setting is weakened: its key, the direction of the change, and the change in words.
type row struct {
	key    string    // see matches; several are divided by |
	weaker direction // in which the change goes
	words  string    // the kind of weakening
}

// harmless are the words of a change that weakens nothing. The rows below it with the same key are for other changes.
const harmless = ""

// Keys that several rows have.
const (
	anyGate   = "GATE"
	expected  = "*.expect.*"
	classList = "*.classes"
	inClass   = "*.classes[].members"
	given     = "model|agent|prompt|system_prompt|servers"
	// Intents that a file has for a tool.
	intentsOfTool = "tool_bench.intents[]"
	// Intents by which a tool must be found, and all of them where the tools make them.
	searchesOfTool, searches = "findability.intents[]", "findability.intents"
	ofRuns                   = "cassette|cassette.*|builtins" // the source of the runs, and how they are read
)

// table holds all settings that can be weakened. The first key that fits a setting decides, and of its rows the first whose direction
// is that of the change; a change in no direction of a key weakens nothing. A setting without a key here, and one whose direction
// nobody knows, is "changed".
var table = []row{
	{anyGate, removed, report.GateRemoved},
	{anyGate, changesOthers, report.OthersChanged},

	{expected, skippedNow, report.MayBeAbsent},
	{expected, expectedAsBefore, harmless},
	{expected, lessExpected, report.AssertionRemoved},
	{expected, lowerBound, report.BoundLowered},
	{expected, higherBound, report.BoundRaised},
	{expected, otherwiseExpected, report.SettingChanged},
	{expected, absentNow, report.MayBeAbsent},

	{"runs", lower, report.FewerRuns},
	{"allow_run_errors", higher, report.MoreErrorsAllowed},
	{"stale_catalog", towards("fail", "affected", "default", "warn", "ignore"), report.StaleAllowed}, // the default fails on some differences and warns of the others
	{"pricing.*", cheaper, report.PriceLowered},

	{"*.min_*", added, harmless},
	{"*.min_*", removed, report.MinimumRemoved},
	{"*.min_*", lower, report.LowerMinimum},
	{"*.max_*", added, harmless},
	{"*.max_*", removed, report.MaximumRemoved},
	{"*.max_*", higher, report.HigherMaximum},

	{classList, inClasses(classesReordered), report.OrderChanged},
	{inClass, inClasses(classRemoved), report.ClassRemoved},
	{inClass, inClasses(classAdded), report.ClassAdded},
	{inClass, inClasses(memberAdded), report.ToolAdded},
	{inClass, inClasses(memberShared), report.SharedRemoved},

	{given, noLongerGiven, report.GivenRemoved},
	{given, givenUnkept, report.GivenUnkept},
	{given, givenKept, report.GivenChanged},
	{"members[]", onBothSides, report.MeaningChanged}, // a class that only one side has is reported at the list
	{"servers without catalog", moreUnlisted, report.ServersLeftOut},
	{"servers[].catalog", otherSnapshot, report.SettingChanged},

	{"tool_selection.expected_tool", more, report.ToolAdded},
	{"tool_search.expected_tool", added, harmless}, // it replaces classes, which have their own rows
	{"tool_search.expected_tool", removed, report.ClassRemoved},
	{"tool_search.expected_tool", more, report.ToolAdded},
	{"distractors.correct", emptied, report.NothingCorrect}, // without it, only calls to distractors are wrong
	{"distractors.correct", more, report.ToolAdded},
	{distractorCount, lower, report.FewerDistractors},
	{distractorCount, curvesOthers, report.OthersChanged},
	{"distractors.source.of", imitatedFirst, report.OrderChanged},
	{"distractors.source.of", anyChange, report.SettingChanged},

	{"tool_edges.restricted", fewer, report.Unrestricted},
	{"tool_edges.restricted", takenFromOutside, report.SettingChanged},
	{"tool_edges.allowed", onOneSide, harmless}, // without the list its figures are absent, and expectations on them fail
	{"tool_edges.allowed", more, report.ToolAdded},
	{"tool_edges.allowed", changesShare, report.SettingChanged},

	{"*.error_pattern", removed, report.PatternRemoved},
	{"*.error_pattern", anyChange, report.SettingChanged}, // a new pattern finds more errors, but also more recovered ones
	{"deferred.search", removed, report.GivenRemoved},     // without it, the model sees every tool
	{"deferred.search", onBothSides, report.SettingChanged},
	{"deferred.limit", onOneSide, harmless}, // it has no effect without the search
	{"deferred.limit", higher, report.HigherMaximum},
	{"faults", isBefore, report.SettingChanged},
	{"faults[].times", added, harmless},
	{"faults[].times", removed, report.FaultRemoved},
	{"faults[].times", lower, report.FaultMilder},
	{"faults[].delay_ms", onOneSide, harmless}, // it has no effect without the times
	{"faults[].delay_ms", lower, report.FaultMilder},

	{"tool_quality.rules.disable", more, report.RuleDisabled},
	{"tool_quality.rules.ignore", moreIgnored, report.RuleIgnored},
	{"tool_quality.rules.severity*", milder, report.SeverityLowered},
	{"tool_quality.rules.severity*", outOfWarnings, report.SettingChanged},

	{intentsOfTool, removed, report.FewerIntents},
	{intentsOfTool, fewer, report.FewerIntents},
	{intentsOfTool, anyChange, report.SettingChanged}, // easy ones that are added raise the accuracy

	{searchesOfTool, added, harmless},
	{searchesOfTool, removed, report.FewerIntents},
	{searchesOfTool, fewer, report.FewerIntents},
	{searches, removed, report.FewerIntents},
	{"findability.intents.gold[]", onOneSide, harmless}, // with the intent
	{"findability.intents.gold[]", more, report.ToolAdded},
	{"findability.search", anyChange, report.SettingChanged},
	{"findability.limit", higher, report.HigherMaximum},
	{"findability.beside", removed, report.FewerCompeting},
	{"findability.beside", fewer, report.FewerCompeting},

	// It is not known which change of these weakens.
	{ofRuns, anyChange, report.SettingChanged},
	{"catalog|distractors.source.from|distractors.curve|golden_path.calls|golden_path.steps|narrative.ignore|narrative.verbs|recovery.after", anyChange, report.SettingChanged},
	{"findability.server|stability.window|tool_bench.intents|tool_bench.mutations|tool_bench.server|tool_edges.delegation|tool_quality.server", anyChange, report.SettingChanged},
	{"trajectory.mode|trajectory.steps|trajectory_axes.data_flow|trajectory_axes.order", anyChange, report.SettingChanged},

	// Settings of a suite as a whole.
	{"redact.allow", more, report.RedactedNoMore},
	{"redact.keys|redact.patterns", fewer, report.RedactedNoMore},
	{"budget.*", added, harmless},
	{"budget.*", removed, report.MaySpendMore},
	{"budget.*", higher, report.MaySpendMore},
}

// ordered are the keys of lists that the same entries in another order can weaken, by their rows, and of values that are not lists.
var ordered = []string{anyGate, expected, classList, "faults", "distractors.source.of"}

// otherKinds are the kinds of weakenings of which none is that of a setting.
var otherKinds = []string{report.NotJudged, report.RecordingLost, report.WorkflowChanged, report.SourceUncovered}

// IsKind reports whether a text is a kind of weakening. A saved report can hold others, which are text like any other.
func IsKind(text string) bool {
	return text != harmless && slices.ContainsFunc(table, func(r row) bool { return r.words == text }) || slices.Contains(otherKinds, text)
}

// keyOf returns the key of the table for a setting, by its shape; "" where it has none.
func keyOf(shape string) string {
	at := slices.IndexFunc(table, func(r row) bool {
		return slices.ContainsFunc(strings.Split(r.key, "|"), func(key string) bool { return matches(key, shape) })
	})
	if at < 0 {
		return ""
	}
	return table[at].key
}

// matches reports whether a key of the table is that of settings of a shape. GATE is the name of any gate, * is any text, and *. at the
// beginning is also nothing: *.min_* fits min_x, gate.min_x and gate.key.min_x.
func matches(key, shape string) bool {
	if key == anyGate {
		return isGate(shape)
	}
	if strings.HasPrefix(key, "*.") {
		shape = "." + shape
	}
	return judge.MatchGlob(key, shape)
}

// isGate reports whether a key is a gate's own. Any other key can have [judge.GatePresent] for its value, too.
func isGate(key string) bool {
	return slices.ContainsFunc(gates.All, func(g *judge.Gate) bool { return g.Name == key })
}
