package lint

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/lists"
)

// maxQuoted bounds the number of characters of a catalog's text that a message repeats. The rest is cut.
const maxQuoted = 60

// quoted returns s shortened and quoted as by %q, so that a message fits on a line.
func quoted(s string) string { return strconv.Quote(Shortened(s)) }

// quotedName returns s quoted as by %q, with the greatest length that a name of a tool or argument could need.
func quotedName(s string) string {
	const longest = 200
	return strconv.Quote(s[:min(len(s), longest)])
}

// Shortened returns s with runs of white space as one blank, cut to maxQuoted characters. Bytes that are not UTF-8 are
// left out.
func Shortened(s string) string {
	const read = 1 << 12 // bytes, because many findings can be about one long text
	folded := strings.Join(strings.Fields(strings.ToValidUTF8(s[:min(len(s), read)], "")), " ")
	chars := []rune(folded)
	if len(chars) <= maxQuoted && len(s) <= read {
		return folded
	}
	return strings.TrimSpace(string(chars[:min(len(chars), maxQuoted-1)])) + "…"
}

func quotedList(values []string) string {
	const limit = 10
	return lists.AndMore(lists.Map(values[:min(len(values), limit)], quoted), len(values))
}

// JSONText returns s as a JSON string.
func JSONText(s string) string {
	b, _ := jsontext.AppendQuote(nil, strings.ToValidUTF8(s, "\uFFFD")) // only text that is not valid UTF-8 is an error
	return string(b)
}

func jsonList(values []string) string {
	return "[" + strings.Join(lists.Map(values, JSONText), ", ") + "]"
}

// counted returns "1 character", "2 characters".
func counted(n int, noun string) string {
	s := strconv.Itoa(n) + " " + noun
	if n != 1 {
		s += "s"
	}
	return s
}

func capitalized(s string) string {
	if s == "" {
		return ""
	}
	r, size := utf8.DecodeRuneInString(s)
	return strings.ToUpper(string(r)) + s[size:]
}
