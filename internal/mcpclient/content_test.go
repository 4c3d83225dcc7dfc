package mcpclient

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestReadResult(t *testing.T) {
	for _, test := range []struct {
		name, raw string
		want      CallResult
	}{
		{"nothing", `{}`, CallResult{}},
		{"null", `{"content":null,"structuredContent":null}`, CallResult{}},
		{"texts", `{"content":[{"type":"text","text":"a\n"},{"type":"text","text":""},{"type":"text","text":"b"}]}`, CallResult{Text: "a\n\n\nb"}},
		{"error", `{"content":[{"type":"text","text":"no"}],"isError":true}`, CallResult{Text: "no", IsError: true}},
		{"image", `{"content":[{"type":"image","mimeType":"image/png","data":"aGVsbG8="}]}`, CallResult{Text: "[image image/png, 5 bytes]"}},
		{"audio", `{"content":[{"type":"audio","mimeType":"audio/wav","data":"aGVsbG8h"}]}`, CallResult{Text: "[audio audio/wav, 6 bytes]"}},
		{"link", `{"content":[{"type":"resource_link","uri":"file:///a","name":"A"}]}`, CallResult{Text: "[resource link file:///a A]"}},
		{"resource text", `{"content":[{"type":"resource","resource":{"uri":"x:/a","text":"inside"}}]}`, CallResult{Text: "inside"}},
		{"resource empty", `{"content":[{"type":"resource","resource":{"uri":"x:/a","text":""}}]}`, CallResult{}},
		{"resource blob", `{"content":[{"type":"resource","resource":{"uri":"x:/a","mimeType":"a/b","blob":"aGVsbG8="}}]}`, CallResult{Text: "[resource x:/a a/b, 5 bytes]"}},
		{"resource without one", `{"content":[{"type":"resource"}]}`, CallResult{Text: "[resource]"}},
		{"unknown", `{"content":[{"type":"hologram","x":1},{"type":"text","text":"b"},{}]}`, CallResult{Text: "[content hologram]\nb\n[content]"}},
		{"structured", `{"content":[],"structuredContent": {"b": 1.50, "a": [ ]}}`, CallResult{Text: `{"b":1.50,"a":[]}`}},
		{"structured besides", `{"content":[{"type":"text","text":"t"}],"structuredContent":{"b":1}}`, CallResult{Text: "t"}},
		{"input required", `{"resultType":"input_required","inputRequests":{}}`, CallResult{Text: "the server asks for input, which this client does not give", IsError: true}},
		{"half a pair", `{"content":[{"type":"text","text":"\ud800"}]}`, CallResult{Text: "\uFFFD"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := readResult([]byte(test.raw), cutter{})
			if err != nil || got != test.want {
				t.Errorf("%s: error %v, got %+v, want %+v", test.raw, err, got, test.want)
			}
		})
	}
	for _, raw := range []string{``, `null`, `[]`, `"text"`, `{"content":"text"}`, `{"content":[1]}`, `{"isError":"yes"}`} {
		if got, err := readResult([]byte(raw), cutter{}); err == nil {
			t.Errorf("%s: got %+v, want an error", raw, got)
		} else if protocol := new(protocolError); !errors.As(err, &protocol) {
			t.Errorf("%s: got %v, want a *protocolError", raw, err)
		}
	}
}

func TestLongResults(t *testing.T) {
	text := func(n int) string { return `{"type":"text","text":"` + strings.Repeat("a", n) + `"}` }
	for _, test := range []struct{ name, raw, suffix string }{
		{"just fits", `{"content":[` + text(maxResultText) + `]}`, "aaa"},
		{"one too many", `{"content":[` + text(maxResultText+1) + `]}`, "a\n[1 more bytes are cut]"},
		{"two blocks", `{"content":[` + text(maxResultText-1) + `,` + text(100) + `]}`, "a\n\n[100 more bytes are cut]"},
		{"many blocks", `{"content":[` + text(maxResultText+10) + strings.Repeat(","+text(99), 10) + `]}`, "a\n[1010 more bytes are cut]"},
		{"whole characters", `{"content":[{"type":"text","text":"a` + strings.Repeat("é", maxResultText/2) + `"}]}`, "é\n[2 more bytes are cut]"},
		{"bytes that begin no character", `{"structuredContent":"` + strings.Repeat("\x80", maxResultText+100) + `"}`, "\x80\n[106 more bytes are cut]"},
		{"structured", `{"structuredContent":["` + strings.Repeat("a", maxResultText) + `"]}`, "a\n[4 more bytes are cut]"},
	} {
		got, err := readResult([]byte(test.raw), cutter{})
		if err != nil || !strings.HasSuffix(got.Text, test.suffix) || len(got.Text) > maxResultText+50 {
			t.Errorf("%s: got %d bytes that end with %q, %v, want %q", test.name, len(got.Text), got.Text[max(0, len(got.Text)-40):], err, test.suffix)
		}
	}
}

func FuzzReadResult(f *testing.F) {
	f.Add([]byte(`{"content":[{"type":"text","text":"a"},{"type":"resource","resource":{"blob":"=="}}],"isError":true}`))
	f.Add([]byte(`{"structuredContent":[1,{"a":null}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := readResult(raw, cutter{})
		if err == nil && len(got.Text) > maxResultText+50 {
			t.Errorf("%q: got %d bytes", raw, len(got.Text))
		}
	})
}

func TestTail(t *testing.T) {
	long := strings.Repeat("x", maxStderrLine+10)
	for _, test := range []struct {
		name   string
		writes []string
		want   []string
	}{
		{"nothing", nil, nil},
		{"lines", []string{"a\r\nb\n\n  \nc"}, []string{"a", "b", "c"}},
		{"in pieces", []string{"a", "b\nc", "", "\n"}, []string{"ab", "c"}},
		{"long", []string{long, long, "\nb\n"}, []string{long[:maxStderrLine], "b"}},
		{"many", []string{strings.Repeat("a\n", 100), "b"}, append(strings.Split(strings.Repeat("a ", 19)[:37], " "), "b")},
		{"no text", []string{"a\xff\n"}, []string{"a\uFFFD"}},
	} {
		tail := &tail{}
		for _, w := range test.writes {
			if n, err := tail.Write([]byte(w)); n != len(w) || err != nil {
				t.Errorf("%s: Write(%.20q): got %d, %v", test.name, w, n, err)
			}
		}
		if got := tail.last(); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
