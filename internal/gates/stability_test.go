package gates

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/org/mcp-gates/internal/trace"
)

// TestStability counts by hand.
func TestStability(t *testing.T) {
	tests := []struct {
		calls                   string
		thrash, loops, progress int
	}{
		{"search(1)", 100, 100, 100},
		{"a(1) b(1) a(1) b(1)", 50, 100, 0},
		{"a(1) b(1) a(2) b(2)", 75, 100, 100},
		{"get(7)! get(7)! get(7)!", 100, 33, 0},
		{"get(7)! get(7) get(7)", 100, 66, 0},
		{"a(1) b(2) c(3) a(4)", 100, 100, 100},
		{"a b a b", 50, 100, 0},
		{"a(1) b(2) c(3) d(4) e(5) a(1)", 100, 100, 66},        // five calls back
		{"a(1) b(2) c(3) d(4) a(1)", 80, 100, 50},              // four
		{"a(1) a(1) a(1)", 100, 100, 0},                        // no other tool between
		{"get(7)! get(7.0)! get(70e-1)!", 100, 33, 0},          // numbers compare as numbers
		{`a(7)! a("7")! a(8)!`, 100, 100, 100},                 // a text is not a number
		{"get(7)! other(1) get(7) get(7)! get(7)!", 80, 60, 0}, // an error after the success begins again
		{`a({"x":1,"y":2})! a({"y":2,"x":1})!`, 100, 50, 0},    // the order of keys
		{"a([1,2])! a([2,1])!", 100, 100, 100},                 // that of lists counts
		{"s.a(1) t.b(1) s.a(1) u.b(1)", 75, 100, 50},           // another server's tool
		{"a(123456789012345678901)! a(123456789012345678902)!", 100, 100, 100},
	}
	for _, test := range tests {
		m := (&stability{window: defaultWindow}).Measure(sketchRuns(test.calls))
		flags := 0
		for _, percent := range []int{test.thrash, test.loops, test.progress} {
			if percent < 50 {
				flags++
			}
		}
		sameFigures(t, test.calls, m, map[string]int{
			thrashTarget: test.thrash, loopsTarget: test.loops, progressTarget: test.progress, driftFlagsTarget: flags,
		})
	}
}

// TestGrowth gives the tokens of turns, -1 for a reply without.
func TestGrowth(t *testing.T) {
	tests := []struct {
		runs [][]int64
		want int // -1 for absent
	}{
		{[][]int64{{100}}, 100},
		{[][]int64{{100, 100}}, 100},
		{[][]int64{{100, 150}}, 100},
		{[][]int64{{100, 200}}, 80},
		{[][]int64{{100, 100, 150, 250}}, 80},
		{[][]int64{{100, 9000, 200}}, 80},
		{[][]int64{{100, 400}}, 0},
		{[][]int64{{100, 900}}, 0},
		{[][]int64{{0, 900}}, 100},
		{[][]int64{{3, 7}}, 66},
		{[][]int64{{100, 200}, {100, 400}}, 40},
		{[][]int64{{1000, 1480}, {1000, 1512}}, 99}, // the first is at most 100
		{[][]int64{{100, 200}, {}}, 80},
		{[][]int64{{100, 200}, {100, -1}}, 80},
		{[][]int64{{100, -1}}, -1},
		{[][]int64{{}}, -1},
		{[][]int64{{trace.MaxCount, 2 * trace.MaxCount}}, 80},
	}
	for _, test := range tests {
		tr := &trace.Trace{}
		for i, tokens := range test.runs {
			run := sketchRuns("a(1)").Runs[0]
			run.Number = i + 1
			run.Turns = append(run.Turns, trace.Turn{Role: "user"})
			for _, n := range tokens {
				run.Turns = append(run.Turns, trace.Turn{Role: "assistant", Total: trace.Count{N: n, Known: n >= 0}})
			}
			tr.Runs = append(tr.Runs, run)
		}
		m := (&stability{window: defaultWindow}).Measure(tr)
		got, ok := percentsOf(m)[growthTarget]
		if !ok {
			got = -1
		}
		if got != test.want {
			t.Errorf("growth of %v is %d, want %d", test.runs, got, test.want)
		}
	}
}

// naiveStability counts as the rules are worded, with rationals.
func naiveStability(window int, tr *trace.Trace) map[string]int {
	sums := map[string]*big.Rat{}
	runs := map[string]int{}
	add := func(target string, r *big.Rat) {
		if sums[target] == nil {
			sums[target] = new(big.Rat)
		}
		sums[target].Add(sums[target], r)
		runs[target]++
	}
	calls := 0
	for _, run := range tr.Runs {
		calls += len(run.Calls)
		for target, bad := range map[string]func(i int) bool{
			thrashTarget: func(i int) bool { return naiveThrash(run.Calls, i, window) },
			loopsTarget:  func(i int) bool { return naiveLoop(run.Calls, i) },
		} {
			add(target, naiveRest(len(run.Calls), 0, bad))
		}
		half := len(run.Calls) / 2
		add(progressTarget, naiveRest(half, len(run.Calls)-half, func(i int) bool {
			for j := range i {
				if naiveEqual(run.Calls[i], run.Calls[j]) {
					return true
				}
			}
			return false
		}))
		if g := naiveGrowth(run.Turns); g != nil {
			add(growthTarget, g)
		}
	}
	if calls == 0 {
		return map[string]int{}
	}
	figures := map[string]int{driftFlagsTarget: 0}
	for target, sum := range sums {
		mean := sum.Quo(sum, big.NewRat(int64(runs[target]), 1))
		figures[target] = int(new(big.Int).Div(mean.Num(), mean.Denom()).Int64())
		if figures[target] < 50 {
			figures[driftFlagsTarget]++
		}
	}
	return figures
}

// naiveRest looks at n calls from the first on.
func naiveRest(n, first int, bad func(i int) bool) *big.Rat {
	if n == 0 {
		return big.NewRat(100, 1)
	}
	good := 0
	for i := first; i < first+n; i++ {
		if !bad(i) {
			good++
		}
	}
	return big.NewRat(int64(100*good), int64(n))
}

func naiveThrash(calls []trace.Call, i, window int) bool {
	recent := false
	for j := max(0, i-window); j < i; j++ {
		recent = recent || calls[j].Tool.Ref == calls[i].Tool.Ref
	}
	if !recent || calls[i-1].Tool.Ref == calls[i].Tool.Ref {
		return false
	}
	for _, leaf := range naiveLeaves(naiveArgs(calls[i])) {
		seen := false
		for j := range i {
			for _, other := range naiveLeaves(naiveArgs(calls[j])) {
				seen = seen || reflect.DeepEqual(leaf, other)
			}
		}
		if !seen {
			return false
		}
	}
	return true
}

func naiveLoop(calls []trace.Call, i int) bool {
	failed := false
	for j := range i {
		if naiveEqual(calls[i], calls[j]) {
			failed = calls[j].Failed
		}
	}
	return failed
}

func naiveEqual(a, b trace.Call) bool {
	return a.Tool.Ref == b.Tool.Ref && a.Args == b.Args && reflect.DeepEqual(naiveArgs(a), naiveArgs(b))
}

// naiveArgs returns the arguments with numbers as floating-point ones, which do for small numbers.
func naiveArgs(call trace.Call) any {
	value, _ := judge.DecodeJSON(call.Arguments())
	return floated(value)
}

func floated(value any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = floated(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = floated(v[key])
		}
	case fmt.Stringer:
		var f float64
		fmt.Sscan(v.String(), &f)
		return f
	}
	return value
}

func naiveLeaves(value any) (leaves []any) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			leaves = append(leaves, naiveLeaves(item)...)
		}
	case map[string]any:
		for _, item := range v {
			leaves = append(leaves, naiveLeaves(item)...)
		}
	case nil:
	default:
		leaves = append(leaves, v)
	}
	return leaves
}

func naiveGrowth(turns []trace.Turn) *big.Rat {
	n := len(turns)
	if n == 0 {
		return nil
	}
	var f, s int64
	for i := range n / 2 {
		f += turns[i].Total.N
		s += turns[n-1-i].Total.N
	}
	if f == 0 {
		return big.NewRat(100, 1)
	}
	growth := big.NewRat(40*(4*f-s), f)
	if growth.Sign() < 0 {
		return new(big.Rat)
	}
	if most := big.NewRat(100, 1); growth.Cmp(most) > 0 {
		return most
	}
	return growth
}

// turns adds random tokens to some runs.
func addTurns(r *rand.Rand, tr *trace.Trace) {
	for i := range tr.Runs {
		for range r.IntN(6) {
			tr.Runs[i].Turns = append(tr.Runs[i].Turns, trace.Turn{Total: trace.Known(int64(r.IntN(50)))})
		}
	}
}

func FuzzStability(f *testing.F) {
	for seed := range thorough.Cases(uint64(2500)) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 5))
		tr := sketches(r, 1+r.IntN(8))
		addTurns(r, tr)
		gate := &stability{window: 1 + r.IntN(5)}
		got := gate.Measure(tr)
		sameFigures(t, seed, got, naiveStability(gate.window, tr))
		checkPercents(t, got)
		shuffle(r, tr.Runs)
		if diff := cmp.Diff(got, gate.Measure(tr), compareValues); diff != "" {
			t.Errorf("the order of runs matters (-recorded +shuffled):\n%s", diff)
		}
	})
}

// TestExactMean adds fractions of which no two have one denominator, and whose sum is a whole number: the bounds do not settle it.
func TestExactMean(t *testing.T) {
	var m exactMean
	const n = 20_000
	for i := int64(1); i <= n; i++ {
		m.add(&fraction{big.NewInt(100), big.NewInt(i * (i + 1))}, int(i)) // 100 times the sum of all is 1 - 1/(n+1)
	}
	m.add(&fraction{big.NewInt(100), big.NewInt(n + 1)}, n+1)
	if got, want := m.floor(), 0; got != want {
		t.Errorf("the mean is %d, want %d", got, want)
	}
	m.runs = 100
	if got, want := m.floor(), 1; got != want { // exactly: the least bit less is 0
		t.Errorf("a hundredth of the sum is %d, want %d", got, want)
	}
}

func BenchmarkStability(b *testing.B) {
	_, runs := longTrace()
	tr := &trace.Trace{Runs: runs}
	gate := &stability{window: defaultWindow}
	for b.Loop() {
		gate.Measure(tr)
	}
}
