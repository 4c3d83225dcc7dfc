package trend

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// TestLosses pins where something stopped to hold: h holds, f fails, and of ? nothing is known.
func TestLosses(t *testing.T) {
	for _, test := range []struct {
		states string
		want   []string // from before to after, and how many are between
	}{
		{"", nil},
		{"???", nil},
		{"hhh", nil},
		{"hff", []string{"0-1+0"}},
		{"hffhf", []string{"0-1+0", "3-4+0"}},
		{"ff", []string{"none-0+0"}},
		{"?f", []string{"none-1+1"}},
		{"h??f?f", []string{"0-3+2"}},
		{"f?hf", []string{"none-0+0", "2-3+0"}},
	} {
		h := &History{}
		at := map[*Point]int{}
		for i := range test.states {
			p := &Point{}
			at[p], h.Points = i, append(h.Points, p)
		}
		var got []string
		for _, loss := range h.Losses(func(p *Point) State {
			return map[byte]State{'h': Holds, 'f': Fails, '?': Unknown}[test.states[at[p]]]
		}) {
			before := "none"
			if loss.Before != nil {
				before = fmt.Sprint(at[loss.Before])
			}
			got = append(got, fmt.Sprintf("%s-%d+%d", before, at[loss.After], len(loss.Between)))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q: -want +got\n%s", test.states, diff)
		}
	}
}

// TestSurface pins that the tokens of several catalogs are known only where those of each are.
func TestSurface(t *testing.T) {
	known := &Catalog{Path: "a.json", Figures: []Figure{{Target: "surface_tokens", Value: judge.Int(5, judge.Tokens)}}}
	manifest := &Catalog{Path: "b.json", Figures: []Figure{{Target: "tools", Value: judge.Int(1, judge.Number)}}}
	for _, test := range []struct {
		catalogs []*Catalog
		want     State
	}{
		{nil, Unknown},
		{[]*Catalog{known}, Holds},
		{[]*Catalog{known, known}, Fails},
		{[]*Catalog{known, manifest}, Unknown},
		{[]*Catalog{manifest, known}, Unknown},
	} {
		if got := Below(9)(&Point{Catalogs: test.catalogs}); got != test.want {
			t.Errorf("%d catalogs: %v, want %v", len(test.catalogs), got, test.want)
		}
	}
}

// TestWhy pins why a commit does not say whether a condition holds.
func TestWhy(t *testing.T) {
	for _, test := range []struct {
		point Point
		want  string
	}{
		{Point{Gap: "not in the local clone"}, "which could not be evaluated: not in the local clone"},
		{Point{Problems: []report.Problem{{Path: "a.yml", Line: 2, Col: 3, Message: "a mistake"}}}, "which could not be evaluated: a.yml:2:3: a mistake"},
		{Point{}, "in which it is absent or skipped"},
	} {
		if got := test.point.Why(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}
