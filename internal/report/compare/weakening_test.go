package compare_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/report/reporttest"
)

// told returns the weakenings as KEY: KIND, in brackets those that are not counted.
func told(list []report.Weakening) []string {
	var lines []string
	for _, w := range list {
		line := w.Key + ": " + w.Kind
		if w.ToldOnly {
			line = "(" + line + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

// settled returns a case with settings, KEY and VALUE in turn.
func settled(settings ...string) report.Case {
	c := reporttest.Named("a", 1)
	for i := 0; i < len(settings); i += 2 {
		c.Settings = append(c.Settings, report.Setting{Key: settings[i], Value: settings[i+1], Line: 5})
	}
	return c
}

// classesIn returns a case with classes, NAME and MEMBERS in turn, in that order.
func classesIn(order string, classes ...string) report.Case {
	c := settled("equal_function_sets", "present", "equal_function_sets.classes", order)
	for i := 0; i < len(classes); i += 2 {
		c.Settings = append(c.Settings, report.Setting{Key: `equal_function_sets.classes["` + classes[i] + `"].members`, Value: classes[i+1], Line: 5})
	}
	return c
}

func TestClassesWeakened(t *testing.T) {
	const list = "equal_function_sets.classes"
	for _, test := range []struct {
		name       string
		base, head report.Case
		want       []string
	}{
		{"two names change places", classesIn(`["a","b"]`, "a", "x", "b", "y"), classesIn(`["a","b"]`, "a", "y", "b", "x"), nil},
		{"names and places change", classesIn(`["a","b"]`, "a", `["x","y"]`, "b", "y"), classesIn(`["b","a"]`, "b", `["y","x"]`, "a", "y"), nil},
		{"order, beneath other names", classesIn(`["a","b"]`, "a", `["x","y"]`, "b", "y"), classesIn(`["c","d"]`, "c", "y", "d", `["x","y"]`), []string{list + ": order changed"}},
		{"a bare name and a qualified one", classesIn(`["a","b"]`, "a", "x", "b", "s.x"), classesIn(`["b","a"]`, "a", "x", "b", "s.x"), []string{list + ": order changed"}},
		{"one name on two servers", classesIn(`["a","b"]`, "a", "r.x", "b", "s.x"), classesIn(`["b","a"]`, "a", "r.x", "b", "s.x"), nil},
		{"a bare name left to a qualified one", classesIn(`["a","b"]`, "a", `["x","y"]`, "b", "s.x"), classesIn(`["a","b"]`, "a", "y", "b", "s.x"), []string{list + `["a"].members: tool left to another class`}},
		{"a qualified name left to a bare one", classesIn(`["a","b"]`, "a", `["s.x","y"]`, "b", "x"), classesIn(`["a","b"]`, "a", "y", "b", "x"), []string{list + `["a"].members: tool left to another class`}},
		{"a report that does not tell the order", settled("equal_function_sets", "present", list+`["a"].members`, "x"), classesIn(`["a"]`, "a", "x"), nil},
	} {
		if diff := cmp.Diff(test.want, told(weakened(test.base, test.head, false))); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.name, diff)
		}
	}
}

// Older reports lack settings that are told now: nothing was weakened by that.
func TestWeakenedSinceAnOlderReport(t *testing.T) {
	old := settled("orchestration", "present")
	head := settled("orchestration", "present", "model", "m", "prompt", "SHA-256 ab", "servers", `["web"]`,
		`members["web.x"]`, "the tool of a declared server", "servers without catalog", `["web"]`)
	if got := told(weakened(old, head, false)); got != nil {
		t.Errorf("got %q, want nothing", got)
	}
}

// Runs that were made just now are of the agent that the suite describes.
func TestWeakenedLive(t *testing.T) {
	base, head := settled("prompt", "SHA-256 ab"), settled("prompt", "SHA-256 cd")
	want := []string{"(prompt: changed, and the recording keeps it)"}
	if diff := cmp.Diff(want, told(weakened(base, head, true))); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// An expectation that an absent figure passes is no new leniency beside one that it fails.
func TestWeakenedAbsence(t *testing.T) {
	const f1 = "equal_function_sets.expect.tool_selection.f1"
	for _, test := range []struct {
		name       string
		base, head report.Case
		want       []string
	}{
		{"skipped now", settled(f1, ">= 80"), settled(f1, ">= 80", f1+".when_absent", "skip"), []string{f1 + ".when_absent: may be absent now"}},
		{"another that may be absent", settled(f1, ">= 80"), settled(f1, ">= 80", f1, ">= 90", f1+".when_absent", "skip"), nil},
		{"a new one", settled("runs", "1"), settled("runs", "1", f1, ">= 80", f1+".when_absent", "skip"), nil},
		{"the strict one taken out", settled(f1, ">= 80", f1, ">= 20", f1+".when_absent", "skip"), settled(f1, ">= 80", f1+".when_absent", "skip"), []string{f1 + ": may be absent now"}},
		{"a target of that name", settled("expect.tool_calls[0].args.when_absent", `exact "x"`),
			settled("expect.tool_calls[0].args", "exact {}", "expect.tool_calls[0].args.when_absent", `exact "x"`, "expect.tool_calls[0].args.when_absent", "skip"), nil},
		{"a target of that name taken out", settled("expect.tool_calls[0].args", "exact {}", "expect.tool_calls[0].args.when_absent", `exact "x"`, "expect.tool_calls[0].args.when_absent", "skip"),
			settled("expect.tool_calls[0].args", "exact {}", "expect.tool_calls[0].args.when_absent", "skip"), []string{"expect.tool_calls[0].args.when_absent: no longer expected"}},
	} {
		if diff := cmp.Diff(test.want, told(weakened(test.base, test.head, false))); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.name, diff)
		}
	}
}

// weakened returns how a case is weakened; live says that its runs were made just now.
func weakened(base, head report.Case, live bool) []report.Weakening {
	after := reporttest.Of(head)
	if live {
		after.Mode = report.Live
	}
	return compare.Reports(reporttest.Of(base), after, compare.Options{}).Weakened
}
