package gates

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// recoveryOf configures a block.
func recoveryOf(t *testing.T, block string, in judge.Context) judge.Measurer {
	t.Helper()
	var errs source.Errors
	m := yamlread.Parse("s.yml", []byte(block), &errs)
	plan := configureRecovery(m, in)
	if len(errs) > 0 {
		t.Fatal(errs.Err())
	}
	return plan.Measurer
}

// TestRecoveryByHand counts by hand. recovered is -1 where it is absent.
func TestRecoveryByHand(t *testing.T) {
	in := judge.Context{Servers: []string{"s", "t"}, Classes: []judge.Class{{Name: "get", Members: []string{"get", "fetch"}}, {Name: "two", Members: []string{"s.a", "t.b"}}}}
	tests := []struct {
		block                                    string
		runs                                     []string
		recovered, retries, gaveUp, alternatives int
	}{
		{"{}", []string{"get(1)! get(1)"}, 100, 1, 0, 0},
		{"{}", []string{"get(1)! get(2)"}, 100, 0, 0, 0},
		{"{}", []string{"get(1)! get(1)! get(1)!"}, 0, 2, 1, 0},
		{"{}", []string{"get(1)! other(1) fetch(1)"}, 100, 0, 0, 1},
		{"{}", []string{"get(1) get(2)! other(1)"}, 0, 0, 0, 0},
		{"{}", []string{"get(1)! get(1)! get(2) other(3)!"}, 66, 1, 1, 0},
		{"{}", []string{"get(1) other"}, -1, 0, 0, 0},
		{"{}", []string{"get(1)!", "get(1)"}, 0, 0, 1, 0},         // another run makes nothing good
		{"{}", []string{"get(1)! fetch(1) get(1)"}, 100, 0, 0, 1}, // the class is first
		{"{}", []string{"get(1)! get(2) fetch(1)"}, 100, 0, 0, 0}, // the tool is
		{"{}", []string{"s.a! t.b"}, 100, 0, 0, 1},                // members of their servers
		{"{}", []string{"s.b! t.b"}, 0, 0, 0, 0},                  // another server's
		{"{}", []string{"get(1)! other(1) get(1)!"}, 0, 0, 1, 0},  // not just before
		{"{}", []string{"get(1)! get(1)! other get(2)! get(2)! get(2)! get(2)!"}, 0, 3, 1, 0},
		{"{}", []string{"get(1)! get(1)! get(2)! get(2)!"}, 0, 1, 1, 0}, // two rows
		{"{after: other}", []string{"get(1)! get(1)! other! other"}, 100, 1, 0, 0},
		{"{after: [s.a, fetch]}", []string{"get(1)! get(1)!"}, -1, 0, 0, 0},
		{"{after: hang}", []string{"get(1)! get(1)!"}, -1, 0, 0, 0},
	}
	for _, test := range tests {
		m := recoveryOf(t, test.block, in).Measure(sketchRuns(test.runs...))
		want := map[string]int{retriesTarget: test.retries, maxRetries: test.retries, gaveUpTarget: test.gaveUp, alternativesTarget: test.alternatives}
		if test.recovered >= 0 {
			want[recoveredTarget] = test.recovered
		}
		sameFigures(t, test.block+" "+test.runs[0], m, want)
	}
}

// TestRecoveryAfterFault counts the errors under a fault, and those of a tool that has the name of one.
func TestRecoveryAfterFault(t *testing.T) {
	tr := sketchRuns("get(1)! get(1) slow! get(2)! get(3)")
	tr.Runs[0].Calls[0].Detail.Fault = "hang"
	m := recoveryOf(t, "after: [hang, slow]", judge.Context{}).Measure(tr)
	sameFigures(t, "after a fault", m, map[string]int{recoveredTarget: 50, retriesTarget: 1, maxRetries: 1, gaveUpTarget: 0})
}

// naiveRecovery counts as the rules are worded, call by call. counts says which errors do.
func naiveRecovery(o orchestration, tr *trace.Trace, counts func(trace.Call) bool) map[string]int {
	calls, errors, recovered := 0, 0, 0
	figures := map[string]int{retriesTarget: 0, gaveUpTarget: 0}
	if len(o.in.Classes) > 0 {
		figures[alternativesTarget] = 0
	}
	for _, run := range tr.Runs {
		calls += len(run.Calls)
		for i, call := range run.Calls {
			if !counts(call) {
				continue
			}
			errors++
			later := slices.IndexFunc(run.Calls[i+1:], func(other trace.Call) bool {
				return !other.Failed && equivalent(o, call.Tool.Ref, other.Tool.Ref)
			})
			if later >= 0 {
				recovered++
				if run.Calls[i+1+later].Tool.Ref != call.Tool.Ref {
					figures[alternativesTarget]++
				}
			}
			if i == len(run.Calls)-1 {
				figures[gaveUpTarget]++
			}
			row := 0
			for j := i; j+1 < len(run.Calls) && counts(run.Calls[j]) && naiveEqual(run.Calls[j], run.Calls[j+1]); j++ {
				row++
			}
			figures[retriesTarget] = max(figures[retriesTarget], row)
		}
	}
	if calls == 0 {
		return map[string]int{}
	}
	if errors > 0 {
		figures[recoveredTarget] = 100 * recovered / errors
	}
	figures[maxRetries] = figures[retriesTarget]
	return figures
}

func FuzzRecovery(f *testing.F) {
	for seed := range thorough.Cases(uint64(2500)) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 6))
		in := judge.Context{Servers: []string{"s", "t"}}
		for _, class := range []judge.Class{{Name: "1", Members: []string{"s.a", "b"}}, {Name: "2", Members: []string{"c", "t.b"}}} {
			if r.IntN(2) == 0 {
				in.Classes = append(in.Classes, class)
			}
		}
		block, after := "{}", judge.NewMembers([]string{"b", "s.a"}, in.Servers)
		if r.IntN(3) == 0 {
			block = "after: [b, s.a]"
		}
		tr := sketches(r, 1+r.IntN(8))
		gate := recoveryOf(t, block, in)
		got := gate.Measure(tr)
		sameFigures(t, seed, got, naiveRecovery(orchestration{in: in}, tr, func(call trace.Call) bool {
			return call.Failed && (block == "{}" || after.Names(call.Tool.Ref))
		}))
		checkPercents(t, got)
		shuffle(r, tr.Runs)
		if diff := cmp.Diff(got, gate.Measure(tr), compareValues); diff != "" {
			t.Errorf("the order of runs matters (-recorded +shuffled):\n%s", diff)
		}
	})
}

func BenchmarkRecovery(b *testing.B) {
	classes, runs := longTrace()
	tr := &trace.Trace{Runs: runs}
	gate := &recovery{in: judge.Context{Servers: []string{"server"}, Classes: classes}, all: true}
	for b.Loop() {
		gate.Measure(tr)
	}
}
