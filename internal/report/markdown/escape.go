package markdown

import (
	"strings"

	"github.com/org/mcp-gates/internal/report"
)

// maxCode bounds a text in a code span, in characters.
const maxCode = 200

// noBreak is the zero-width space. After an @ it prevents a mention if a code span is quoted as plain text, such as in the answer
// to a mail.
const noBreak = "\u200b"

// code returns s as a code span of Markdown, in which nothing is a link, an image, HTML, a mention or a reference. It is used for
// texts from suites, cassettes, catalogs, models and servers. Control, invisible and direction-changing characters are spelled out
// as in [report.Safe], and a text of more than 200 characters is cut.
func code(s string) string { return codeOf(s, maxCode) }

func codeOf(s string, most int) string {
	if s == "" {
		return "(empty)"
	}
	s = strings.ReplaceAll(report.Cut(report.Safe(s), most), "@", "@"+noBreak)
	fence := strings.Repeat("`", longestRun(s)+1)
	first, last := s[0], s[len(s)-1]
	touchesFence, isPadded := first == '`' || last == '`', first == ' ' && last == ' '
	if touchesFence || isPadded {
		s = " " + s + " " // Markdown removes one of these spaces on each side
	}
	return fence + s + fence
}

// longestRun returns the length of the longest run of back-ticks in s.
func longestRun(s string) int {
	longest := 0
	for run := range strings.FieldsFuncSeq(s, func(r rune) bool { return r != '`' }) {
		longest = max(longest, len(run))
	}
	return longest
}

func listText(n, most int, entry func(i int) string) string {
	list := make([]string, min(n, most))
	for i := range list {
		list[i] = entry(i)
	}
	text := strings.Join(list, ", ")
	if n > most {
		text += " and " + count(n-most) + " more"
	}
	return text
}

// cell returns Markdown as a cell of a table. It escapes vertical bars, because a bar ends a cell even in a code span. A backslash
// before a bar would undo the escape, so a zero-width space separates them.
func cell(markdown string) string {
	if !strings.Contains(markdown, "|") {
		return markdown
	}
	return strings.ReplaceAll(strings.ReplaceAll(markdown, `\|`, `\`+noBreak+`|`), "|", `\|`)
}

func safeURL(url string) bool {
	const others = "-._~:/?#=&%+,;@"
	return strings.HasPrefix(url, "https://") && !strings.ContainsFunc(url, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && !strings.ContainsRune(others, r)
	})
}
