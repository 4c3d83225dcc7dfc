package redact

import (
	"slices"
	"strings"
)

// looksSecret reports whether a value without quotes is probably not a word: it has 6 characters or more with a digit
// or one of !@#$%^*+/=~ among them, or 20 letters in a row, or is longer than any word.
func looksSecret(value string) bool {
	if len(value) > maxExamined {
		return true
	}
	if len(value) < 6 || isNumber(value) {
		return false
	}
	return strings.ContainsAny(strings.TrimRight(value, "!"), numerals+"!@#$%^*+/=~") || longestWord(value) >= 20
}

// isNumber reports whether a value is a number, a date, a time or a version: digits and no letters but T and Z.
func isNumber(value string) bool {
	return len(value) <= maxExamined && hasDigit(value) && strings.Trim(value, numerals+".,:+-_/TZ") == ""
}

// isPath reports whether a value is a path or an address. The name of its key often describes the content behind it.
func isPath(value string) bool {
	if len(value) > maxExamined {
		return false
	}
	for _, start := range []string{"/", "./", "../", "~/", "http://", "https://", "file://"} {
		if strings.HasPrefix(value, start) {
			return true
		}
	}
	return false
}

// maxFiller is the greatest length of a filler or a reference.
const maxFiller = 80

// fillers are words that take the place of a secret in types, examples and prose.
var fillers = []string{
	"string", "str", "text", "bytes", "number", "integer", "int", "boolean", "bool", "object", "array", "any",
	"null", "nil", "none", "undefined", "true", "false", "yes", "no",
	"required", "optional", "default", "redacted", "hidden", "masked", "secret", "token", "tokens", "password",
	"auth", "authentication", "authorization", "bearer", "basic", "apikey", "api-key", "key", "scheme",
}

func isFiller(value string) bool {
	if len(value) > maxFiller {
		return false
	}
	return slices.ContainsFunc(fillers, func(f string) bool { return strings.EqualFold(value, f) }) ||
		strings.Trim(value, "*.•…") == ""
}

// isReference reports whether a value names the place of the secret: $TOKEN, ${TOKEN}, {{token}}, <token>, %TOKEN%,
// YOUR_TOKEN.
func isReference(value string) bool {
	if value == "" || len(value) > maxFiller {
		return false
	}
	name := strings.TrimPrefix(value, "$")
	if name != value && endOfRun(name, 0, wordBytes) == len(name) && !(name != "" && isDigit(name[0])) {
		return true
	}
	for _, marks := range []string{"{}", "<>", "[]", "()", "%%"} {
		if len(name) >= 2 && name[0] == marks[0] && name[len(name)-1] == marks[1] {
			return true
		}
	}
	return len(name) > 4 && strings.EqualFold(name[:4], "your") && strings.IndexByte("_- ", name[4]) >= 0 ||
		strings.HasPrefix(name, "process.env") || strings.HasPrefix(name, "os.environ")
}
