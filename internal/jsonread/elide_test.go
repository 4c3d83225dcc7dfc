package jsonread_test

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/org/mcp-gates/internal/jsonread"
)

// inString returns a document in which a string is followed by another value, and how to read it in one piece and
// skipping the string.
func inString(text string) (doc string, whole, skipping func(*jsonread.Reader)) {
	doc = "[\n \"" + text + "\",\n \"after\"]"
	after := func(r *jsonread.Reader, i int) {
		if s, _ := r.String("after"); i != 1 || s != "after" && !r.Failed() {
			r.Mistakef(r.Offset(), "item %d is %q", i, s)
		}
	}
	reading := func(first func(*jsonread.Reader)) func(*jsonread.Reader) {
		return func(r *jsonread.Reader) {
			r.Array("x", func(i int) {
				if i == 0 {
					first(r)
					return
				}
				after(r, i)
			})
			r.End()
		}
	}
	return doc, reading(func(r *jsonread.Reader) { r.Raw() }), reading((*jsonread.Reader).Skip)
}

func TestSkippedStrings(t *testing.T) {
	long := strings.Repeat("x", 9_000)
	tests := map[string]string{
		"short":               "abc",
		"plain":               long,
		"escapes":             strings.Repeat(`\"\\\n\u00e9\ud83d\ude00`, 500),
		"backslashes":         strings.Repeat(`\\`, 50_000),
		"characters":          strings.Repeat("日本語é😀", 900),
		"bad escape":          long + `\x` + long,
		"bad hex":             long + `\u00zz` + long,
		"signed hex":          long + `\u+123` + long,
		"half a pair":         long + `\ud83d` + long,
		"wrong half first":    long + `\ude00\ud83d` + long,
		"two first halves":    long + `\ud83d\ud83d` + long,
		"invalid UTF-8":       long + "\xff" + long,
		"surrogate in UTF-8":  long + "\xed\xa0\x80" + long,
		"overlong":            long + "\xc0\x80" + long,
		"line end":            long + "\n" + long,
		"ends":                long + `", "after"]`,
		"ends in an escape":   long + `\`,
		"quote after quote":   long + `""` + long,
		"ends after the text": long + `" `,
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			for shift := range 13 {
				checkSkipped(t, strings.Repeat(".", shift)+text)
			}
		})
	}
}

// checkSkipped checks that skipping a string with text in it finds what reading it finds.
func checkSkipped(t *testing.T, text string) {
	t.Helper()
	doc, whole, skipping := inString(text)
	r := jsonread.New(strings.NewReader(doc))
	whole(r)
	want := withoutQuotes(mistakes(r, doc))
	for _, in := range []io.Reader{strings.NewReader(doc), iotest.HalfReader(strings.NewReader(doc)), iotest.OneByteReader(strings.NewReader(doc))} {
		r := jsonread.New(in)
		skipping(r)
		if got := withoutQuotes(mistakes(r, doc)); got != want {
			t.Errorf("%.60q… skipped:\n got %.300s\nwant %.300s", text, got, want)
		}
	}
}

// withoutQuotes cuts a message at what it quotes of the file: the decoder quotes as much as it has in its buffer.
func withoutQuotes(message string) string {
	if at := strings.IndexAny(message, "'`"); at >= 0 {
		return message[:at]
	}
	return message
}

func FuzzSkippedStrings(f *testing.F) {
	for _, seed := range []string{`a`, `\"`, `é`, `\ud83d\ude00`, `\ud83d`, "\xe6\x97", `\u0`, "\n", `", 1, "`, `\\`} {
		f.Add(seed, uint8(3), uint8(0))
	}
	f.Fuzz(func(t *testing.T, text string, pad, tail uint8) {
		checkSkipped(t, strings.Repeat(".", int(pad))+strings.Repeat("long é \\u65e5 ", 500)+text+strings.Repeat("x", 40*int(tail)))
	})
}

// endless is a document of one string of n bytes.
func endless(n int64) io.Reader {
	return io.MultiReader(strings.NewReader(`["`), io.LimitReader(repeat(`text, \"quoted\", \u00e9 and é; `), n), strings.NewReader(`"]`))
}

type repeat string

func (s repeat) Read(p []byte) (int, error) {
	n := copy(p, s)
	for n < len(p) {
		n += copy(p[n:], s)
	}
	return n, nil
}

func TestSkippedStringsTakeNoMemory(t *testing.T) {
	const size = 32 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := jsonread.New(endless(size / 64 * 64))
	skipAll(r)
	runtime.ReadMemStats(&after)
	if !r.Clean() {
		t.Fatal(r.Errors("f", bytes.NewReader(nil)))
	}
	if got, limit := after.TotalAlloc-before.TotalAlloc, uint64(1<<20); got > limit {
		t.Errorf("skipping a string of %d bytes took %d bytes of memory, want at most %d", size, got, limit)
	}
}

func BenchmarkSkipString(b *testing.B) {
	const size = 1 << 20
	b.SetBytes(size)
	for b.Loop() {
		skipAll(jsonread.New(endless(size)))
	}
}
