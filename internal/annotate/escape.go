package annotate

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/report"
)

// commandText returns s as the data or a property of a workflow command. It escapes line separators, invisible and
// direction-changing characters, and all control characters but line feeds. It breaks up commands in the old form, which the
// runner finds anywhere in a line. The library that writes the command escapes percent signs and line feeds, and in properties
// also colons and commas.
func commandText(s string) string {
	return breakOldCommands(printable(s))
}

// printable returns s with every line made safe for the screen. It keeps line feeds.
func printable(s string) string {
	if !strings.Contains(s, "\n") {
		return report.Safe(s)
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = report.Safe(line)
	}
	return strings.Join(lines, "\n")
}

// breakOldCommands breaks up commands of the form ##[name]data.
func breakOldCommands(s string) string {
	return strings.ReplaceAll(s, "##[", "## [")
}

// logLine returns one line of plain output that the runner does not read as a command. The runner trims a line before it looks
// for ::name::, and looks for ##[name] anywhere.
func logLine(s string) string {
	s = breakOldCommands(report.Safe(s))
	start := len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace))
	if strings.HasPrefix(s[start:], "::") {
		return s[:start] + ": " + s[start+1:]
	}
	return s
}

// Limits of the checks API. "The maximum size of an annotation message is 64 KB", counted in bytes; "title: the maximum
// size is 255 characters".
const (
	maxMessage = 64_000
	maxTitle   = 255
)

// plainText returns s as plain text for the API, which does not read markup in it, cut to limit bytes. Characters above U+FFFF
// are escaped, because GitHub refuses them in annotations.
func plainText(s string, limit int) string {
	s = printable(s)
	var b strings.Builder
	for _, r := range s {
		if r > 0xffff {
			fmt.Fprintf(&b, `\U%08x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return clip(b.String(), limit)
}

const ellipsis = "…"

// clip returns s, cut between characters to at most limit bytes.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	end := max(limit-len(ellipsis), 0)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + ellipsis
}

// oldDelimiter ends a value in the file of outputs. The library that writes the file always uses this text.
const oldDelimiter = "_GitHubActionsFileCommandDelimeter_"

// outputValue returns s as the value of an output: one line without the delimiter that ends a value.
func outputValue(s string) string {
	return strings.ReplaceAll(report.Safe(s), oldDelimiter, "_")
}
