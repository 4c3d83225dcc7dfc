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
	plainText = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*$`)
	reserved  = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
)

// text returns a text in the form of a suite, on one line, with escaped variables.
func text(s string) string { return quote(unquoted(s)) }

// unquoted returns a text in the form of a suite, without quotation marks.
func unquoted(s string) string { return suite.Literal(strings.ToValidUTF8(s, "\uFFFD")) }

// quote returns a text in quotation marks if YAML would read it as another value. In keys, variables need not be escaped.
func quote(s string) string {
	if plainText.MatchString(s) && !slices.Contains(reserved, strings.ToLower(s)) {
		return s
	}
	return strconv.Quote(s) // the escapes of Go are valid in YAML
}

func isName(s string) bool {
	const maxLength = 300 // characters, because names are repeated
	return s != "" && utf8.RuneCountInString(s) <= maxLength && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}
