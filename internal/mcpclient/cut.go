package mcpclient

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/redact"
)

const (
	maxResultText = 1 << 20 // bytes that are kept of a result's text
	maxQuoted     = 200     // characters that errors repeat of a server's words
	maxLooked     = 64 << 10
)

// cutter shortens what servers write, and cuts no secret in two. The zero value knows secrets by their shapes alone.
type cutter struct{ rules *redact.Rules }

func (c cutter) oneLine(text string) string {
	return c.rules.Shorten(strings.Join(strings.Fields(text), " "), maxQuoted)
}

func (c cutter) quoteStart(text []byte) string {
	start, isCut := c.rules.Words(strings.ToValidUTF8(string(text[:min(len(text), maxLooked)]), "\uFFFD"), maxQuoted)
	if isCut {
		return fmt.Sprintf("%q and more", start)
	}
	return fmt.Sprintf("%q", start)
}

// firstLine returns the first line of a text, without the beginning of a secret that goes on in the next.
func (c cutter) firstLine(text string) string {
	if at := strings.IndexByte(text, '\n'); at >= 0 {
		return text[:c.rules.Before(text, at)]
	}
	return text
}

// line returns the first words of a text, of at most so many bytes in all; a part of a word only where it is the first.
func (c cutter) line(text string, most int) string {
	start := text[:most]
	if at := strings.LastIndexFunc(start, unicode.IsSpace); at > 0 {
		start = start[:at]
	}
	return c.rules.Head(text, start)
}

// result returns a text of at most [maxResultText] bytes and a note of how much is cut; left more bytes were cut
// before.
func (c cutter) result(text string, left int) string {
	if len(text) <= maxResultText {
		return text
	}
	at := maxResultText
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	// Cut between words, unless there are none, as in data.
	const longestWord = 4 << 10
	before := text[at-longestWord : at]
	if end := strings.LastIndexFunc(before, unicode.IsSpace); end >= 0 {
		at -= len(strings.TrimLeftFunc(before[end:], unicode.IsSpace))
	}
	at = c.rules.Before(text, at)
	return fmt.Sprintf("%s\n[%d more bytes are cut]", text[:at], len(text)-at+left)
}
