package bench

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/thorough"
)

func TestApply(t *testing.T) {
	tests := []struct {
		what string
		m    Mutation
		text string
		want string
	}{
		{"blank", Mutation{Kind: blank}, "Sends mail.", ""},
		{"genericize", Mutation{Kind: genericize}, "Sends mail.", "Performs an operation."},
		{"genericize nothing", Mutation{Kind: genericize}, "", "Performs an operation."},
		{"truncate", Mutation{Kind: truncate, Chars: 5}, "Sends mail.", "Sends"},
		{"truncate counts characters", Mutation{Kind: truncate, Chars: 3}, "né東京", "né東"},
		{"truncate to all", Mutation{Kind: truncate, Chars: 4}, "mail", "mail"},
		{"truncate to more", Mutation{Kind: truncate, Chars: 99}, "mail", "mail"},
		{"truncate to nothing", Mutation{Kind: truncate}, "mail", ""},

		{"drop", Mutation{Kind: dropKeyword, Word: "mail"}, "Sends mail to mail.", "Sends  to ."},
		{"drop in any case", Mutation{Kind: dropKeyword, Word: "mAil"}, "MAIL, Mail, mail", ", , "},
		{"drop whole words only", Mutation{Kind: dropKeyword, Word: "mail"}, "email mails mail_id mail2 2mail _mail mail-id", "email mails mail_id mail2 2mail _mail -id"},
		{"drop all", Mutation{Kind: dropKeyword, Word: "mail"}, "mail", ""},
		{"drop what is not there", Mutation{Kind: dropKeyword, Word: "post"}, "mail", "mail"},
		{"drop beyond ASCII", Mutation{Kind: dropKeyword, Word: "ÉTAT"}, "l'état, étatique", "l', étatique"},
		{"drop where case changes length", Mutation{Kind: dropKeyword, Word: "kelvin"}, "in \u212Aelvin.", "in ."},
		{"drop two words", Mutation{Kind: dropKeyword, Word: "pull request"}, "Pull request of pull requests", " of pull requests"},
		{"drop a sign", Mutation{Kind: dropKeyword, Word: "e.g."}, "fruit, e.g. figs, ie.g.", "fruit,  figs, ie.g."},
		{"drop begins with a sign", Mutation{Kind: dropKeyword, Word: "-a"}, "x-ab -a", "x-ab "},
		{"drop after a part match", Mutation{Kind: dropKeyword, Word: "a a"}, "ba a a", "ba "},
		{"drop from nothing", Mutation{Kind: dropKeyword, Word: "mail"}, "", ""},
		{"drop beside broken UTF-8", Mutation{Kind: dropKeyword, Word: "mail"}, "\xffmail\xfe", "\xff\xfe"},
		{"drop nothing", Mutation{Kind: dropKeyword}, "mail", "mail"},
	}
	for _, test := range tests {
		t.Run(test.what, func(t *testing.T) {
			if got := test.m.apply(test.text); got != test.want {
				t.Errorf("%s of %q: got %q, want %q", test.m.text(), test.text, got, test.want)
			}
		})
	}
}

// TestDropHostile pins that words made to match everywhere and nowhere take time in proportion to the text.
func TestDropHostile(t *testing.T) {
	size := thorough.Size(1<<18, 1<<20)
	text := strings.Repeat("a", size)
	for _, word := range []string{text[:size/2], "a", strings.Repeat("a ", size/2)} {
		m := Mutation{Kind: dropKeyword, Word: word}
		if got := m.apply(text); got != text {
			t.Errorf("dropping %.20q changed a text of one word", word)
		}
	}
}

func FuzzDropKeyword(f *testing.F) {
	f.Add("Sends MAIL, mail_id", "mail")
	f.Add("ſ K \u212A", "k")
	f.Fuzz(func(t *testing.T, text, word string) {
		if !utf8.ValidString(text) || !utf8.ValidString(word) {
			t.Skip()
		}
		got := Mutation{Kind: dropKeyword, Word: word}.apply(text)
		if want := slowDrop([]rune(text), []rune(word)); got != want {
			t.Errorf("dropping %q from %q: got %q, want %q", word, text, got, want)
		}
	})
}

// slowDrop is dropWord by its definition.
func slowDrop(text, word []rune) string {
	inside := func(runes []rune, i int) bool { return i >= 0 && i < len(runes) && isWordRune(runes[i]) }
	var rest []rune
	for i := 0; i < len(text); {
		end := i + len(word)
		if len(word) > 0 && end <= len(text) && strings.EqualFold(string(text[i:end]), string(word)) &&
			!(isWordRune(word[0]) && inside(text, i-1)) && !(isWordRune(word[len(word)-1]) && inside(text, end)) {
			i = end
			continue
		}
		rest = append(rest, text[i])
		i++
	}
	return string(rest)
}
