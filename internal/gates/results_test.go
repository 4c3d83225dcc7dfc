package gates

import (
	"math/rand/v2"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/org/mcp-gates/internal/judge"

	"github.com/google/go-cmp/cmp"
)

// TestOrderOfRuns shuffles the runs of every example: the results must stay the same to the byte.
func TestOrderOfRuns(t *testing.T) {
	for _, e := range readExamples(t) {
		checks, _ := e.checks(t)
		if len(e.mistakes) > 0 {
			continue
		}
		tr := e.trace(t)
		want, err := json.Marshal(new(judge.Work).Evaluate(e.name(), checks, tr))
		if err != nil {
			t.Fatal(err)
		}
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(tr.Runs), func(i, j int) { tr.Runs[i], tr.Runs[j] = tr.Runs[j], tr.Runs[i] })
		got, _ := json.Marshal(new(judge.Work).Evaluate(e.name(), checks, tr))
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s: the order of runs matters (-recorded +shuffled):\n%s", e.file, diff)
		}
	}
}

// TestResultsReadBack reads the results of every example back and writes them again; printed figures stay the same.
func TestResultsReadBack(t *testing.T) {
	for _, e := range readExamples(t) {
		checks, _ := e.checks(t)
		if len(e.mistakes) > 0 {
			continue
		}
		for _, result := range new(judge.Work).Evaluate(e.name(), checks, e.trace(t)) {
			want, err := json.Marshal(result)
			if err != nil {
				t.Fatal(err)
			}
			var back judge.Result
			if err := json.Unmarshal(want, &back); err != nil {
				t.Errorf("%s: %v in %s", e.file, err, want)
				continue
			}
			Find(result.Gate).Restore(&back)
			if got, _ := json.Marshal(back); string(got) != string(want) {
				t.Errorf("%s: (-written +read back):\n%s", e.file, cmp.Diff(string(want), string(got)))
			}
			for target, v := range result.Metrics {
				if got := back.Metrics[target].Format(); got != v.Format() {
					t.Errorf("%s: %s is printed %s after reading back, want %s", e.file, target, got, v.Format())
				}
			}
		}
	}
}
