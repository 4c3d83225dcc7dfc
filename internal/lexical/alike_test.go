package lexical

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAlike(t *testing.T) {
	among := []string{
		"Search support tickets by customer.",
		"Creates an invoice.",
		"Find support tickets by customer or product.",
		"search SUPPORT tickets, by customer!",
		"",
	}
	want := []Match{{0, 100}, {3, 100}, {2, 67}} // 3 of the 4 and the 5 terms are the same: 3/√20
	if diff := cmp.Diff(want, Alike("Search support tickets by customer.", among, 60)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if got := Alike("", among, 1); got != nil {
		t.Errorf("a text without words reads like %v", got)
	}
}

// TestCosinePercent pins the rounding at the edges that states depend on.
func TestCosinePercent(t *testing.T) {
	for _, test := range []struct {
		product, a, b uint64
		want          int
	}{{9, 10, 10, 90}, {8, 10, 10, 80}, {899, 1000, 1000, 89}, {0, 4, 4, 0}, {1, 1, 1, 100}, {1, 2, 1, 70}} {
		if got := cosinePercent(test.product, test.a, test.b); got != test.want {
			t.Errorf("cosinePercent(%d, %d, %d) = %d, want %d", test.product, test.a, test.b, got, test.want)
		}
	}
}
