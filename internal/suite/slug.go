package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxSlug is the length, in bytes, past which a slug is cut.
const maxSlug = 100

// Slug returns name as a part of a file name: in lower case, with one hyphen for each run of characters that are
// neither letters nor digits, and none at the ends. A long one is cut, and ends in the beginning of its SHA-256.
func Slug(name string) string {
	lower := strings.ToLower(norm.NFC.String(name))
	parts := strings.FieldsFunc(lower, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	s := strings.Join(parts, "-")
	if len(s) <= maxSlug {
		return s
	}
	end := maxSlug
	for !utf8.RuneStart(s[end]) {
		end--
	}
	sum := sha256.Sum256([]byte(s))
	return strings.TrimRight(s[:end], "-") + "-" + hex.EncodeToString(sum[:4])
}
