package gates

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// configure reads a block of a gate from YAML that must hold no mistake.
func configure(t *testing.T, g *judge.Gate, block string, in judge.Context) judge.Plan {
	t.Helper()
	var errs source.Errors
	plan := g.Configure(yamlread.Parse("test.yaml", []byte(block), &errs), in)
	if len(errs) > 0 {
		t.Fatalf("%s\n%v", block, errs.Err())
	}
	return plan
}

func TestInject(t *testing.T) {
	real := []*catalog.Tool{{Server: "b", Name: "get"}, {Server: "a", Name: "get"}, {Server: "a.b", Name: "get"}}
	in := judge.Context{Servers: []string{"a", "a.b", "b"}}
	tests := []struct {
		name, block string
		want        []string
		offer       []int
	}{
		{"bundled", "{count: 2, source: {from: catalog}}", []string{"distractor.convert_currency", "distractor.find_recipes"}, nil},
		{"none", "{count: 0, source: {from: catalog}}", nil, nil},
		{"as many as the largest point needs", "{count: 1, curve: [2, 0, 1], source: {from: catalog}}",
			[]string{"distractor.convert_currency", "distractor.find_recipes"}, []int{0, 1, 2}},
		{"a bare name is the first server's", "{count: 1, source: {from: near_duplicate, of: [get]}}", []string{"b.get_v2"}, nil},
		{"a qualified name", "{count: 1, source: {from: near_duplicate, of: [a.b.get]}}", []string{"a.b.get_v2"}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			plan := configure(t, Distractors, test.block, in)
			tools, err := plan.Measurer.(judge.Injector).Inject(real)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, tool := range tools {
				got = append(got, tool.Ref().ID())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Inject of %s (-want +got):\n%s", test.block, diff)
			}
			if diff := cmp.Diff(test.offer, plan.Measurer.(judge.Injector).Offer()); diff != "" {
				t.Errorf("Offer of %s (-want +got):\n%s", test.block, diff)
			}
		})
	}
}

// TestInjectedWithoutCatalog scores near duplicates where neither the recording nor the suite knows the real tools.
func TestInjectedWithoutCatalog(t *testing.T) {
	in := judge.Context{Servers: []string{"a", "a.b"}}
	d := distractors{in: in, count: 3, imitate: []string{"a.b.get", "other.get", "list"}}
	got, err := d.injected(&trace.Trace{})
	want := []catalog.Ref{{Server: "a.b", Name: "get_v2"}, {Name: "other.get_v2"}, {Name: "list_v2"}}
	if err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("injected: %v (-want +got):\n%s", err, cmp.Diff(want, got))
	}
}

// TestMembersOfDistractors hands the suite the tools that the block names.
func TestMembersOfDistractors(t *testing.T) {
	plan := configure(t, Distractors, "count: 0\nsource: {from: near_duplicate, of: c}\ncorrect: [a, b]\n", judge.Context{})
	want := []judge.Member{{Name: "a", Pos: source.Pos{File: "test.yaml", Line: 3, Col: 11}}, {Name: "b", Pos: source.Pos{File: "test.yaml", Line: 3, Col: 14}}, {Name: "c", Pos: source.Pos{File: "test.yaml", Line: 2, Col: 36}}}
	if diff := cmp.Diff(want, plan.Members); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
}

// naiveHits counts as the rule is worded, call by call.
func naiveHits(d distractors, list []catalog.Ref, runs []trace.Run) (right, wrong, succeeded int) {
	correct := judge.NewMembers(d.correct, d.in.Servers)
	for _, run := range runs {
		offered := list
		if run.Offered.Known {
			offered = list[:min(int(run.Offered.N), len(list))]
		}
		goodHits, badHits := 0, 0
		for _, call := range run.Calls {
			isInjected := slices.ContainsFunc(offered, func(ref catalog.Ref) bool {
				return ref.Matches(call.Tool.Ref) || ref.Server == "" && ref.Name == call.Tool.ID()
			})
			switch {
			case correct.Names(call.Tool.Ref):
				goodHits++
			case isInjected:
				badHits++
			}
		}
		right, wrong = right+goodHits, wrong+badHits
		if badHits == 0 && (goodHits > 0 || len(d.correct) == 0) {
			succeeded++
		}
	}
	return right, wrong, succeeded
}

// distractorCase makes a list, correct tools and runs of few names, so that they overlap.
func distractorCase(r *rand.Rand) (distractors, *trace.Trace) {
	servers := []string{"a", "a.b", "c", ""}
	names := []string{"x", "b.x", "y", "a.x", "z"}
	ref := func() catalog.Ref { return catalog.Ref{Server: servers[r.IntN(4)], Name: names[r.IntN(5)]} }
	d := distractors{in: judge.Context{Servers: servers[:2]}}
	tr := &trace.Trace{Header: trace.Header{Distractors: []catalog.Ref{}}}
	for range r.IntN(5) {
		tr.Distractors = append(tr.Distractors, ref())
	}
	for range r.IntN(3) {
		d.correct = append(d.correct, ref().ID())
	}
	if r.IntN(2) == 0 {
		d.curve = []int{0, 1, 2, 4}
	}
	tr.Runs = make([]trace.Run, 1+r.IntN(5))
	for i := range tr.Runs {
		tr.Runs[i].Number = i + 1
		if r.IntN(2) == 0 {
			tr.Runs[i].Offered = trace.Known(r.Int64N(6))
		}
		for range r.IntN(5) {
			tr.Runs[i].Calls = append(tr.Runs[i].Calls, trace.Call{Tool: &trace.Tool{Ref: ref()}})
		}
	}
	return d, tr
}

func FuzzDistractors(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 2))
		d, tr := distractorCase(r)
		got := d.Measure(tr)
		right, wrong, succeeded := naiveHits(d, tr.Distractors, tr.Runs)
		want := map[string]int{"correct": right, "distractor": wrong, "succeeded": succeeded}
		if diff := cmp.Diff(want, got.Counts); diff != "" {
			t.Errorf("counts (-want +got):\n%s", diff)
		}
		hits := 0
		for _, tally := range got.Notes {
			hits += tally.Calls
		}
		if hits != wrong {
			t.Errorf("the evidence adds up to %d distractor hits, want %d", hits, wrong)
		}
		checkPercents(t, got)
		shuffle(r, tr.Runs)
		if diff := cmp.Diff(got, d.Measure(tr), compareValues); diff != "" {
			t.Errorf("the order of runs matters (-recorded +shuffled):\n%s", diff)
		}
	})
}

// checkPercents looks for percentages out of range.
func checkPercents(t *testing.T, m judge.Measurement) {
	t.Helper()
	for target, v := range m.Values {
		if v.Unit == judge.Percent && (v.Cmp(judge.Int(0, judge.Percent)) < 0 || v.Cmp(judge.Int(100, judge.Percent)) > 0) {
			t.Errorf("%s is %s, want 0 to 100", target, v.Format())
		}
	}
	for _, p := range m.Curve {
		if p.Accuracy < 0 || p.Accuracy > 100 || p.CertifiedLower < 0 || p.CertifiedLower > 100 || p.Runs < 1 {
			t.Errorf("a point of the curve is %+v", p)
		}
	}
}

var compareValues = cmp.Comparer(func(a, b judge.Value) bool { return a.Unit == b.Unit && a.Cmp(b) == 0 })

func shuffle(r *rand.Rand, runs []trace.Run) {
	r.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
}
