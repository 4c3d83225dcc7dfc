package markdown

import (
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/report"
)

// longestHex is the greatest number of consecutive hexadecimal digits that cannot become a link to a commit. GitHub makes
// a link of 7 and more.
const longestHex = 6

// prose returns an untrusted text for use outside code spans. No part of it acts as markup, link, mention, reference, emoji or
// formula. GitHub makes links and mentions after it has rendered the Markdown, so an entity does not prevent them, but a zero-width
// space does.
func prose(s string) string {
	s = report.Safe(s)
	var b strings.Builder
	hexDigits := 0 // number of consecutive hexadecimal digits before r
	for i, r := range s {
		switch {
		case !isHex(r):
			hexDigits = 0
		case hexDigits == longestHex:
			b.WriteString(noBreak)
			hexDigits = 1
		default:
			hexDigits++
		}
		if isBreakable(s, i) {
			b.WriteString(noBreak)
		}
		if isPunctuation(r) {
			b.WriteString("&#" + strconv.Itoa(int(r)) + ";")
		} else {
			b.WriteRune(r)
		}
		if strings.ContainsRune("@#$:", r) {
			b.WriteString(noBreak)
		}
	}
	return b.String()
}

// isBreakable reports whether a zero-width space belongs before byte i: the hyphen of GH-1 and the dot of www.example.com.
func isBreakable(s string, i int) bool {
	isAfterGH := i >= 2 && strings.EqualFold(s[i-2:i], "gh")
	isAfterWWW := i >= 3 && strings.EqualFold(s[i-3:i], "www")
	return s[i] == '-' && isAfterGH || s[i] == '.' && isAfterWWW
}

// isPunctuation reports whether the character is ASCII punctuation. CommonMark makes all markup from these characters.
func isPunctuation(r rune) bool {
	return r > ' ' && r < 0x7f && !('0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
}

func isHex(r rune) bool { return '0' <= r && r <= '9' || 'a' <= r && r <= 'f' || 'A' <= r && r <= 'F' }

// maxMessage bounds a message, in characters.
const maxMessage = 400

// message returns a message of the program. Names between backticks become code, and the rest becomes prose.
func message(s string) string {
	parts := strings.Split(report.Cut(s, maxMessage), "`")
	if len(parts)%2 == 0 {
		return prose(strings.Join(parts, "`"))
	}
	var b strings.Builder
	for i, part := range parts {
		switch {
		case i%2 == 0:
			b.WriteString(prose(part))
		case part == "":
			b.WriteString(prose("``"))
		default:
			b.WriteString(code(part))
		}
	}
	return b.String()
}
