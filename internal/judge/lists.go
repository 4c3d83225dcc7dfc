package judge

import (
	"fmt"
	"sort"
	"strings"
)

// Each converts the entries of a list. It never returns nil.
func Each[A, B any](list []A, to func(A) B) []B {
	out := make([]B, len(list))
	for i, one := range list {
		out[i] = to(one)
	}
	return out
}

// Count returns the number of entries of a list for which is returns true.
func Count[T any](list []T, is func(T) bool) (n int) {
	for _, one := range list {
		if is(one) {
			n++
		}
	}
	return n
}

// SetOf returns the set of the keys of a list.
func SetOf[T any, K comparable](list []T, key func(T) K) map[K]bool {
	set := make(map[K]bool, len(list))
	for _, one := range list {
		set[key(one)] = true
	}
	return set
}

// Find returns the first entry of a list for which is returns true; nil if there is none.
func Find[T any](list []T, is func(*T) bool) *T {
	for i := range list {
		if is(&list[i]) {
			return &list[i]
		}
	}
	return nil
}

// SortStable sorts a list. Equal entries keep their order. [slices.SortStableFunc] is faster, but takes 9 KB of code for each type.
func SortStable[T any](list []T, compare func(a, b *T) int) {
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

// EntryFor returns the entry of a list for a key. at has the indexes of the entries. If it lacks the key, the entry is new.
func EntryFor[K comparable, V any](list *[]V, at map[K]int, key K, entry V) *V {
	i, known := at[key]
	if !known {
		i = len(*list)
		at[key] = i
		*list = append(*list, entry)
	}
	return &(*list)[i]
}

// First returns the texts of the first entries of a list, at most most of them. If the list is longer, the text more follows.
func First[T any](list []T, most int, text func(T) string, more string) []string {
	texts := Each(list[:min(len(list), most)], text)
	if len(list) > most {
		texts = append(texts, more)
	}
	return texts
}

// FirstFive lists the first five names, and counts the others.
func FirstFive(names []string) string {
	const shown = 5
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}

// Listed returns texts as a list in a sentence. The word before the last text is such as "and" or "or".
func Listed(texts []string, word string) string {
	last := len(texts) - 1
	if last <= 0 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:last], ", ") + " " + word + " " + texts[last]
}
