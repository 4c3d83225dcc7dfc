package proxy

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// splitIn returns the messages of a text that passes in pieces of a size.
func splitIn(cut func(func([]byte, int)) *splitter, text []byte, size int) []string {
	var got []string
	s := cut(func(text []byte, _ int) { got = append(got, string(text)) })
	for len(text) > 0 {
		n := min(size, len(text))
		s.write(text[:n])
		text = text[n:]
	}
	s.close(false)
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
			if diff := cmp.Diff(test.want, splitIn(newEvents, []byte(test.in), size)); diff != "" {
				t.Errorf("%q in pieces of %d bytes (-want +got):\n%s", test.in, size, diff)
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
		for name, cut := range map[string]func(func([]byte, int)) *splitter{"lines": newLines, "events": newEvents, "whole": newWhole} {
			if diff := cmp.Diff(splitIn(cut, text, 1<<20), splitIn(cut, text, size)); diff != "" {
				t.Errorf("%s of %q in pieces of %d bytes differ (-whole +pieces):\n%s", name, text, size, diff)
			}
		}
	})
}

// FuzzTape pins that whatever passes, a recording has whole lines of JSON, and nothing of what is not to be recorded.
func FuzzTape(f *testing.F) {
	for _, line := range strings.Split(traffic, "\n") {
		f.Add([]byte(line), []byte(line))
	}
	f.Fuzz(func(t *testing.T, client, server []byte) {
		name := filepath.Join(t.TempDir(), "tape")
		file, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		now := time.Now()
		tape := &tape{file: file, started: now, redactor: (Recording{}).Rules.File(), asked: map[string]string{}, complain: func(err error) { t.Error(err) }}
		tape.message(moment{now, "client", 1}, client, len(client)+1)
		tape.message(moment{now, "server", 1}, server, len(server)+1)
		tape.close()
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for text := range bytes.Lines(data) {
			if !bytes.HasSuffix(text, []byte("\n")) || !jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)) {
				t.Errorf("the recording has the line %q, want JSON", text)
			}
		}
		if strings.Contains(string(data), "kept nowhere") && !strings.Contains(string(client)+string(server), "tools/") {
			t.Errorf("the recording has what is not to be recorded: %s", data)
		}
	})
}

// FuzzReplaced pins that a message whose id is replaced is the same but for it.
func FuzzReplaced(f *testing.F) {
	for _, line := range strings.Split(traffic, "\n") {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		frames, err := readFrames(text)
		if err != nil {
			return
		}
		for _, one := range frames {
			id, start := at(one.raw, "id")
			got := replaced(one.raw, jsontext.Value(`"new"`), "id")
			if id == nil {
				if !bytes.Equal(got, one.raw) {
					t.Errorf("%q without an id became %q", one.raw, got)
				}
				continue
			}
			want := string(one.raw[:start]) + `"new"` + string(one.raw[start+len(id):])
			again, err := readFrame(got)
			if string(got) != want || err != nil || key(again.ID) != `"new` {
				t.Errorf("%q became %q (%v), want %q", one.raw, got, err, want)
			}
		}
	})
}
