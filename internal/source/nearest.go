package source

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// Nearest returns the name of valid that is closest to word by edit distance, and whether it is close enough to be meant: at
// most a third of the word's characters may differ, but at least one. Two neighbours in the wrong order count as one
// difference. Of equally close names, the first in sorted order is returned. A name with the opposite meaning is never close,
// and a word of more than 100 characters has no close name: the time of a comparison grows with the product of both lengths,
// and such a word is not a typing error.
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
		if d := distance(word, name); d < bestDistance && !isOpposite(word, name) {
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

// isSwap reports whether a and b differ only in two neighbours in the wrong order.
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

// negations are the parts of a name that negate its meaning.
var negations = []string{"not", "no", "non", "never", "without"}

// opposites are pairs of parts of names with opposite meanings.
var opposites = [][2]string{
	{"min", "max"}, {"minimum", "maximum"}, {"include", "exclude"}, {"allow", "forbid"}, {"allow", "deny"}, {"allowed", "forbidden"},
	{"enable", "disable"}, {"before", "after"}, {"first", "last"},
}

// isOpposite reports whether the name has the opposite meaning of the word, judged by their parts.
func isOpposite(word, name string) bool {
	own, others := parts(word), parts(name)
	bare := strings.TrimPrefix(name, "not_")
	if rest, ok := strings.CutPrefix(word, "not"); ok && distance(rest, bare) < distance(word, bare) {
		own = append(own, "not") // of notcontains
	}
	if negates(own) != negates(others) {
		return true
	}
	turns := func(a, b string) bool {
		return slices.Contains(own, a) && slices.Contains(others, b) && !slices.Contains(own, b) && !slices.Contains(others, a)
	}
	return slices.ContainsFunc(opposites, func(p [2]string) bool { return turns(p[0], p[1]) || turns(p[1], p[0]) })
}

// parts returns the words of a name, with "not" for an exclamation mark.
func parts(name string) []string {
	name = strings.ReplaceAll(strings.ToLower(name), "!", " not ")
	return strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func negates(parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(negations, part) })
}

// DidYouMean returns `, did you mean "NAME"?` for the nearest valid name, or "" if none is near.
func DidYouMean(word string, valid []string) string {
	if name, ok := Nearest(word, valid); ok {
		return fmt.Sprintf(", did you mean %q?", name)
	}
	return ""
}
