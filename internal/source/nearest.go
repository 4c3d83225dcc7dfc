package source

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// Nearest returns the name of valid that is closest to word by edit distance, and whether one is close enough to be
// meant: at most a third of the word's characters differ, and at least one may. Two neighbours in the wrong order are
// one difference. Ties go to the name that sorts first. A name that means the opposite is not near. Nothing is near a word of
// more than 100 characters: comparing two words takes time in the product of their lengths, and nobody mistypes one that long.
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

// negations are the parts of a name that turn its meaning.
var negations = []string{"not", "no", "non", "never", "without"}

// opposites are pairs of parts of names, each of which means the opposite of the other.
var opposites = [][2]string{
	{"min", "max"}, {"minimum", "maximum"}, {"include", "exclude"}, {"allow", "forbid"}, {"allow", "deny"}, {"allowed", "forbidden"},
	{"enable", "disable"}, {"before", "after"}, {"first", "last"},
}

// isOpposite reports whether the name means the opposite of the word, as far as their parts show it.
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

// parts returns the words that a name is made of, and "not" for an exclamation mark.
func parts(name string) []string {
	name = strings.ReplaceAll(strings.ToLower(name), "!", " not ")
	return strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func negates(parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(negations, part) })
}

// DidYouMean returns `, did you mean "NAME"?` for the nearest valid name, or nothing when none is near.
func DidYouMean(word string, valid []string) string {
	if name, ok := Nearest(word, valid); ok {
		return fmt.Sprintf(", did you mean %q?", name)
	}
	return ""
}
