package gates

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
)

func TestTrajectoryWorked(t *testing.T) {
	rows := workedRows(t, Trajectory.Doc, "calls of the run")
	for _, row := range rows[1:] {
		for i, column := range rows[0][1:] {
			mode, isMode := modes[column]
			if !isMode {
				mode = strictMode
			}
			m := planOf(t, Trajectory, "{mode: "+string(mode)+", steps: [a, b, c]}", judge.Context{}).Measure(readWorked(row[0]))
			got := map[string]string{"0": "no", "100": "yes"}[m.Values[matchedTarget].Digits()]
			if !isMode {
				got = m.Values[targetCalled(t, Trajectory, column)].Digits()
			}
			if got != row[i+1] {
				t.Errorf("%s: %s is %s, the documentation says %s", row[0], column, got, row[i+1])
			}
		}
	}
}

// TestStepsOfAClass pins that steps of one class are of one list of its tools: classes can be large, and paths long.
func TestStepsOfAClass(t *testing.T) {
	classes := []judge.Class{{Name: "search", Members: []string{"find", "look"}}}
	in := judge.Context{Classes: classes, TestClasses: classes}
	plan := planOf(t, Trajectory, "{mode: strict, steps: [{class: search}, open, {class: search}]}", in)
	if got := len(plan.Named); got != 2 {
		t.Errorf("the plan names %d lists of tools (%q), want 2", got, plan.Named)
	}
	if len(plan.Classes) != 1 {
		t.Errorf("the plan has %d classes of the test, want that of its steps", len(plan.Classes))
	}
}

// TestSteps pins which runs match steps that are more than tools.
func TestSteps(t *testing.T) {
	in := judge.Context{Servers: []string{"brave", "google"}, Classes: []judge.Class{
		{Name: "search", Members: []string{"brave.find", "google.find"}},
	}}
	for _, test := range []struct {
		steps     string
		want, not string // runs
	}{
		{"{tool: a, count: 2}", "a a", "a; a a a; a b"},
		{"{tool: a, count: 2}, a", "a a a", "a a"},
		{"{class: search}", "brave.find; google.find", "find; other.find; brave.fetch"},
		{"{class: search, args: {x: 1}}", "brave.find(1.0)", "brave.find(2); brave.find"},
		{"{tool: a, exact_args: true}", "a", "a(1)"},
		{"{tool: a, args: {x: 1}, exact_args: true}", "a(1)", `a(2); a; a({"y":1})`},
		{`{tool: a, args: {"x.y": 1}, exact_args: true}`, `a({"y":1,"z":2})`, `a({"z":1}); a(1)`},
		{"brave.*, '*'", "brave.find z; brave.x brave.y", "google.find brave.find; brave.find"},
	} {
		plan := planOf(t, Trajectory, "{mode: strict, steps: ["+test.steps+"]}", in)
		for i, runs := range []string{test.want, test.not} {
			for run := range strings.SplitSeq(runs, ";") {
				want := []string{"100", "0"}[i]
				if got := plan.Measure(readWorked(run)).Values[matchedTarget].Digits(); got != want {
					t.Errorf("%s: %s matches %s %%, want %s", test.steps, run, got, want)
				}
			}
		}
	}
}

// TestStray pins where a run leaves its path: POSITION EXPECTED FOUND.
func TestStray(t *testing.T) {
	const end = noStep
	for _, test := range []struct {
		mode, run, want string
	}{
		{"strict", "a b x", "3 c x"},
		{"strict", "a b", "3 c "},
		{"strict", "a b c a", "4 " + end + " a"},
		{"strict", "x", "1 a x"},
		{"in_order", "b a x b", "5 c "},
		{"in_order", "a x c", "2 b x"},
		{"in_order", "c b a", "4 b "},
		{"unordered", "c x b", "2 a x"},
		{"unordered", "c b", "3 a "},
		{"unordered", "c b a a", "4 " + end + " a"},
		{"superset", "x c b y", "5 a "},
		{"subset", "b x y", "2 " + end + " x"},
		{"subset", "b b", "2 " + end + " b"},
	} {
		m := planOf(t, Trajectory, "{mode: "+test.mode+", steps: [a, b, c]}", judge.Context{}).Measure(readWorked(test.run))
		if len(m.Notes) != 1 {
			t.Errorf("%s of %q: %d notes, want one", test.mode, test.run, len(m.Notes))
			continue
		}
		n := m.Notes[0]
		if got := strconv.Itoa(n.Call) + " " + n.Subject + " " + n.Text; got != test.want {
			t.Errorf("%s of %q: left at %q, want %q", test.mode, test.run, got, test.want)
		}
	}
	m := planOf(t, Trajectory, "{mode: strict, steps: [{tool: a, args: {x: 1}}]}", judge.Context{}).Measure(readWorked("a(2)"))
	if want := "a with other arguments"; m.Notes[0].Text != want || m.Notes[0].Subject != "a(x: 1)" {
		t.Errorf("found %q in place of %q, want %q", m.Notes[0].Text, m.Notes[0].Subject, want)
	}
}

// fuzzStep is a step of a few tools, with the argument x or without.
type fuzzStep struct{ tools, x string }

func (s fuzzStep) fits(call trace.Call) bool {
	return strings.Contains(s.tools, call.Tool.Name) && (s.x == "" || slices.Contains(strings.Split(s.x, "|"), string(call.Arguments())))
}

// fuzzSteps makes steps whose tools and arguments overlap, and the block that says so.
func fuzzSteps(r *rand.Rand) (steps []fuzzStep, block string) {
	var entries []string
	for range 1 + r.IntN(5) {
		one := []struct {
			entry string
			step  fuzzStep
		}{
			{"a", fuzzStep{"a", ""}}, {"b", fuzzStep{"b", ""}}, {"'*'", fuzzStep{"abcd", ""}}, {"{class: bc}", fuzzStep{"bc", ""}},
			{"{tool: a, args: {x: 1}}", fuzzStep{"a", `{"x":1}|{"x":1.0}`}},
			{"{tool: '*', args: {x: {'>': 1}}}", fuzzStep{"abcd", `{"x":2}`}},
		}[r.IntN(6)]
		count := 1 + r.IntN(2)
		if count == 2 && strings.HasPrefix(one.entry, "{") {
			one.entry = strings.TrimSuffix(one.entry, "}") + ", count: 2}"
		} else {
			count = 1
		}
		entries = append(entries, one.entry)
		steps = append(steps, slices.Repeat([]fuzzStep{one.step}, count)...)
	}
	return steps, "[" + strings.Join(entries, ", ") + "]"
}

var fuzzClasses = judge.Context{Classes: []judge.Class{{Name: "bc", Members: []string{"b", "c"}}}}

// naivePairing returns the size of the largest pairing, by trying every step for each call.
func naivePairing(steps []fuzzStep, calls []trace.Call, used int) int {
	if len(calls) == 0 {
		return 0
	}
	best := naivePairing(steps, calls[1:], used)
	for i, step := range steps {
		if used&(1<<i) == 0 && step.fits(calls[0]) {
			best = max(best, 1+naivePairing(steps, calls[1:], used|1<<i))
		}
	}
	return best
}

func naiveDistance(steps []fuzzStep, calls []trace.Call) int {
	if len(steps) == 0 || len(calls) == 0 {
		return len(steps) + len(calls)
	}
	if steps[0].fits(calls[0]) {
		return naiveDistance(steps[1:], calls[1:])
	}
	return 1 + min(naiveDistance(steps[1:], calls), naiveDistance(steps, calls[1:]), naiveDistance(steps[1:], calls[1:]))
}

func naiveInOrder(steps []fuzzStep, calls []trace.Call) bool {
	if len(steps) == 0 {
		return true
	}
	for i, call := range calls {
		if steps[0].fits(call) && naiveInOrder(steps[1:], calls[i+1:]) {
			return true
		}
	}
	return false
}

func naiveMatches(mode string, steps []fuzzStep, calls []trace.Call, m int) bool {
	switch mode {
	case "strict", "exact":
		return len(steps) == len(calls) && naiveDistance(steps, calls) == 0
	case "in_order", "subsequence":
		return naiveInOrder(steps, calls)
	case "unordered":
		return m == len(steps) && m == len(calls)
	case "superset":
		return m == len(steps)
	}
	return m == len(calls)
}

func naiveTrajectory(mode string, steps []fuzzStep, tr *trace.Trace) map[string]string {
	matched, paired, calls, distance := 0, 0, 0, 0
	for _, run := range tr.Runs {
		m := naivePairing(steps, run.Calls, 0)
		paired += m
		calls += len(run.Calls)
		distance = max(distance, naiveDistance(steps, run.Calls))
		if naiveMatches(mode, steps, run.Calls, m) {
			matched++
		}
	}
	if calls == 0 {
		return nil
	}
	return map[string]string{
		matchedTarget: percentText(matched, len(tr.Runs)), precisionTarget: percentText(paired, calls),
		recallTarget: percentText(paired, len(steps)*len(tr.Runs)), editDistanceTarget: strconv.Itoa(distance),
	}
}

func FuzzTrajectory(f *testing.F) {
	fuzzRuns(f, func(t *testing.T, r *rand.Rand) {
		steps, block := fuzzSteps(r)
		mode := slices.Sorted(maps.Keys(modes))[r.IntN(len(modes))]
		text := wordRuns(r, []string{"a", "b", "c", "d"})
		tr := readWorked(text)
		plan := planOf(t, Trajectory, "{mode: "+mode+", steps: "+block+"}", fuzzClasses)
		m := plan.Measure(tr)
		compareFigures(t, mode+" "+block+" of "+text, m, naiveTrajectory(mode, steps, tr))
		if len(m.Values) > 0 && (len(m.Notes) == 0) != (m.Values[matchedTarget].Digits() == "100") {
			t.Errorf("%s %s of %s: %d notes, and %s %% match", mode, block, text, len(m.Notes), m.Values[matchedTarget].Digits())
		}
		checkPercents(t, m)
		checkRunOrder(t, r, plan, tr)
	})
}

// TestTrajectoryTakesWork refuses to compare without end.
func TestTrajectoryTakesWork(t *testing.T) {
	plan := planOf(t, Trajectory, "{mode: strict, steps: [{tool: a, count: 1000}]}", judge.Context{})
	tr := &trace.Trace{Runs: []trace.Run{{Number: 1, Calls: slices.Repeat(readWorked("a").Runs[0].Calls, 1_100_000)}}}
	if m := plan.Measure(tr); m.Err == "" || len(m.Values) > 0 {
		t.Errorf("%d figures and the problem %q, want only a problem", len(m.Values), m.Err)
	}
}

func BenchmarkTrajectory(b *testing.B) {
	_, runs := longTrace()
	steps := stepPath{patterns: []callPattern{{tool: judge.NewToolName("tool_0", nil)}, {tool: judge.NewToolName("tool_1", nil)}}, order: []int{0, 1}}
	t := trajectory{mode: inOrderMode, steps: steps}
	for b.Loop() {
		t.Measure(&trace.Trace{Runs: runs})
	}
}
