package stat_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/stat"
	"github.com/rogpeppe/go-internal/diff"
)

var update = flag.Bool("update", false, "write the tables of docs/runs-needed.md")

const (
	runsPage  = "../../docs/runs-needed.md"
	runsBegin = "<!-- made from the code by: go test ./internal/stat -update -->\n"
	runsEnd   = "<!-- end of what is made from the code -->\n"
)

// TestRunsNeeded holds the tables of docs/runs-needed.md to CertifiedLower and Drops; -update writes them.
func TestRunsNeeded(t *testing.T) {
	page, err := os.ReadFile(runsPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), runsBegin)
	got, after, ok2 := strings.Cut(rest, runsEnd)
	if !ok || !ok2 {
		t.Fatalf("%s lacks the lines %q and %q", runsPage, runsBegin, runsEnd)
	}
	want := "\n" + neededTable() + "\n" + provenTable() + "\n" + dropTable() + "\n"
	if got == want {
		return
	}
	if !*update {
		t.Fatalf("%s differs from the code; go test ./internal/stat -update writes it:\n%s", runsPage, diff.Diff("want", []byte(want), "got", []byte(got)))
	}
	if err := os.WriteFile(runsPage, []byte(before+runsBegin+want+runsEnd+after), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestRunsNeededByHand pins runs without a miss to the closed form: the bound of n of n is 0.05^(1/n), so that n is the least whole
// number with rate^n <= 0.05. 59 runs for 95 % are the usual example in textbooks on tolerance limits.
func TestRunsNeededByHand(t *testing.T) {
	for rate, want := range map[int]int{50: 5, 60: 6, 70: 9, 80: 14, 90: 29, 95: 59} {
		if got := runsNeeded(rate, 0); got != want {
			t.Errorf("runs for a certified rate of %d %% without a miss: got %d, want %d", rate, got, want)
		}
	}
}

// runsNeeded returns the fewest runs that certify the rate, in percent, with so many misses.
func runsNeeded(rate, misses int) int {
	n := misses + 1
	for stat.CertifiedLower(n-misses, n) < rate {
		n++
	}
	return n
}

func neededTable() string {
	var b strings.Builder
	b.WriteString("| to certify | runs without a miss | runs with one miss | with two | with three |\n|---|---|---|---|---|\n")
	for _, rate := range []int{50, 60, 70, 80, 90, 95} {
		fmt.Fprintf(&b, "| %d %% |", rate)
		for misses := range 4 {
			fmt.Fprintf(&b, " %d |", runsNeeded(rate, misses))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func provenTable() string {
	var b strings.Builder
	b.WriteString("| runs | prove, without a miss | with one miss | with two | with three |\n|---|---|---|---|---|\n")
	for _, runs := range []int{1, 3, 5, 10, 20, 30, 50, 100} {
		fmt.Fprintf(&b, "| %d |", runs)
		for misses := range 4 {
			if misses >= runs {
				b.WriteString(" |")
				continue
			}
			fmt.Fprintf(&b, " %d %% |", stat.CertifiedLower(runs-misses, runs))
		}
		b.WriteString("\n")
	}
	return b.String()
}
