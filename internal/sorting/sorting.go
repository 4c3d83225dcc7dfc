// Package sorting sorts by a comparison with one copy of the sorting code in the program. The sorts of package slices
// have a copy for each type of element: for some seventy types these were 2 % of the program.
package sorting

import (
	"iter"
	"reflect"
	"slices"
)

// Stable sorts list by compare and keeps the order of equal elements.
func Stable[T any](list []T, compare func(a, b T) int) {
	sort(list, len(list), func(i, j int) int { return compare(list[i], list[j]) })
}

// Collect returns the elements of seq, sorted as by [Stable].
func Collect[T any](seq iter.Seq[T], compare func(a, b T) int) []T {
	list := slices.Collect(seq)
	Stable(list, compare)
	return list
}

// sort sorts list, a slice of n elements, by the comparison of its elements i and j.
func sort(list any, n int, compare func(i, j int) int) {
	places := make([]int, n)
	for i := range places {
		places[i] = i
	}
	if slices.IsSortedFunc(places, compare) {
		return
	}
	slices.SortFunc(places, func(i, j int) int {
		if order := compare(i, j); order != 0 {
			return order
		}
		return i - j
	})
	permute(list, places)
}

// permute puts the element at places[i] of list at i, for each i. It leaves the identity in places.
func permute(list any, places []int) {
	swap := reflect.Swapper(list)
	for first := range places {
		at := first
		for places[at] != first {
			next := places[at]
			swap(at, next)
			places[at] = at
			at = next
		}
		places[at] = at
	}
}
