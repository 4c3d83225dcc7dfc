package annotate

import (
	"strings"
	"unicode/utf8"
)

// Limits on Markdown. A check run's summary and text have at most 65,535 characters each, which are counted in bytes to
// be on the safe side; a comment has at most 65,536 characters, and the tool keeps to 60,000.
const (
	maxCheckText = 65_535
	maxComment   = 60_000
)

// cutCharacters is as cutMarkdown with a limit in characters.
func cutCharacters(s string, limit int) string {
	const room = 400 // characters of what is added to what is cut
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	count := 0
	for at := range s {
		if count == max(limit-room, 0) {
			return cutMarkdown(s, at)
		}
		count++
	}
	return s
}

// cutMarkdown returns s, cut at the end of a line so that it has at most limit bytes, with what was open closed and a
// note that it was cut. Whoever wrote s is expected to have kept to the limit: this is the net beneath.
func cutMarkdown(s string, limit int) string {
	const note = "\n\nThis was cut: it is longer than GitHub allows. The job summary has all of it.\n"
	const room = 200 // for what is closed
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= limit {
		return s
	}
	keep := max(limit-len(note)-room, 0)
	cut := strings.LastIndexByte(s[:keep], '\n') + 1
	if chart := openChart(s[:cut]); chart >= 0 {
		cut = chart
	}
	return s[:cut] + closing(s[:cut]) + note
}

// openChart returns where a chart begins that s ends in the middle of; -1 when it does not. In place of a part of one
// GitHub shows an error.
func openChart(s string) int {
	const fence = "```mermaid\n"
	at := strings.LastIndex(s, "\n"+fence) + 1
	if !strings.HasPrefix(s[at:], fence) || strings.Contains(s[at+len(fence):], "\n```\n") {
		return -1
	}
	return at
}

// closing returns what closes the fence and the folded parts that s leaves open.
func closing(s string) string {
	const most = 10
	fence, folded := "", 0
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if mark := fenceOf(line); mark != "" && (fence == "" || len(mark) >= len(fence) && line == mark && mark[0] == fence[0]) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
			continue
		}
		if fence == "" {
			folded += strings.Count(line, "<details") - strings.Count(line, "</details>")
		}
	}
	closed := ""
	if fence != "" && len(fence) <= 100 {
		closed = fence + "\n"
	}
	return closed + strings.Repeat("</details>\n", min(max(folded, 0), most))
}

// fenceOf returns the back-ticks or tildes of a line that opens or closes a fenced block; "" when it does neither.
func fenceOf(line string) string {
	for _, mark := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, mark)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}
