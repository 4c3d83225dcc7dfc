package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// maxSafe bounds the length of a text on a terminal, in characters.
const maxSafe = 2000

// Safe returns s as one line that a terminal shows and does not act on. Control characters, line breaks, escape sequences,
// invisible and direction-changing characters and invalid UTF-8 are spelled out, such as \x1b or \u202e. A text of more than
// 2,000 characters is cut. The line contains no command of a CI runner, such as "::error::" at the beginning or "##[error]"
// anywhere. Every text that the program did not make itself goes through Safe before it is written to a terminal.
func Safe(s string) string {
	s = strings.ReplaceAll(s, "##[", `#\x23[`)
	if strings.HasPrefix(strings.TrimLeft(s, " "), "::") {
		s = strings.Replace(s, ":", `\x3a`, 1)
	}
	if isSafe(s) {
		return s
	}
	var b strings.Builder
	shown := 0
	for len(s) > 0 {
		if shown == maxSafe {
			b.WriteString("…")
			break
		}
		r, size := utf8.DecodeRuneInString(s)
		writeSafe(&b, r, s[:size])
		s = s[size:]
		shown++
	}
	return b.String()
}

func isSafe(s string) bool {
	return len(s) <= maxSafe && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

// writeSafe writes the character r, whose source text is raw. Letters, marks, digits, punctuation, symbols and the plain space
// are written as they are. Any other character could move the cursor, or hide or reorder text, so it is spelled out.
func writeSafe(b *strings.Builder, r rune, raw string) {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		fmt.Fprintf(b, `\x%02x`, raw[0])
	case unicode.IsPrint(r) && !isInvisible(r):
		b.WriteString(raw)
	case r < utf8.RuneSelf:
		fmt.Fprintf(b, `\x%02x`, r)
	case r > 0xffff:
		fmt.Fprintf(b, `\U%08x`, r)
	default:
		fmt.Fprintf(b, `\u%04x`, r)
	}
}

// isInvisible reports whether r counts as printable but shows nothing: fillers and selectors that hide text in names.
func isInvisible(r rune) bool {
	return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r)
}

// SafeJSON returns a JSON text with the same meaning, in which characters that act on a terminal, or are invisible, are written
// as JSON escapes. A CI runner finds no commands in it.
func SafeJSON(text string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(text, "##[", `#\u0023[`) {
		if r == '\n' || unicode.IsPrint(r) && !isInvisible(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
