package annotation

import (
	"slices"
	"testing"

	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/reporttest"
)

// TestFingerprints pins that a fingerprint survives moved lines and another bound, that what is about something else has
// another one, and that no two items share one.
func TestFingerprints(t *testing.T) {
	all := Of(reporttest.Everything(plain), Options{})
	want := Fingerprints(all)
	if sorted := slices.Sorted(slices.Values(want)); len(slices.Compact(sorted)) != len(all) {
		t.Errorf("got %d fingerprints, want one for each of %d items", len(slices.Compact(sorted)), len(all))
	}
	moved := reporttest.Everything(plain)
	for i := range moved.Cases {
		for j := range moved.Cases[i].Gates {
			g := &moved.Cases[i].Gates[j]
			g.Line += 100
			for k := range g.Assertions {
				g.Assertions[k].Line += 100
				g.Assertions[k].Matcher += "0"
			}
			for k := range g.Notes {
				if g.Notes[k].Line > 0 {
					g.Notes[k].Line += 100
				}
			}
		}
	}
	got := Fingerprints(Of(moved, Options{}))
	if got, want := slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want)); !slices.Equal(got, want) {
		t.Errorf("moved lines change fingerprints:\n got %q\nwant %q", got, want)
	}
	a := Item{Rule: "r", Path: "p", Key: "k"}
	for _, other := range []Item{{Rule: "s", Path: "p", Key: "k"}, {Rule: "r", Path: "q", Key: "k"}, {Rule: "r", Path: "p", Key: "l"}} {
		if got := Fingerprints([]Item{a, other}); got[0] == got[1] {
			t.Errorf("%+v has the fingerprint of %+v", other, a)
		}
	}
	if got := Fingerprints([]Item{a, a}); got[0][:32] != got[1][:32] || got[0][32:] != ":1" || got[1][32:] != ":2" {
		t.Errorf("got %q, want the same, numbered", got)
	}
}

// TestEveryItemHasARule pins that each item is a result of a lint rule, a gate or one of the others, and that each of the
// others occurs.
func TestEveryItemHasARule(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range Of(reporttest.Everything(plain), Options{}) {
		_, isLint := lint.Find(a.Rule)
		isOther := slices.ContainsFunc(Others, func(o Other) bool { return o.ID == a.Rule })
		if !isLint && !isOther && gates.Find(a.Rule) == nil {
			t.Errorf("%s: nobody knows the rule %q", a.Title, a.Rule)
		}
		seen[a.Rule] = true
	}
	for _, o := range Others {
		if !seen[o.ID] {
			t.Errorf("no item has the rule %q", o.ID)
		}
	}
}

// TestOfLint pins that findings of lint have the level of their severity, and that tools without any have no item.
func TestOfLint(t *testing.T) {
	found := []report.Finding{
		{Rule: "DESC-010", Severity: "warning", Tool: "a", Path: "c.json", Line: 1, Doubtful: true},
		{Rule: "DESC-001", Severity: "critical", Tool: "z", Path: "c.json", Line: 9},
		{Rule: "PASS", Severity: "pass", Tool: "b", Path: "c.json", Line: 4},
	}
	lines := func(list []Item) (out []string) {
		for _, a := range list {
			out = append(out, string(a.Level)+" "+a.Rule+" "+a.Title)
		}
		return out
	}
	want := []string{"failure DESC-001 DESC-001 z", "warning DESC-010 DESC-010 a"}
	if got := lines(OfLint(&report.Lint{Catalogs: []report.Catalog{{Findings: found}}})); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	breaking := []report.Breaking{{Kind: change.NewlyRequired, Tool: "a", Argument: "q", Message: "is required now", Path: "c.json", Line: 2}}
	want = append([]string{"failure breaks_callers breaks callers: a"}, want...)
	if got := lines(OfLintDiff(&report.LintDiff{Found: found, Breaking: breaking})); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
