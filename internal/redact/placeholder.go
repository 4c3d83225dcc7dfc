package redact

import (
	"strconv"
	"strings"
)

// placeholderStart begins every placeholder: [REDACTED:rule:number].
const placeholderStart = "[REDACTED:"

// maxPlaceholder is the greatest length of a placeholder.
const maxPlaceholder = 64

// placeholderAt returns the end and the number of the placeholder that begins at a place; ok is false if none begins
// there.
func placeholderAt(text string, at int) (end, number int, ok bool) {
	rest := text[at:]
	if !strings.HasPrefix(rest, placeholderStart) {
		return 0, 0, false
	}
	rest = rest[:min(len(rest), maxPlaceholder)]
	size := strings.IndexByte(rest, ']')
	if size < 0 {
		return 0, 0, false
	}
	rule, digits, _ := strings.Cut(rest[len(placeholderStart):size], ":")
	if rule == "" || strings.Trim(rule, lowers+numerals+"-") != "" || strings.Trim(digits, numerals) != "" {
		return 0, 0, false
	}
	number, err := strconv.Atoi(digits)
	return at + size + 1, number, err == nil
}

func isPlaceholder(text string) bool {
	at := 0
	for at < len(text) {
		end, _, ok := placeholderAt(text, at)
		if !ok {
			return false
		}
		at = end
	}
	return true
}
