package gates

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/org/mcp-gates/internal/trace"
)

const twoClasses = "classes: [{name: w, members: [w]}, {name: v, members: [v]}]"

func TestToolSearchWorked(t *testing.T) {
	checkWorked(t, ToolSearch, "calls of the runs", twoClasses, judge.Context{})
}

// naiveToolSearch counts as the rules are worded.
func naiveToolSearch(tr *trace.Trace) map[string]int {
	found, picked, rank, most, empty, loaded, unused, all := 0, 0, 0, 0, 0, 0, 0, 0
	for _, run := range tr.Runs {
		isFound, isPicked, searches := true, true, 0
		for _, class := range []string{"w", "v"} {
			at, seen := -1, false
			for i, call := range run.Calls {
				if s := call.Search(); s != nil {
					place := slices.Index(s.Tools, catalog.Ref{Name: class})
					if place >= 0 && at < 0 {
						at = i
					}
					if place >= 0 && !s.ByName && !seen {
						seen, rank = true, max(rank, place+1)
					}
				}
			}
			isFound = isFound && at >= 0
			isPicked = isPicked && at >= 0 && slices.ContainsFunc(run.Calls[at:], func(c trace.Call) bool { return c.Search() == nil && c.Tool.Name == class })
		}
		var got []catalog.Ref
		for _, call := range run.Calls {
			s := call.Search()
			if s == nil {
				continue
			}
			all++
			got = append(got, s.Tools...)
			if !s.ByName {
				searches++
				if len(s.Tools) == 0 {
					empty++
				}
			}
		}
		slices.SortFunc(got, func(a, b catalog.Ref) int { return strings.Compare(a.Name, b.Name) })
		for _, ref := range slices.Compact(got) {
			loaded++
			if !slices.ContainsFunc(run.Calls, func(c trace.Call) bool { return c.Tool.Ref == ref }) {
				unused++
			}
		}
		most = max(most, searches)
		if isFound {
			found++
			if isPicked {
				picked++
			}
		}
	}
	if all == 0 {
		return map[string]int{}
	}
	figures := map[string]int{foundTarget: found * 100 / len(tr.Runs), searchesTarget: most, emptyTarget: empty}
	if found > 0 {
		figures[pickedTarget] = picked * 100 / found
	}
	if rank > 0 {
		figures[rankTarget] = rank
	}
	if loaded > 0 {
		figures[unusedTarget] = unused * 100 / loaded
	} else {
		figures[loadedTokensTarget] = 0
	}
	return figures
}

// FuzzToolSearch holds the gate to a second implementation, whatever the order of runs.
func FuzzToolSearch(f *testing.F) {
	for seed := range uint64(thorough.Size(200, 20)) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 7))
		var runs []string
		for range 1 + r.IntN(4) {
			var words []string
			for range r.IntN(6) {
				words = append(words, []string{"w", "v", "a", "?", "?a", "?w", "?a,w,v", "?v,a", "=w", "=v,w", "="}[r.IntN(11)])
			}
			runs = append(runs, strings.Join(words, " "))
		}
		plan := planOf(t, ToolSearch, twoClasses, judge.Context{})
		tr := readWorked(strings.Join(runs, ";"))
		want := naiveToolSearch(tr)
		for range 2 {
			m, got := plan.Measure(tr), map[string]int{}
			for target, v := range m.Values {
				n, err := strconv.Atoi(v.Digits())
				if err != nil {
					t.Fatal(err)
				}
				got[target] = n
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%q -want +got\n%s", runs, diff)
			}
			slices.Reverse(tr.Runs)
		}
	})
}
