package stat_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/stat"
)

// TestDropsNeeded holds the runs that see a drop to whole numbers and fractions, outcome by outcome.
func TestDropsNeeded(t *testing.T) {
	var drops stat.Drops
	for _, test := range []struct{ before, after int }{
		{100, 0}, {100, 50}, {100, 60}, {100, 70}, {90, 50}, {90, 60}, {80, 30}, {80, 40}, {70, 20}, {50, 0}, {95, 50},
	} {
		got := drops.Needed(test.before, 100, test.after, 100)
		for n := 1; n < got; n++ {
			if seesDrop(n, test.before, test.after) {
				t.Errorf("from %d to %d %%: got %d runs, and %d are enough", test.before, test.after, got, n)
				break
			}
		}
		if !seesDrop(got, test.before, test.after) {
			t.Errorf("from %d to %d %%: got %d runs, which are not enough", test.before, test.after, got)
		}
	}
}

// seesDrop reports whether n runs a side see a drop between two rates in percent with a chance of 80 % or more.
func seesDrop(n, before, after int) bool {
	power := new(big.Int)
	for x := range n + 1 {
		for y := range x {
			tail := new(big.Int)
			for i := x; i <= min(n, x+y); i++ {
				tail.Add(tail, new(big.Int).Mul(choose(n, i), choose(n, x+y-i)))
			}
			if tail.Mul(tail, big.NewInt(20)).Cmp(choose(2*n, x+y)) <= 0 {
				power.Add(power, new(big.Int).Mul(ways(n, x, before), ways(n, y, after)))
			}
		}
	}
	all := new(big.Int).Exp(big.NewInt(100), big.NewInt(int64(2*n)), nil)
	return power.Mul(power, big.NewInt(5)).Cmp(all.Mul(all, big.NewInt(4))) >= 0
}

// ways is the chance of x successes in n trials of a rate in percent, times 100^n.
func ways(n, x, percent int) *big.Int {
	power := func(base, exp int) *big.Int {
		return new(big.Int).Exp(big.NewInt(int64(base)), big.NewInt(int64(exp)), nil)
	}
	w := choose(n, x)
	return w.Mul(w, power(percent, x)).Mul(w, power(100-percent, n-x))
}

func choose(n, k int) *big.Int { return new(big.Int).Binomial(int64(n), int64(k)) }

// TestDropsNeededBounds pins what is never seen, and that the order of questions makes no difference.
func TestDropsNeededBounds(t *testing.T) {
	var drops stat.Drops
	for _, test := range [][4]int{{1, 2, 1, 2}, {0, 1, 1, 1}, {100, 100, 99, 100}, {1e9, 1e9, 1e9 - 1, 1e9}} {
		if got := drops.Needed(test[0], test[1], test[2], test[3]); got != stat.MostRuns+1 {
			t.Errorf("%v: got %d, want %d", test, got, stat.MostRuns+1)
		}
	}
	var fresh stat.Drops
	if got, want := drops.Needed(10, 10, 6, 10), fresh.Needed(10, 10, 6, 10); got != want {
		t.Errorf("got %d after other questions, and %d before", got, want)
	}
}

// BenchmarkDropsNeeded asks for a thousand rates that are all different, as a saved report with a thousand cases can.
func BenchmarkDropsNeeded(b *testing.B) {
	for b.Loop() {
		var drops stat.Drops
		for i := range 1000 {
			drops.Needed(1000, 2001+i, 950, 2001+i)
		}
	}
}

// dropTable is the runs a side that see a drop.
func dropTable() string {
	var drops stat.Drops
	var b strings.Builder
	afterwards := []int{95, 90, 80, 70, 60, 50}
	b.WriteString("| to see a drop | to 95 % | to 90 % | to 80 % | to 70 % | to 60 % | to 50 % |\n|---|---|---|---|---|---|---|\n")
	for _, before := range []int{100, 95, 90, 80, 70} {
		fmt.Fprintf(&b, "| from %d %% |", before)
		for _, after := range afterwards {
			runs := drops.Needed(before, 100, after, 100)
			switch {
			case after >= before:
				b.WriteString(" |")
			case runs > stat.MostRuns:
				fmt.Fprintf(&b, " over %d |", stat.MostRuns)
			default:
				fmt.Fprintf(&b, " %d |", runs)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
