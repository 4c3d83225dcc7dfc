package source

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// Nearest returns the name of valid that is closest to word by edit distance, and whether one is close enough to be
// meant: at most a third of the word's characters differ, and at least one may. Two neighbours in the wrong order are
// one difference. Ties go to the name that sorts first. Nothing is near a word of more than 100 characters: comparing two
// words takes time in the product of their lengths, and nobody mistypes one that long.
func Nearest(word string, valid []string) (string, bool) {
	const longest = 100
	length := utf8.RuneCountInString(word)
	if length > longest {
		return "", false
	}
	limit := max(1, length/3)
	best, bestDistance := "", limit+1
	for _, name := range slices.Sorted(slices.Values(valid)) {
		if utf8.RuneCountInString(name) > length+limit {
			continue
		}
		if d := distance(word, name); d < bestDistance {
			best, bestDistance = name, d
		}
	}
	return best, bestDistance <= limit
}

func distance(word, name string) int {
	if isSwap([]rune(word), []rune(name)) {
		return 1
	}
	return levenshtein.ComputeDistance(word, name)
}

// isSwap reports whether two neighbours in the wrong order are all that differs.
func isSwap(a, b []rune) bool {
	if len(a) != len(b) {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && slices.Equal(a[i+2:], b[i+2:])
}

// DidYouMean returns `, did you mean "NAME"?` for the nearest valid name, or nothing when none is near.
func DidYouMean(word string, valid []string) string {
	if name, ok := Nearest(word, valid); ok {
		return fmt.Sprintf(", did you mean %q?", name)
	}
	return ""
}
