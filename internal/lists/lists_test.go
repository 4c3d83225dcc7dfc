package lists

import (
	"slices"
	"strconv"
	"testing"
)

func TestMap(t *testing.T) {
	if got, want := Map([]int{3, 1, 2}, strconv.Itoa), []string{"3", "1", "2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Map([]int(nil), strconv.Itoa); got == nil || len(got) > 0 {
		t.Errorf("got %#v, want an empty list that is not nil", got)
	}
}

func TestCount(t *testing.T) {
	isOdd := func(n int) bool { return n%2 == 1 }
	if got := Count([]int{3, 1, 2}, isOdd); got != 2 {
		t.Errorf("counted %d odd numbers, want 2", got)
	}
	if got := Count([]int(nil), isOdd); got != 0 {
		t.Errorf("counted %d odd numbers in no list, want 0", got)
	}
}

func TestAndMore(t *testing.T) {
	for elements, want := range map[int]string{2: "a, b", 5: "a, b and 3 more"} {
		if got := AndMore([]string{"a", "b"}, elements); got != want {
			t.Errorf("of %d elements: got %q, want %q", elements, got, want)
		}
	}
}

func TestSum(t *testing.T) {
	if got := Sum([]string{"a", "bcd"}, func(text string) int { return len(text) }); got != 4 {
		t.Errorf("got %d, want 4", got)
	}
}
