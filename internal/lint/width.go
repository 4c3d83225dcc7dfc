package lint

import "unicode"

// wide are the scripts in which a character carries as much meaning as two or more Latin letters.
var wide = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul}

func runeWidth(r rune) int {
	if r >= 0x1100 && unicode.In(r, wide...) {
		return 2
	}
	return 1
}

// width returns the length of a text in characters; Chinese, Japanese and Korean characters count twice.
func width(text string) int {
	n := 0
	for _, r := range text {
		n += runeWidth(r)
	}
	return n
}

func characters(text string) string {
	n, wide := 0, false
	for _, r := range text {
		n += runeWidth(r)
		wide = wide || runeWidth(r) > 1
	}
	if wide {
		return counted(n, "character") + " (a Chinese, Japanese or Korean one counts two)"
	}
	return counted(n, "character")
}
