package clients

import (
	"strings"
	"unicode"
)

// leastRandom is the least length, in characters, of a random value without separators. A shorter value may be a name.
const leastRandom = 10

// separators stand between the words of names, versions, paths and addresses.
const separators = "-_./\\:@=+,~ "

// isRandom reports whether a value, or the default of a variable in it, looks like a secret. It must have a part that names do
// not have: letters of both cases mixed with digits and marks, as in S3cr3t!pw9. Names such as python3, gpt-4o, MyProject2024
// and those of pods are not random. Neither are hexadecimal digits, because commits and images have such names.
func isRandom(value string) bool {
	value = variableUse.ReplaceAllString(value, "$2")
	if !looksSecret(value) {
		return false
	}
	isSeparator := func(c rune) bool { return strings.ContainsRune(separators, c) }
	for part := range strings.FieldsFuncSeq(value, isSeparator) {
		if isRandomPart(part) {
			return true
		}
	}
	return false
}

// isRandomPart reports whether a text has leastRandom characters or more, letters of both cases, and many changes of class, such as
// from a letter to a digit: more than one for each three characters, and at least four to or from digits and marks. The step from a
// capital to a small letter does not count as a change.
func isRandomPart(part string) bool {
	var has [3]bool
	var markChanges, changes, length int
	last := otherClass
	for _, c := range part {
		class := classOf(c)
		has[class] = true
		isWordStart := last == upperClass && class == lowerClass
		if length > 0 && class != last && !isWordStart {
			changes++
			if class == otherClass || last == otherClass {
				markChanges++
			}
		}
		last = class
		length++
	}
	hasBothCases := has[upperClass] && has[lowerClass]
	return length >= leastRandom && hasBothCases && markChanges >= 4 && changes*3 > length
}

const (
	otherClass = iota // digits and marks
	lowerClass
	upperClass
)

func classOf(c rune) int {
	switch {
	case unicode.IsLower(c):
		return lowerClass
	case unicode.IsUpper(c):
		return upperClass
	}
	return otherClass
}
