package lexical

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/thorough"
)

func TestTwins(t *testing.T) {
	words := func(from, to int) string {
		var list []string
		for i := from; i < to; i++ {
			list = append(list, fmt.Sprintf("w%d", i))
		}
		return strings.Join(list, " ")
	}
	tests := []struct {
		what  string
		texts []string
		want  []int
	}{
		{"none", nil, []int{}},
		{"equal", []string{"Gets a user", "Lists teams", "gets the user."}, []int{NoTwin, NoTwin, 0}},
		{"first of several", []string{"get x", "get x", "get x"}, []int{NoTwin, 0, 0}},
		{"exactly 0.95", []string{words(0, 20), words(1, 21)}, []int{NoTwin, 0}},
		{"below 0.95", []string{words(0, 19), words(1, 20)}, []int{NoTwin, NoTwin}},
		{"a text twice over", []string{"read mail", "read mail, read mail"}, []int{NoTwin, 0}},
		{"no terms", []string{"", "the", "", "…"}, []int{NoTwin, NoTwin, NoTwin, NoTwin}},
		{"not transitive", []string{words(0, 40), words(2, 42), words(4, 44)}, []int{NoTwin, 0, 1}},
	}
	for _, test := range tests {
		t.Run(test.what, func(t *testing.T) {
			if got := Twins(test.texts, nil); !slices.Equal(got, test.want) {
				t.Errorf("twins of %q: got %v, want %v", test.texts, got, test.want)
			}
		})
	}
}

// TestTwinsAllPairs compares with the cosine of every pair.
func TestTwinsAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range thorough.Cases(300) {
		var texts []string
		for range r.IntN(20) {
			texts = append(texts, randomText(r, 30))
		}
		for i := 0; i < len(texts); i += 3 {
			texts = append(texts, texts[i]+" "+randomText(r, 3))
		}
		want := make([]int, len(texts))
		for i := range texts {
			want[i] = slices.IndexFunc(texts[:i], func(earlier string) bool { return cosine(texts[i], earlier) >= 0.95-1e-12 })
		}
		if got := Twins(texts, nil); !slices.Equal(got, want) {
			t.Fatalf("twins of %q: got %v, want %v", texts, got, want)
		}
	}
}

func cosine(a, b string) float64 {
	counts := map[string][2]float64{}
	for _, word := range plainWords(a) {
		c := counts[word]
		counts[word] = [2]float64{c[0] + 1, c[1]}
	}
	for _, word := range plainWords(b) {
		c := counts[word]
		counts[word] = [2]float64{c[0], c[1] + 1}
	}
	var dot, squareA, squareB float64
	for _, c := range counts {
		dot, squareA, squareB = dot+c[0]*c[1], squareA+c[0]*c[0], squareB+c[1]*c[1]
	}
	return dot / math.Sqrt(squareA*squareB)
}

// TestTwinsBudget pins that the search ends at the same text every time when too many terms were shared.
func TestTwinsBudget(t *testing.T) {
	texts := make([]string, 200)
	for i := range texts {
		texts[i] = fmt.Sprintf("x y z%d", i%20)
	}
	tests := []struct{ budget, found int }{{1 << 20, 180}, {1000, 11}, {0, 0}}
	for _, test := range tests {
		found := 0
		for _, twin := range twinsWithin(texts, nil, test.budget) {
			if twin != NoTwin {
				found++
			}
		}
		if found != test.found {
			t.Errorf("twins found with a budget of %d: got %d, want %d", test.budget, found, test.found)
		}
	}
}

func BenchmarkTwins(b *testing.B) {
	docs, _ := realistic(1000, 0)
	texts := make([]string, len(docs))
	for i, d := range docs {
		texts[i] = d.Description
	}
	for b.Loop() {
		Twins(texts, nil)
	}
}
