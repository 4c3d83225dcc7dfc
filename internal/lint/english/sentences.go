package english

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences returns the first sentences of a text, at most limit, each on one line. Each line of a list is a sentence;
// other lines are joined.
func Sentences(text string, limit int) (all []string) {
	var paragraph strings.Builder
	flush := func() {
		all = append(all, sentencesOfLine(paragraph.String())...)
		paragraph.Reset()
	}
	for line := range strings.Lines(strings.ToValidUTF8(text, " ")) {
		line = strings.Map(unprinted, line)
		bare := strings.TrimLeft(strings.TrimSpace(line), "-*•#> ")
		if bare != strings.TrimSpace(line) || bare == "" {
			flush()
		}
		paragraph.WriteString(bare + " ")
		if len(all) > limit {
			break
		}
	}
	flush()
	return all[:min(limit, len(all))]
}

func unprinted(r rune) rune {
	if unicode.IsControl(r) || !unicode.IsPrint(r) {
		return ' '
	}
	return r
}

// sentencesOfLine returns the sentences of a line. A sentence ends with a full stop or similar mark before a blank,
// unless the next word is in lower case, as after "e.g.".
func sentencesOfLine(line string) (all []string) {
	words := strings.Fields(line)
	start := 0
	for i, word := range words {
		isLast := i == len(words)-1
		hasStop := strings.HasSuffix(word, ".") || strings.HasSuffix(word, "!") || strings.HasSuffix(word, "?")
		if !isLast && (!hasStop || beginsLower(words[i+1])) {
			continue
		}
		all = append(all, strings.Join(words[start:i+1], " "))
		start = i + 1
	}
	return all
}

func beginsLower(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.IsLower(first)
}
