package sorting

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// element is a value of the usual size, with a key that several elements have.
type element struct {
	key, place int
	_          [6]string
}

func byKey(a, b element) int { return cmp.Compare(a.key, b.key) }

// shuffled returns n elements with some equal keys in an order that only n decides.
func shuffled(n int) []element {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	list := make([]element, n)
	for i := range list {
		list[i] = element{key: random.IntN(n/2 + 1), place: i}
	}
	return list
}

func TestStable(t *testing.T) {
	for n := range 200 {
		got, want := shuffled(n), shuffled(n)
		Stable(got, byKey)
		slices.SortStableFunc(want, byKey)
		if !slices.Equal(got, want) {
			t.Errorf("%d elements are sorted to\n%v, want\n%v", n, got, want)
		}
		collected := Collect(slices.Values(shuffled(n)), byKey)
		if !slices.Equal(collected, want) {
			t.Errorf("%d elements are collected as\n%v, want\n%v", n, collected, want)
		}
	}
}

func BenchmarkStable(b *testing.B) {
	for _, n := range []int{2, 5, 20, 100, 10000} {
		list, work := shuffled(n), make([]element, n)
		b.Run(fmt.Sprintf("%d/here", n), func(b *testing.B) {
			for b.Loop() {
				copy(work, list)
				Stable(work, byKey)
			}
		})
		b.Run(fmt.Sprintf("%d/slices", n), func(b *testing.B) {
			for b.Loop() {
				copy(work, list)
				slices.SortStableFunc(work, byKey)
			}
		})
	}
}
