package frame

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// traffic are messages, a line each, of which some are none.
const traffic = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":"\u0061","result":{"tools":[{"name":"look","inputSchema":{}}],"nextCursor":"d","_meta":{}}}
{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"no"}}
no message
[{"jsonrpc":"2.0","id":7,"result":{}},{"jsonrpc":"2.0","method":"ping","id":8}]
`

// splitIn returns the messages of a text that passes in pieces of a size.
func splitIn(cut func(Emit) *Splitter, text []byte, size int) []string {
	var got []string
	s := cut(func(text []byte, _ int) { got = append(got, string(text)) })
	for len(text) > 0 {
		n := min(size, len(text))
		s.Write(text[:n])
		text = text[n:]
	}
	s.Close(false)
	return got
}

func TestEvents(t *testing.T) {
	for _, test := range []struct {
		in   string
		want []string
	}{
		{"data: a\n\n", []string{"a"}},
		{"event: message\nid: 1\ndata: a\r\n\r\ndata:b\r\rdata: c\n\n", []string{"a", "b", "c"}},
		{"data: a\ndata: b\n\n", []string{"a\nb"}},
		{": comment\n\ndata\n\ndatas: x\n\ndat: x\n\n", nil},
		{"data:\n\n", nil},
		{"data: cut", []string{"cut"}},
	} {
		for size := 1; size < 12; size++ {
			if got := splitIn(NewEvents, []byte(test.in), size); !slices.Equal(got, test.want) {
				t.Errorf("%q in pieces of %d bytes: got %q, want %q", test.in, size, got, test.want)
			}
		}
	}
}

// FuzzSplit pins that messages do not depend on the pieces in which they pass.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{traffic, "data: a\ndata: b\r\rid: 1\r\n\r\n", "data:\n\ndata", "\r\n\r\n", ""} {
		f.Add([]byte(seed), 3)
	}
	f.Fuzz(func(t *testing.T, text []byte, size int) {
		if size < 1 || size > 1000 {
			return
		}
		for name, cut := range map[string]func(Emit) *Splitter{"lines": NewLines, "events": NewEvents, "whole": NewWhole} {
			if got, want := splitIn(cut, text, size), splitIn(cut, text, 1<<20); !slices.Equal(got, want) {
				t.Errorf("%s of %q in pieces of %d bytes: got %q, want %q as in one piece", name, text, size, got, want)
			}
		}
	})
}

// FuzzReplaced pins that a message whose id is replaced is the same but for it.
func FuzzReplaced(f *testing.F) {
	for _, line := range strings.Split(traffic, "\n") {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		frames, err := ReadAll(text)
		if err != nil {
			return
		}
		for _, one := range frames {
			id, start := At(one.Raw, "id")
			got := Replaced(one.Raw, jsontext.Value(`"new"`), "id")
			if id == nil {
				if !bytes.Equal(got, one.Raw) {
					t.Errorf("%q without an id became %q", one.Raw, got)
				}
				continue
			}
			want := string(one.Raw[:start]) + `"new"` + string(one.Raw[start+len(id):])
			again, err := Read(got)
			if string(got) != want || err != nil || Key(again.ID) != `"new` {
				t.Errorf("%q became %q (%v), want %q", one.Raw, got, err, want)
			}
		}
	})
}
