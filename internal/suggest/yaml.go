package suggest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/suite"
)

var (
	plain    = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*$`)
	reserved = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
)

// text returns a text as a suite has it, on one line. The text stays itself, even where a suite would see a variable.
func text(s string) string { return quote(unquoted(s)) }

// unquoted returns a text as a suite has it, but for quotation marks.
func unquoted(s string) string { return suite.Literal(strings.ToValidUTF8(s, "\uFFFD")) }

// quote returns a text in quotation marks where YAML would take it for something else. A key is taken as it is written.
func quote(s string) string {
	if plain.MatchString(s) && !slices.Contains(reserved, strings.ToLower(s)) {
		return s
	}
	return strconv.Quote(s) // whose escapes are all YAML's
}

func isName(s string) bool {
	const most = 300 // characters; names are repeated
	return s != "" && utf8.RuneCountInString(s) <= most && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}
