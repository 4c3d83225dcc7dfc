package lexical

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// written writes a diff as [-removed-] and {+added+}.
func written(parts []DiffPart) string {
	var list []string
	for _, p := range parts {
		switch p.Change {
		case Removed:
			list = append(list, "[-"+p.Text+"-]")
		case Added:
			list = append(list, "{+"+p.Text+"+}")
		case LeftOut:
			list = append(list, "…")
		default:
			list = append(list, p.Text)
		}
	}
	return strings.Join(list, " ")
}

func TestWordDiff(t *testing.T) {
	long := strings.Repeat("word ", 100)
	for _, test := range []struct{ name, before, after, want string }{
		{"same words", "Find a  ticket.", "Find a\nticket.", ""},
		{"one word", "Find a ticket.", "Find every ticket.", "Find [-a-] {+every+} ticket."},
		{"all of it", "Create a support ticket.", "Ticket.", "[-Create a support ticket.-] {+Ticket.+}"},
		{"from nothing", "", "Ticket.", "{+Ticket.+}"},
		{"far from the change", "a b c d e f g h " + "x" + " i j k l m n", "a b c d e f g h y i j k l m n", "… e f g h [-x-] {+y+} i j k l …"},
		{"two changes", "x a b c d e f g h i j x", "y a b c d e f g h i j y", "[-x-] {+y+} a b c d … g h i j [-x-] {+y+}"},
		{"without spaces", "查找所有票据", "查找一张票据", "查找 [-所有-] {+一张+} 票据"},
		{"much added", "end", long + "end", "{+" + strings.TrimSpace(strings.Repeat("word ", 60)) + "+} …"},
		{"one long word", "a", strings.Repeat("é", 1000), "[-a-] {+" + strings.Repeat("é", 400) + "…+}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			parts, ok := WordDiff(test.before, test.after)
			if diff := cmp.Diff(test.want, written(parts)); diff != "" || !ok {
				t.Errorf("ok %t, -want +got\n%s", ok, diff)
			}
		})
	}
	if parts, ok := WordDiff(strings.Repeat("a ", 2001), "b"); ok || parts != nil {
		t.Errorf("2001 words: got %v, %t, want none and false", parts, ok)
	}
}

func FuzzWordDiff(f *testing.F) {
	f.Add("Find a ticket.", "Find every ticket.")
	f.Add("查找所有票据 a", "\xff 查找")
	f.Fuzz(func(t *testing.T, before, after string) {
		parts, ok := WordDiff(before, after)
		if !ok {
			return
		}
		words, characters := 0, 0
		for _, p := range parts {
			if (p.Text == "") != (p.Change == LeftOut) {
				t.Errorf("a part is %+v", p)
			}
			words += len(splitWords(p.Text))
			characters += utf8.RuneCountInString(p.Text)
		}
		if words > maxDiffWords || characters > 3*maxDiffCharacters {
			t.Errorf("%d words and %d characters are shown", words, characters)
		}
		if same := strings.Join(splitWords(before), " ") == strings.Join(splitWords(after), " "); same != (len(parts) == 0) {
			t.Errorf("the texts are the same: %t, and %d parts differ", same, len(parts))
		}
	})
}

// BenchmarkWordDiff compares the longest texts that are compared, of few words, which takes longest.
func BenchmarkWordDiff(b *testing.B) {
	before, after := strings.Repeat("a b ", 1000), strings.Repeat("b c a ", 666)
	for b.Loop() {
		WordDiff(before, after)
	}
}
