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
