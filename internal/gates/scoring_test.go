package gates

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/trace"
)

// naiveScore counts as the rule is worded, call by call.
func naiveScore(classes []judge.Class, in judge.Context, runs []trace.Run) (tp, fp, fn int) {
	for _, run := range runs {
		done := make([]bool, len(classes))
		for _, call := range run.Calls {
			member, took := false, false
			for i, class := range classes {
				if !judge.NewMembers(class.Members, in.Servers).Names(call.Tool.Ref) {
					continue
				}
				member = true
				if !done[i] && !took {
					done[i], took = true, true
					tp++
				}
			}
			if !member {
				fp++
			}
		}
		for _, d := range done {
			if !d {
				fn++
			}
		}
	}
	return tp, fp, fn
}

// scoringCase makes classes and runs of few names, so that they overlap.
func scoringCase(r *rand.Rand) ([]judge.Class, judge.Context, []trace.Run) {
	servers := []string{"a", "a.b", "c"}
	names := []string{"x", "b.x", "y", "a.x", "z"}
	var classes []judge.Class
	for i := range r.IntN(4) {
		class := judge.Class{Name: fmt.Sprint("class ", i)}
		for range 1 + r.IntN(3) {
			member := names[r.IntN(len(names))]
			if r.IntN(2) == 0 {
				member = servers[r.IntN(len(servers))] + "." + member
			}
			if !slices.Contains(class.Members, member) {
				class.Members = append(class.Members, member)
			}
		}
		classes = append(classes, class)
	}
	runs := make([]trace.Run, r.IntN(6))
	for i := range runs {
		runs[i].Number = i + 1
		for range r.IntN(6) {
			ref := catalog.Ref{Server: append(servers, "")[r.IntN(4)], Name: names[r.IntN(len(names))]}
			runs[i].Calls = append(runs[i].Calls, trace.Call{Tool: &trace.Tool{Ref: ref}})
		}
	}
	return classes, judge.Context{Servers: servers[:2]}, runs
}

func FuzzScoreClasses(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		classes, in, runs := scoringCase(r)
		got := scoreClasses(classes, in, runs)
		if tp, fp, fn := naiveScore(classes, in, runs); got.TP != tp || got.FP != fp || got.FN != fn {
			t.Errorf("counts are %d, %d, %d, want %d, %d, %d", got.TP, got.FP, got.FN, tp, fp, fn)
		}
		if got.TP+got.FN != len(classes)*len(runs) {
			t.Errorf("TP %d + FN %d, want %d classes in %d runs", got.TP, got.FN, len(classes), len(runs))
		}
		checkSums(t, got)
		for name, percent := range map[string]int{"f1": got.f1(), "precision": got.precision(), "recall": got.recall()} {
			if percent < 0 || percent > 100 {
				t.Errorf("%s is %d, want 0 to 100", name, percent)
			}
		}
		shuffled := slices.Clone(runs)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if diff := cmp.Diff(got, scoreClasses(classes, in, shuffled)); diff != "" {
			t.Errorf("the order of runs matters (-recorded +shuffled):\n%s", diff)
		}
	})
}

// checkSums compares the lists of the evidence with the counts.
func checkSums(t *testing.T, s selection) {
	t.Helper()
	matched, missed, calls := 0, 0, 0
	for _, m := range s.Of(judge.Matched) {
		matched += len(m.Runs)
	}
	for _, m := range s.Of(judge.Missed) {
		missed += len(m.Runs)
	}
	for _, u := range s.Of(judge.Unexpected) {
		calls += u.Calls
		if len(u.Runs) == 0 || len(u.Runs) > u.Calls {
			t.Errorf("%s: %d calls in runs %v", u.Subject, u.Calls, u.Runs)
		}
	}
	if matched != s.TP || missed != s.FN || calls != s.FP {
		t.Errorf("the evidence adds up to %d, %d, %d, want TP %d, FP %d, FN %d", matched, calls, missed, s.TP, s.FP, s.FN)
	}
}

func TestScoreNothing(t *testing.T) {
	none := scoreClasses(nil, judge.Context{}, []trace.Run{{Number: 1}})
	if none.f1() != 100 || none.precision() != 100 || none.recall() != 100 {
		t.Errorf("no class and no call: %d, %d, %d, want 100 each", none.f1(), none.precision(), none.recall())
	}
	wrong := scoreClasses(nil, judge.Context{}, []trace.Run{{Number: 1, Calls: []trace.Call{{Tool: &trace.Tool{}}}}})
	if wrong.f1() != 0 || wrong.precision() != 0 || wrong.recall() != 0 {
		t.Errorf("no class and one call: %d, %d, %d, want 0 each", wrong.f1(), wrong.precision(), wrong.recall())
	}
}

// TestManyMissedRuns pins how many runs the notes of a gate list, and that the others are counted.
func TestManyMissedRuns(t *testing.T) {
	classes := slices.Repeat([]judge.Class{{Name: "c", Members: []string{"t"}}}, maxClasses)
	all := scoreClasses(classes, judge.Context{}, make([]trace.Run, maxListedRuns/maxClasses+2))
	if note := all.Of(judge.Missed)[0]; note.MoreRuns != 2 {
		t.Errorf("%d more runs, want 2", note.MoreRuns)
	}
}

// longTrace is the size of a large recording.
func longTrace() ([]judge.Class, []trace.Run) {
	tools := make([]*trace.Tool, 50)
	for i := range tools {
		tools[i] = &trace.Tool{Ref: catalog.Ref{Server: "server", Name: fmt.Sprint("tool_", i)}}
	}
	runs := make([]trace.Run, 70_000)
	for i := range runs {
		runs[i] = trace.Run{Number: i + 1, Calls: []trace.Call{{Tool: tools[0]}, {Tool: tools[i%50]}, {Tool: tools[i%7]}}}
	}
	return []judge.Class{{Name: "one", Members: []string{"tool_0"}}, {Name: "two", Members: []string{"server.tool_1", "tool_2"}}}, runs
}

func BenchmarkScoreClasses(b *testing.B) {
	classes, runs := longTrace()
	for b.Loop() {
		scoreClasses(classes, judge.Context{Servers: []string{"server"}}, runs)
	}
}
