package frame

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/thorough"
)

// zipped returns a text as gzip compresses it.
func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestGzip pins which messages a compressed body has, and that one that cannot be read is a message that is not kept.
func TestGzip(t *testing.T) {
	t.Parallel()
	small, huge := zipped(t, "data: a\n\ndata: b\n\n"), bytes.Repeat(zipped(t, strings.Repeat(" ", 1<<20)), maxUnzipped>>20+1)
	if thorough.Asked() {
		huge = zipped(t, strings.Repeat(" ", maxUnzipped+1<<20)) // which takes long to make
	}
	const noise = "\x1f\x8b no gzip"
	for name, test := range map[string]struct {
		kind, coding string
		body         []byte
		isCut        bool
		want         []string // sizes of what is not kept
	}{
		"events":       {"text/event-stream", "gzip", small, false, []string{"a", "b"}},
		"one message":  {"application/json", "X-GZIP", zipped(t, "{}"), false, []string{"{}"}},
		"no bytes":     {"application/json", "gzip", nil, false, nil},
		"no gzip":      {"application/json", "gzip", []byte(noise), false, []string{fmt.Sprint(len(noise))}},
		"not the end":  {"text/event-stream", "gzip", small[:len(small)-4], false, []string{"a", "b", fmt.Sprint(len(small) - 4)}},
		"cut":          {"text/event-stream", "gzip", small[:len(small)-4], true, []string{"a", "b"}},
		"a bomb":       {"application/json", "gzip", huge, false, []string{fmt.Sprint(len(huge))}},
		"other coding": {"application/json", "br", []byte("x"), false, []string{"x"}},
	} {
		for _, size := range []int{1, 7, 1 << 20} {
			if name == "a bomb" && size < 1<<20 && !thorough.Asked() {
				continue // it takes long to read
			}
			var got []string
			header := http.Header{"Content-Type": {test.kind}, "Content-Encoding": {test.coding}}
			s := NewBody(header, func(text []byte, size int) {
				if text == nil {
					text = fmt.Append(nil, size)
				}
				got = append(got, string(text))
			})
			for rest := test.body; len(rest) > 0; rest = rest[min(size, len(rest)):] {
				s.Write(rest[:min(size, len(rest))])
			}
			s.Close(test.isCut)
			if !slices.Equal(got, test.want) {
				t.Errorf("%s in pieces of %d bytes: got %q, want %q", name, size, got, test.want)
			}
		}
	}
}
