// Package lists has functions on lists that the standard library lacks: one list made from another, counts and sums, and a list as
// text.
package lists

import (
	"fmt"
	"sort"
	"strings"
)

// Map returns what of returns for each element of a list, in the order of the list. The result is never nil.
func Map[S ~[]T, T, R any](list S, of func(T) R) []R {
	mapped := make([]R, len(list))
	for i, one := range list {
		mapped[i] = of(one)
	}
	return mapped
}

// Count returns the number of elements for which is returns true.
func Count[S ~[]T, T any](list S, is func(T) bool) int {
	n := 0
	for _, one := range list {
		if is(one) {
			n++
		}
	}
	return n
}

// SetOf returns the set of what key returns for each element of a list.
func SetOf[S ~[]T, T any, K comparable](list S, key func(T) K) map[K]bool {
	set := make(map[K]bool, len(list))
	for _, one := range list {
		set[key(one)] = true
	}
	return set
}

// Find returns the first element for which is returns true; nil if there is none.
func Find[S ~[]T, T any](list S, is func(*T) bool) *T {
	for i := range list {
		if is(&list[i]) {
			return &list[i]
		}
	}
	return nil
}

// SortStable sorts a list. Equal elements keep their order. [slices.SortStableFunc] is faster, but takes 9 KB of code for each type.
func SortStable[S ~[]T, T any](list S, compare func(a, b *T) int) {
	sort.SliceStable(list, func(i, j int) bool { return compare(&list[i], &list[j]) < 0 })
}

// Cached returns values[key]. It computes the value if the map lacks it.
func Cached[K comparable, V any](values map[K]V, key K, compute func() V) V {
	value, ok := values[key]
	if !ok {
		value = compute()
		values[key] = value
	}
	return value
}

// ElementFor returns the element of a list for a key. at has the indexes of the elements. If it lacks the key, added is appended.
func ElementFor[K comparable, T any](list *[]T, at map[K]int, key K, added T) *T {
	i, known := at[key]
	if !known {
		i = len(*list)
		at[key] = i
		*list = append(*list, added)
	}
	return &(*list)[i]
}

// First returns texts on the first elements of a list, at most limit. If the list is longer, more follows as the last text.
func First[S ~[]T, T any](list S, limit int, text func(T) string, more string) []string {
	texts := Map(list[:min(len(list), limit)], text)
	if len(list) > limit {
		texts = append(texts, more)
	}
	return texts
}

// FirstFive writes the first five texts, and counts the others.
func FirstFive(texts []string) string { return AndMore(texts[:min(len(texts), 5)], len(texts)) }

// AndMore writes texts on the first elements of a list, and counts the rest of its elements: "a, b and 3 more".
func AndMore(first []string, elements int) string {
	text := strings.Join(first, ", ")
	if more := elements - len(first); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// InSentence writes texts as a list in a sentence, with a word such as "and" or "or" before the last one.
func InSentence(texts []string, word string) string {
	last := len(texts) - 1
	if last <= 0 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:last], ", ") + " " + word + " " + texts[last]
}

// Sum returns the sum of what of returns for each element of a list.
func Sum[S ~[]T, T any](list S, of func(T) int) int {
	sum := 0
	for _, one := range list {
		sum += of(one)
	}
	return sum
}
