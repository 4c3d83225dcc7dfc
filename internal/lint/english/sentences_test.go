package english

import (
	"slices"
	"testing"
)

func TestSentences(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"Close a ticket. It is kept! Why?", []string{"Close a ticket.", "It is kept!", "Why?"}},
		{"Close tickets, e.g. old ones, v1.2 too.", []string{"Close tickets, e.g. old ones, v1.2 too."}},
		{"Close\na ticket\n- at once\n* or later\n\nIt is kept", []string{"Close a ticket", "at once", "or later", "It is kept"}},
		{"a\x1b[31mb\xff.", []string{"a [31mb ."}},
		{"One. Two. Three. Four. Five.", []string{"One.", "Two.", "Three."}},
	} {
		if got := Sentences(test.text, 3); !slices.Equal(got, test.want[:min(3, len(test.want))]) {
			t.Errorf("%q:\ngot  %q\nwant %q", test.text, got, test.want)
		}
	}
}
