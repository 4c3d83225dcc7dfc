package gates

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
)

func TestGoldenPathWorked(t *testing.T) {
	checkWorked(t, GoldenPath, "calls of the runs", "{steps: [a, b, c]}", judge.Context{})
	m := planOf(t, GoldenPath, "{calls: 2}", judge.Context{}).Measure(readWorked("a b a; c"))
	if got := m.Values[goldenTarget].Digits(); got != "75" || !strings.Contains(GoldenPath.Doc, "`a b a; c`"+" have an efficiency of 75") {
		t.Errorf("the efficiency is %s, the documentation says 75", got)
	}
}

// TestWastedCalls pins which calls are taken for wasted where several could be: the latest.
func TestWastedCalls(t *testing.T) {
	for _, test := range []struct{ run, want string }{
		{"a(1) a(2) b c", "a(2)"},
		{"b(1) a b(2) c", "b(1)"},
		{"c b a", "b a"},
		{"a c(1) b c(2)", "c(1)"},
		{"x a y", "x y"},
		{"a b a b c", "a b"},
	} {
		tr := readWorked(test.run)
		steps := stepPath{order: []int{0, 1, 2}}
		for _, name := range []string{"a", "b", "c"} {
			steps.patterns = append(steps.patterns, callPattern{tool: judge.NewToolName(name, nil)})
		}
		var got []string
		words := strings.Fields(test.run)
		for i, kept := range steps.walk(&tr.Runs[0], newCallMatcher(steps.patterns), &stepWork{}).common() {
			if !kept {
				got = append(got, words[i])
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q are wasted, want %q", test.run, got, test.want)
		}
	}
}

// naiveCommon returns the length of the longest common subsequence.
func naiveCommon(steps []fuzzStep, calls []trace.Call) int {
	if len(steps) == 0 || len(calls) == 0 {
		return 0
	}
	best := max(naiveCommon(steps[1:], calls), naiveCommon(steps, calls[1:]))
	if steps[0].fits(calls[0]) {
		best = max(best, 1+naiveCommon(steps[1:], calls[1:]))
	}
	return best
}

// sameCall compares calls of the tests, of which only 1 and 1.0 are spelt in two ways.
func sameCall(a, b trace.Call) bool {
	plain := func(args jsontext.Value) string { return strings.ReplaceAll(string(args), "1.0", "1") }
	return a.Tool.Ref == b.Tool.Ref && a.Args == b.Args && plain(a.Arguments()) == plain(b.Arguments())
}

// naiveGolden counts as the rules are worded. Without steps, needed is calls:.
func naiveGolden(steps []fuzzStep, needed int, tr *trace.Trace) map[string]string {
	reached, spent, used, all, wasted, repeats, backtracks := 0, 0, 0, 0, 0, 0, 0
	for _, run := range tr.Runs {
		n := len(run.Calls)
		all += n
		wasted += n - naiveCommon(steps, run.Calls)
		for i, call := range run.Calls {
			same := func(other trace.Call) bool { return sameCall(call, other) }
			switch {
			case i > 0 && same(run.Calls[i-1]):
				repeats++
			case slices.ContainsFunc(run.Calls[:i], same):
				backtracks++
			}
		}
		switch {
		case len(steps) == 0:
			used, spent = used+min(needed, n), spent+n
		case naiveInOrder(steps, run.Calls):
			reached, used, spent = reached+1, used+len(steps), spent+n
		}
	}
	if all == 0 {
		return nil
	}
	want := map[string]string{repeatsTarget: strconv.Itoa(repeats), backtracksTarget: strconv.Itoa(backtracks)}
	if spent > 0 {
		want[goldenTarget] = percentText(used, spent)
	}
	if len(steps) > 0 {
		want[reachedTarget], want[wastedTarget] = percentText(reached, len(tr.Runs)), strconv.Itoa(wasted)
	}
	return want
}

func FuzzGoldenPath(f *testing.F) {
	fuzzRuns(f, func(t *testing.T, r *rand.Rand) {
		text := wordRuns(r, []string{"a", "b", "c", "d"})
		tr := readWorked(text)
		needed := 1 + r.IntN(4)
		block, steps := "calls: "+strconv.Itoa(needed), []fuzzStep(nil)
		if r.IntN(4) > 0 {
			var list string
			steps, list = fuzzSteps(r)
			block = "steps: " + list
		}
		plan := planOf(t, GoldenPath, block, fuzzClasses)
		m := plan.Measure(tr)
		compareFigures(t, block+" of "+text, m, naiveGolden(steps, needed, tr))
		checkPercents(t, m)
		checkRunOrder(t, r, plan, tr)
	})
}

// TestGoldenPathTakesWork refuses to compare a run of so many calls that the table does not fit into memory.
func TestGoldenPathTakesWork(t *testing.T) {
	plan := planOf(t, GoldenPath, "{steps: [{tool: a, count: 1000}]}", judge.Context{})
	tr := &trace.Trace{Runs: []trace.Run{{Number: 1, Calls: slices.Repeat(readWorked("a").Runs[0].Calls, 17_000)}}}
	if m := plan.Measure(tr); m.Err == "" || len(m.Values) > 0 {
		t.Errorf("%d figures and the problem %q, want a problem alone", len(m.Values), m.Err)
	}
}

func BenchmarkGoldenPath(b *testing.B) {
	_, runs := longTrace()
	steps := stepPath{patterns: []callPattern{{tool: judge.NewToolName("tool_0", nil)}, {tool: judge.NewToolName("tool_1", nil)}}, order: []int{0, 1}}
	g := goldenPath{steps: steps, needed: 2}
	for b.Loop() {
		g.Measure(&trace.Trace{Runs: runs})
	}
}
