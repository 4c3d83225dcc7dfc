package weaken

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// row is one way to weaken a setting.
type row struct {
	key    string    // pattern of keys, see matches; alternatives are separated by |
	weaker direction // direction of a change that weakens
	words  string    // the kind of weakening
}

// harmless is the kind of a change that weakens nothing. The rows below it with the same key are about other changes.
const harmless = ""

// These keys have several rows.
const (
	anyGate   = "GATE"
	expected  = "*.expect.*"
	classList = "*.classes"
	inClass   = "*.classes[].members"
	given     = "model|agent|prompt|system_prompt|servers"
	// intents that a file has for a tool
	intentsOfTool = "tool_bench.intents[]"
	// intents of one tool for findability, and the setting for all intents if they are made from the tools
	searchesOfTool, searches = "findability.intents[]", "findability.intents"
	ofRuns                   = "cassette|cassette.*|builtins" // the source of the runs, and how it is read
)

// table lists the settings that can be weakened. The first key that matches a setting decides; of its rows, the first whose
// direction fits the change decides. If no direction of the key matches, the change weakens nothing. If no key matches, or the
// direction is unknown, the setting is reported as changed.
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
	{"members[]", onBothSides, report.MeaningChanged}, // a class that only base or only head has is reported at the list
	{"servers without catalog", moreUnlisted, report.ServersLeftOut},
	{"servers[].catalog", otherSnapshot, report.SettingChanged},

	{"tool_selection.expected_tool", more, report.ToolAdded},
	{"tool_search.expected_tool", added, harmless}, // the setting replaces classes, which have their own rows
	{"tool_search.expected_tool", removed, report.ClassRemoved},
	{"tool_search.expected_tool", more, report.ToolAdded},
	{"distractors.correct", emptied, report.NothingCorrect}, // without the right tools, only calls to distractors are wrong
	{"distractors.correct", more, report.ToolAdded},
	{distractorCount, lower, report.FewerDistractors},
	{distractorCount, countChangesOthers, report.OthersChanged},
	{"distractors.source.of", imitatedFirst, report.OrderChanged},
	{"distractors.source.of", anyChange, report.SettingChanged},

	{"tool_edges.restricted", fewer, report.Unrestricted},
	{"tool_edges.restricted", takenFromOutside, report.SettingChanged},
	{"tool_edges.allowed", onOneSide, harmless}, // without the list its figures are absent, and expectations on them fail
	{"tool_edges.allowed", more, report.ToolAdded},
	{"tool_edges.allowed", changesShare, report.SettingChanged},

	{"*.error_pattern", removed, report.PatternRemoved},
	{"*.error_pattern", anyChange, report.SettingChanged}, // a new pattern finds more errors, but also more recovered ones
	{"deferred.search", removed, report.GivenRemoved},     // without the search, the model sees every tool
	{"deferred.search", onBothSides, report.SettingChanged},
	{"deferred.limit", onOneSide, harmless}, // the limit has no effect without the search
	{"deferred.limit", higher, report.HigherMaximum},
	{"faults", isBefore, report.SettingChanged},
	{"faults[].times", added, harmless},
	{"faults[].times", removed, report.FaultRemoved},
	{"faults[].times", lower, report.FaultMilder},
	{"faults[].delay_ms", onOneSide, harmless}, // the delay has no effect without the times
	{"faults[].delay_ms", lower, report.FaultMilder},

	{"tool_quality.rules.disable", more, report.RuleDisabled},
	{"tool_quality.rules.ignore", moreIgnored, report.RuleIgnored},
	{"tool_quality.rules.severity*", milder, report.SeverityLowered},
	{"tool_quality.rules.severity*", outOfWarnings, report.SettingChanged},

	{intentsOfTool, removed, report.FewerIntents},
	{intentsOfTool, fewer, report.FewerIntents},
	{intentsOfTool, anyChange, report.SettingChanged}, // added intents that are easy raise the accuracy

	{searchesOfTool, added, harmless},
	{searchesOfTool, removed, report.FewerIntents},
	{searchesOfTool, fewer, report.FewerIntents},
	{searches, removed, report.FewerIntents},
	{"findability.intents.gold[]", onOneSide, harmless}, // reported with the intent
	{"findability.intents.gold[]", more, report.ToolAdded},
	{"findability.search", anyChange, report.SettingChanged},
	{"findability.limit", higher, report.HigherMaximum},
	{"findability.beside", removed, report.FewerCompeting},
	{"findability.beside", fewer, report.FewerCompeting},

	// It is not known which changes of these settings weaken.
	{ofRuns, anyChange, report.SettingChanged},
	{"catalog|distractors.source.from|distractors.curve|golden_path.calls|golden_path.steps|narrative.ignore|narrative.verbs|recovery.after", anyChange, report.SettingChanged},
	{"findability.server|stability.window|tool_bench.intents|tool_bench.mutations|tool_bench.server|tool_edges.delegation|tool_quality.server", anyChange, report.SettingChanged},
	{"trajectory.mode|trajectory.steps|trajectory_axes.data_flow|trajectory_axes.order", anyChange, report.SettingChanged},

	// These settings belong to a whole suite.
	{"redact.allow", more, report.RedactedNoMore},
	{"redact.keys|redact.patterns", fewer, report.RedactedNoMore},
	{"budget.*", added, harmless},
	{"budget.*", removed, report.MaySpendMore},
	{"budget.*", higher, report.MaySpendMore},
}

// ordered are the keys with a row about order: the same entries in another order can weaken these settings.
var ordered = []string{anyGate, expected, classList, "faults", "distractors.source.of"}

// otherKinds are the kinds of weakenings that are not about settings.
var otherKinds = []string{report.NotJudged, report.RecordingLost, report.WorkflowChanged, report.SourceUncovered}

// IsKind reports whether a text is a kind of weakening. A saved report can hold any text.
func IsKind(text string) bool {
	return text != harmless && slices.ContainsFunc(table, func(r row) bool { return r.words == text }) || slices.Contains(otherKinds, text)
}

// keyOf returns the key of the table that matches the shape of a setting; "" if none does.
func keyOf(shape string) string {
	at := slices.IndexFunc(table, func(r row) bool {
		return slices.ContainsFunc(strings.Split(r.key, "|"), func(key string) bool { return matches(key, shape) })
	})
	if at < 0 {
		return ""
	}
	return table[at].key
}

// matches reports whether a key of the table matches the shape of a setting. GATE matches the name of any gate, and * any text.
// A leading *. also matches nothing: *.min_* matches min_x, gate.min_x and gate.key.min_x.
func matches(key, shape string) bool {
	if key == anyGate {
		return isGate(shape)
	}
	if strings.HasPrefix(key, "*.") {
		shape = "." + shape
	}
	return judge.MatchGlob(key, shape)
}

// isGate reports whether the key is the name of a gate. The value is not enough to decide this: any key can have the value
// [judge.GatePresent].
func isGate(key string) bool {
	return slices.ContainsFunc(gates.All, func(g *judge.Gate) bool { return g.Name == key })
}
