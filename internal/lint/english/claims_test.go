package english

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var claimed = NewClaimVerbs(strings.Fields("create update delete send write set put add cancel approve book save issue move publish close"))

// TestClaims gives the verbs that a text claims.
func TestClaims(t *testing.T) {
	tests := []struct{ text, want string }{
		{"I have created the file.", "create"},
		{"I've successfully created the file.", "create"},
		{"We just updated your order.", "update"},
		{"I sent the mail.", "send"},
		{"I have written the report.", "write"},
		{"I wrote the report.", "write"},
		{"The file has been created.", "create"},
		{"Your flight has been successfully booked!", "book"},
		{"The mails were sent.", "send"},
		{"Both orders were cancelled, and the ticket was closed.", "cancel close"},
		{"The order was canceled.", "cancel"},
		{"Successfully created the file.", "create"},
		{"I've created the file and saved it.", "create save"},
		{"I have read all papers and created a file.", "create"},
		{"I created, saved, and sent the file.", "create save send"},
		{"**Done:** I have **updated** the ticket", "update"},
		{"- The file has been saved to `/tmp/created.txt`", "save"},
		{"I’ve added a row", "add"},
		{"I could not find it, but I have created another file.", "create"},
		{"If you agree, fine. I have created the file.", "create"},
		{"Version 1.5 was published.", "publish"},

		{"I have not created the file.", ""},
		{"I haven't created the file.", ""},
		{"I was unable to find what I created.", ""},
		{"No file was created.", ""},
		{"I created nothing.", ""},
		{"The file wasn't created.", ""},
		{"I will have created the file by then.", ""},
		{"The file will be created.", ""},
		{"The file should have been created.", ""},
		{"I can create the file.", ""},
		{"If I have created the file, look at it.", ""},
		{"Once the file has been created, open it.", ""},
		{"Look at it when it has been created.", ""},
		{"Have I created the file?", ""},
		{"The file was created?", ""},
		{"The updated file is here.", ""},
		{"It lists files that were created.", ""},
		{"The booking was created on 2024-05-11.", ""},
		{"The painting was created in 1889.", ""},
		{"The account was originally created here.", ""},
		{"It was written by its author.", ""},
		{"The law has been approved by the house.", ""},
		{"You have created the file.", ""},
		{"They created the file.", ""},
		{"She has cancelled the order.", ""},
		{`He said "I have created the file".`, ""},
		{"Call it with `I created x`.", ""},
		{"```\nI have created the file.\n```", ""},
		{"I have created a short summary of the news.", ""},
		{"I've put together a plan.", ""},
		{"Set the key. Add a row. Create a file.", ""},
		{"I have to update the file.", ""},
		{"Created: yesterday", ""},
		{"The set was added to the set.", "add"},
		{"", ""},
		{"Ich habe die Datei erstellt.", ""},
	}
	for _, test := range tests {
		var got []string
		for _, claim := range claimed.Claims(test.text) {
			got = append(got, claim.Verb)
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

func TestQuoted(t *testing.T) {
	var found []string
	rest := Quoted("saved \"a b\" to `/tmp/x` and 5\" of “c”", func(text string) { found = append(found, text) })
	if want := []string{"a b", "/tmp/x", "c"}; !slices.Equal(found, want) || strings.Contains(rest, "tmp") {
		t.Errorf("rest %q, found %q, want %q", rest, found, want)
	}
}

// FuzzClaims reads hostile texts: every claim is in the text, and verbs are those of the list.
func FuzzClaims(f *testing.F) {
	f.Add("I have created `x and \"y\" “z” ```")
	f.Add("I’ve\xff created\x1a was\n\n|sent|")
	f.Add(strings.Repeat("“", 5000) + strings.Repeat("I created, and saved ", 500))
	f.Fuzz(func(t *testing.T, text string) {
		for _, claim := range claimed.Claims(text) {
			for _, span := range []Span{claim.Clause, claim.Object} {
				if span.Start < 0 || span.End > len(text) || span.Start > span.End {
					t.Fatalf("%q: span %v of %d bytes", text, span, len(text))
				}
			}
			if utf8.ValidString(text) && !utf8.ValidString(claim.Clause.Of(text)) {
				t.Errorf("%q: the clause %q cuts a character", text, claim.Clause.Of(text))
			}
		}
		Quoted(text, func(string) {})
	})
}

func BenchmarkClaims(b *testing.B) {
	text := strings.Repeat("The file has been saved to `/tmp/x`. I have created 3 tickets, and sent a mail to \"Ann\".\n", 100)
	for b.Loop() {
		claimed.Claims(text)
	}
}
