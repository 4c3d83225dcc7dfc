package mcpclient

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/redact"
)

const (
	maxResultText = 1 << 20  // bytes that are kept of a result's text
	maxQuoted     = 200      // characters of a server's words that errors repeat
	maxLooked     = 64 << 10 // bytes beyond a cut that are kept, so that a secret there is found; see [redact.Rules.Before]
)

// cutter shortens texts of servers without splitting a secret. The zero value recognizes secrets only by their form.
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

// firstLine returns the first line of a text, without the beginning of a secret that continues on the next line.
func (c cutter) firstLine(text string) string {
	if at := strings.IndexByte(text, '\n'); at >= 0 {
		return text[:c.rules.Before(text, at)]
	}
	return text
}

// firstWords returns the first words of a text, at most maxLength bytes. If the first word is longer, it is cut.
func (c cutter) firstWords(text string, maxLength int) string {
	start := text[:maxLength]
	if at := strings.LastIndexFunc(start, unicode.IsSpace); at > 0 {
		start = start[:at]
	}
	return c.rules.Head(text, start)
}

// resultText returns a text of at most [maxResultText] bytes with a note on the number of bytes that were cut. alreadyCut is the
// number of bytes that the caller has cut.
func (c cutter) resultText(text string, alreadyCut int) string {
	if len(text) <= maxResultText {
		return text
	}
	at := maxResultText
	for at > maxResultText-utf8.UTFMax && !utf8.RuneStart(text[at]) { // text may be invalid
		at--
	}
	// Cut between words. A text without a space, such as encoded data, is cut anywhere.
	const longestWord = 4 << 10
	before := text[at-longestWord : at]
	if end := strings.LastIndexFunc(before, unicode.IsSpace); end >= 0 {
		at -= len(strings.TrimLeftFunc(before[end:], unicode.IsSpace))
	}
	at = c.rules.Before(text, at)
	return fmt.Sprintf("%s\n[%d more bytes are cut]", text[:at], len(text)-at+alreadyCut)
}
