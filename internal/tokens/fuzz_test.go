package tokens

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
	"github.com/pkoukk/tiktoken-go"
)

// pattern is that of cl100k_base.
const pattern = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`

// whole returns the encoding as tiktoken-go has it: the yardstick.
func whole(t testing.TB) *tiktoken.Tiktoken {
	t.Helper()
	core, err := tiktoken.NewCoreBPE(published(t), nil, pattern)
	if err != nil {
		t.Fatal(err)
	}
	return tiktoken.NewTiktoken(core, nil, nil)
}

// odd holds texts that take every branch of the pattern, and the runs on which a merge takes longest.
var odd = []string{
	"", "'s", "'S", "'LL be", "'re've'd'm't", "!'s", "it's", "'", "''", "'r", "'rx", "'ſet",
	" a", "  a", "\ta", "\n a", " \na", "a\n", "\r\n", " \r\n \n  x", "\u00a0x", "\u2003\u2003x", "\u0085",
	" 1", "  1", "1234", "١٢٣٤", "½x", " =", "  =", "\t=", "= \n", "=\n\n x", "a1b2", "é", "e\u0301", "ﬁ", "漢字かな", "กำ",
	"👩‍👩‍👧‍👦", "🇩🇪🇫🇷", "\u200b", "\ufeff", "\x00\x01", "\xff\xfe", "\xed\xa0\x80", "\xf0\x9f\x98", "�", "{\"type\":\"object\"}",
	strings.Repeat("a", 300), strings.Repeat(" ", 300), strings.Repeat(" ", 300) + "x", strings.Repeat("\n", 300),
	strings.Repeat(" \n", 150), strings.Repeat("=", 300), strings.Repeat("1", 300), strings.Repeat("漢", 100),
	strings.Repeat("👍", 100), strings.Repeat("ab", 150), strings.Repeat("=-", 150) + "\n\n\n", strings.Repeat("Aé漢", 60),
}

func FuzzText(f *testing.F) {
	for _, text := range odd {
		f.Add(text)
	}
	c, yardstick := Counter{}, whole(f)
	f.Fuzz(func(t *testing.T, text string) {
		if want := len(yardstick.EncodeOrdinary(text)); c.Text(text) != want {
			t.Errorf("Text(%q) = %d, want %d", text, c.Text(text), want)
		}
	})
}

// The pieces themselves are those of the pattern: equal counts could hide a wrong cut.
func FuzzPieces(f *testing.F) {
	for _, text := range odd {
		f.Add(text)
	}
	yardstick := regexp2.MustCompile(pattern, regexp2.None)
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		var got, want []string
		for rest := text; rest != ""; rest = rest[firstPiece(rest):] {
			got = append(got, rest[:firstPiece(rest)])
		}
		for m, _ := yardstick.FindStringMatch(text); m != nil; m, _ = yardstick.FindNextMatch(m) {
			want = append(want, m.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("pieces of %q:\n got %q\nwant %q", text, got, want)
		}
	})
}

func FuzzMerge(f *testing.F) {
	for _, text := range odd {
		f.Add(text)
	}
	ranks := published(f)
	yardstick := libraryOf(ranks)
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" || !utf8.ValidString(text) {
			return
		}
		if _, ok := ranks[text]; ok {
			return
		}
		if got, want := mergedParts(text), len(yardstick.EncodeOrdinary(text)); got != want {
			t.Errorf("mergedParts(%q) = %d, want %d", text, got, want)
		}
	})
}
