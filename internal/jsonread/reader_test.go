package jsonread_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/jsonread"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/thorough"
)

// read builds the next value as encoding/json does with UseNumber.
func read(r *jsonread.Reader) any {
	switch r.Kind() {
	case '{':
		m := map[string]any{}
		r.Object("value", func(key string) { m[key] = read(r) })
		return m
	case '[':
		list := []any{}
		r.Array("value", func(int) { list = append(list, read(r)) })
		return list
	case '"':
		s, _ := r.String("value")
		return s
	case '0':
		n, _ := r.Number("value")
		return json.Number(n)
	case 'n':
		r.Null()
		return nil
	}
	b, _ := r.Bool("value")
	return b
}

// readers returns a reader of in for each way to get at its bytes.
func readers(in string) []*jsonread.Reader {
	used := jsonread.NewBytes([]byte(`{"a": ["b", "abc", tru`))
	read(used)
	used.Reset([]byte(in))
	return []*jsonread.Reader{
		used,
		jsonread.New(strings.NewReader(in)),
		jsonread.New(iotest.OneByteReader(strings.NewReader(in))),
		jsonread.NewBytes([]byte(in)),
	}
}

// mistakes returns the mistakes of r as one text, a line each.
func mistakes(r *jsonread.Reader, content string) string {
	return r.Errors("f", strings.NewReader(content)).Error()
}

func TestValues(t *testing.T) {
	thorough.Unraced(t, "it takes seconds, on one goroutine")
	tests := []struct{ name, in string }{
		{"object", `{"a": [1, -2.5e3, "x\u00e9\n", true, false, null], "b": {}}`},
		{"scalar", ` "x" `},
		{"byte order mark", "\xef\xbb\xbf[1]"},
		{"duplicate names", `{"a": 1, "a": 2}`},
		{"surrogate pair", `"\ud83d\ude00"`},
		{"deep", strings.Repeat("[", source.MaxDepth) + strings.Repeat("]", source.MaxDepth)},
		{"many short strings", "[" + strings.Repeat(`"abc", "def", `, 5000) + `"x"]`},
		{"long string", `["` + strings.Repeat(`a\"é\ud83d\ude00`, 10_000) + `"]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, r := range readers(tt.in) {
				got := read(r)
				r.End()
				if !r.Clean() {
					t.Fatalf("%.200q: %s", tt.in, mistakes(r, tt.in))
				}
				// go-cmp takes exponential time over deep values.
				if want := reference(t, strings.TrimPrefix(tt.in, "\ufeff")); !reflect.DeepEqual(got, want) {
					t.Errorf("%.200q\n got %.500v\nwant %.500v", tt.in, got, want)
				}
			}
		})
	}
}

func reference(t *testing.T, in string) any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(in))
	dec.UseNumber()
	var want any
	if err := dec.Decode(&want); err != nil {
		t.Fatal(err)
	}
	return want
}

// anything reads a whole document of any kind.
func anything(r *jsonread.Reader) {
	if r.Kind() == 0 {
		r.String("the document")
	}
	read(r)
	r.End()
}

func skipAll(r *jsonread.Reader) {
	r.Skip()
	r.End()
}

func TestMistakes(t *testing.T) {
	deep := strings.Repeat("[", source.MaxDepth+1)
	deep += strings.Repeat("]", source.MaxDepth+1)
	const tooDeep = "f:1:513: nests values more than 512 deep"
	tests := []struct {
		name, in string
		read     func(*jsonread.Reader)
		want     string
	}{
		{"empty", "", anything, "f:1:1: is empty, expected a JSON value"},
		{"only a mark", "\xef\xbb\xbf", anything, "f:1:1: is empty, expected a JSON value"},
		{"no JSON", "hello", anything, "f:1:1: is not valid JSON: invalid character 'h' at start of value (byte 0)"},
		{"after a mark", "\xef\xbb\xbfhello", anything, "f:1:1: is not valid JSON: invalid character 'h' at start of value (byte 3)"},
		{"UTF-16", "\xff\xfe{\x00}\x00", anything, "f:1:1: is UTF-16 text, expected UTF-8"},
		{"big-endian UTF-16", "\xfe\xff\x00{\x00}", anything, "f:1:1: is UTF-16 text, expected UTF-8"},
		{"bad literal", "[nulx]", anything, "f:1:5: is not valid JSON: invalid character 'x' in literal null (expecting 'l') (byte 4)"},
		{"truncated object", "{\n  \"é\": ", anything, "f:2:8: is not valid JSON: the file ends in the middle of a value (byte 10)"},
		{"truncated string", "[\"abc", anything, "f:1:6: is not valid JSON: the file ends in the middle of a value (byte 5)"},
		{"truncated list", "[1,\n2", anything, "f:2:2: is not valid JSON: the file ends in the middle of a value (byte 5)"},
		{"missing comma", "[1 2]", anything, "f:1:4: is not valid JSON: invalid character '2' after array element (expecting ',' or ']') (byte 3)"},
		{"trailing comma", "[1,\n]", anything, "f:1:3: is not valid JSON: invalid character ',' at start of value (byte 2)"},
		{"stray bracket", "}", anything, "f:1:1: is not valid JSON: invalid character '}' at start of value (byte 0)"},
		{"trailing value", "{}\n{}", anything, "f:2:1: has more than one JSON value, expected one"},
		{"trailing bracket", "{}\n}", anything, "f:2:1: is not valid JSON: invalid character '}' at start of value (byte 3)"},
		{"trailing garbage", "{}\nx", anything, "f:2:1: is not valid JSON: invalid character 'x' at start of value (byte 3)"},
		{"key without quotes", "{a: 1}", anything, "f:1:2: is not valid JSON: invalid character 'a' at start of value (byte 1)"},
		{"number as key", "{1: 1}", anything, "f:1:2: is not valid JSON: object member name must be a string (byte 1)"},
		{"invalid UTF-8", "[\"é\xff\"]", anything, "f:1:4: is not valid JSON: invalid UTF-8 (byte 4)"},
		{"control character", "[\"\n\"]", anything, "f:1:3: is not valid JSON: invalid character '\\n' in string (expecting non-control character) (byte 2)"},
		{"too deep", deep, anything, tooDeep},
		{"too deep, skipped", deep, skipAll, tooDeep},
		{"too deep, raw", deep, func(r *jsonread.Reader) { r.Raw() }, tooDeep},
		{"too deep within", "[" + deep[1:], func(r *jsonread.Reader) { r.Array("x", func(int) { r.Raw() }) }, tooDeep},
		{"object wanted", `[1]`, func(r *jsonread.Reader) { r.Object("a run", nil) }, "f:1:1: a run must be an object, found a list"},
		{"list wanted", ` {"a": 1}`, func(r *jsonread.Reader) { r.Array("runs", nil) }, "f:1:2: runs must be a list, found an object"},
		{"text wanted", "null", func(r *jsonread.Reader) { r.String(`"name"`) }, `f:1:1: "name" must be text, found null`},
		{"word wanted", "12", func(r *jsonread.Reader) { r.Word(`"name"`) }, `f:1:1: "name" must be text, found 12`},
		{"number wanted", `"12"`, func(r *jsonread.Reader) { r.Int(`"total"`) }, `f:1:1: "total" must be a whole number of 0 or more, found "12"`},
		{"negative", `-1`, func(r *jsonread.Reader) { r.Int(`"total"`) }, `f:1:1: "total" must be a whole number of 0 or more, found -1`},
		{"fraction", `1.0`, func(r *jsonread.Reader) { r.Int(`"total"`) }, `f:1:1: "total" must be a whole number of 0 or more, found 1.0`},
		{"huge", strings.Repeat("9", 1000), func(r *jsonread.Reader) { r.Int("n") }, "f:1:1: n must be a whole number of 0 or more, found " + strings.Repeat("9", 60) + "…"},
		{"amount wanted", `"1"`, func(r *jsonread.Reader) { r.Number("cost") }, `f:1:1: cost must be a number, found "1"`},
		{"truth wanted", `"true"`, func(r *jsonread.Reader) { r.Bool("flag") }, `f:1:1: flag must be true or false, found "true"`},
		{"wrong type and bad", `[nulx]`, func(r *jsonread.Reader) { r.Array("x", func(int) { r.String("y") }) }, "f:1:5: is not valid JSON: invalid character 'x' in literal null (expecting 'l') (byte 4)"},
		{"long text found", `"` + strings.Repeat("é", 100) + `"`, func(r *jsonread.Reader) { r.Int("n") }, `f:1:1: n must be a whole number of 0 or more, found "` + strings.Repeat("é", 59) + "…"},
		{
			"duplicate field", "{\"a\": 1,\n \"b\": 1, \"b\": 2, \"a\": 3}",
			func(r *jsonread.Reader) {
				r.Fields("x", func(key string) {
					if key == "a" {
						r.Skip()
					}
				})
			},
			`f:2:18: duplicate key "a"`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, r := range readers(tt.in) {
				tt.read(r)
				if got := mistakes(r, tt.in); got != tt.want {
					t.Errorf("%.200q\n got %s\nwant %s", tt.in, got, tt.want)
				}
			}
		})
	}
}

func TestHalfSurrogatePair(t *testing.T) {
	const in = `["\ud83d"]`
	r := jsonread.New(strings.NewReader(in))
	read(r)
	const want = "f:1:3: is not valid JSON: invalid surrogate pair "
	if got := mistakes(r, in); !strings.HasPrefix(got, want) {
		t.Errorf("%s: got %s, want %s…", in, got, want)
	}
}

func TestReadError(t *testing.T) {
	r := jsonread.New(io.MultiReader(strings.NewReader(`{"a": `), iotest.ErrReader(errors.New("disk on fire"))))
	read(r)
	if got, want := mistakes(r, `{"a": `), "f:1:5: cannot be read: disk on fire"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !r.Failed() {
		t.Error("Failed is false after an error of the stream")
	}
}

func TestFailed(t *testing.T) {
	r := jsonread.New(strings.NewReader("{} {}\n"))
	for r.More() {
		r.Skip()
	}
	if r.Failed() || !r.Clean() {
		t.Errorf("the end of a stream counts as a failure: %s", mistakes(r, "{} {}\n"))
	}
	r.Skip()
	r.End()
	if !r.Clean() {
		t.Errorf("reading after the end is a mistake: %s", mistakes(r, "{} {}\n"))
	}
}

func TestMistakesAreCapped(t *testing.T) {
	in := "[" + strings.Repeat("1,\n", 5000) + "1]"
	r := jsonread.New(strings.NewReader(in))
	r.Array("x", func(int) { r.String("y") })
	got := r.Errors("f", strings.NewReader(in))
	if len(got) != 101 {
		t.Fatalf("got %d mistakes, want 101", len(got))
	}
	if got, want := got[99].Error(), "f:100:1: y must be text, found 1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := got[100].Error(), "f:101:1: has 4901 more mistakes"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestHold(t *testing.T) {
	const in = `[1, 2, 3]`
	r := jsonread.New(strings.NewReader(in))
	var dropped, noted jsonread.Held
	r.Array("x", func(i int) {
		into := &dropped
		if i == 1 {
			into = &noted
		}
		r.Hold(into, func() { r.String("y") })
	})
	if !r.Clean() {
		t.Errorf("held mistakes were noted: %s", mistakes(r, in))
	}
	r.Note(noted)
	if got, want := mistakes(r, in), "f:1:5: y must be text, found 2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLineAndOffset(t *testing.T) {
	var in strings.Builder
	for i := range thorough.Size(900, 3000) {
		in.WriteString("{\"n\": " + strconv.Itoa(i) + ",\n \"text\": \"" + strings.Repeat("long ", i%700) + "\"}\n\n")
	}
	for _, r := range readers(in.String()) {
		for i := 0; r.More(); i++ {
			if got, want := r.Line(), 1+3*i; got != want {
				t.Fatalf("value %d: got line %d, want %d", i, got, want)
			}
			if at := r.Offset(); !strings.HasPrefix(in.String()[at:], "{\"n\": "+strconv.Itoa(i)+",") {
				t.Fatalf("value %d does not begin at offset %d", i, at)
			}
			r.Skip()
		}
	}
}

func TestRaw(t *testing.T) {
	const in = `{"a": [ 1,{"b" : "\u00e9"} ], "c": 2}`
	r := jsonread.New(strings.NewReader(in))
	var got []string
	r.Object("x", func(string) { got = append(got, string(r.Raw())) })
	if want := []string{`[ 1,{"b" : "\u00e9"} ]`, "2"}; !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", in, got, want)
	}
	r.Reset([]byte(in))
	var compact []jsontext.Value
	r.Object("x", func(string) { compact = append(compact, r.Compact()) })
	if got, want := fmt.Sprintf("%s", compact), `[[1,{"b":"\u00e9"}] 2]`; got != want {
		t.Errorf("%s: got %q, want %q", in, got, want)
	}
}

func TestSkipMembers(t *testing.T) {
	const in = `[{}, {"a": {"b": []}}, [ ], [[]], {"a":"` + "\\\"" + `"}]`
	r := jsonread.New(strings.NewReader(in))
	var got []bool
	r.Array("x", func(int) { got = append(got, r.SkipMembers()) })
	r.End()
	if want := []bool{false, true, false, true, true}; !slices.Equal(got, want) || !r.Clean() {
		t.Errorf("%s: got %v, want %v\n%s", in, got, want, mistakes(r, in))
	}
}

func TestValid(t *testing.T) {
	deep := strings.Repeat("[", source.MaxDepth) + strings.Repeat("]", source.MaxDepth)
	tests := map[string]bool{
		`{}`: true, ` {"a": 1, "a": 2} `: true, `"["`: true, deep: true,
		``: false, `{`: false, `{} {}`: false, "\"\xff\"": false, "[" + deep + "]": false,
	}
	for in, want := range tests {
		if got := jsonread.Valid([]byte(in)); got != want {
			t.Errorf("Valid(%.50q) = %t, want %t", in, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"a": [1, -2.5e3, "x\u00e9", true, null], "a": {}}`, "\xef\xbb\xbf1", "[\"\xff\"]", `"\ud800"`, "1 2", "{", "", "nul", "-", "1.", "[1,]", `{"a" 1}`,
		strings.Repeat("[", 600), `["` + strings.Repeat("é\\n", 3000) + `"]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		r := jsonread.New(iotest.HalfReader(bytes.NewReader(in)))
		got := read(r)
		r.End()
		sameInMemory(t, r, got, in)
		text := bytes.TrimPrefix(in, []byte("\ufeff"))
		var want any
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		err := dec.Decode(&want)
		if valid := json.Valid(text); r.Clean() && !(valid && err == nil) {
			t.Fatalf("%q is read as %v, want a mistake", in, got)
		} else if !r.Clean() && valid && plainDepth(text) <= source.MaxDepth && utf8.Valid(text) && !bytes.Contains(text, []byte(`\u`)) {
			t.Fatalf("%q is refused: %s", in, mistakes(r, string(in)))
		}
		if r.Clean() && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q\n got %v\nwant %v", in, got, want)
		}
		checkPlaces(t, r, in)
		sameWhenSkipped(t, r, in)
	})
}

// plainDepth returns no less than the depth to which text nests its values.
func plainDepth(text []byte) int {
	return bytes.Count(text, []byte("[")) + bytes.Count(text, []byte("{"))
}

// checkPlaces checks that every mistake stands in the file.
func checkPlaces(t *testing.T, r *jsonread.Reader, in []byte) {
	t.Helper()
	lines := bytes.Split(in, []byte("\n"))
	for _, err := range r.Errors("f", bytes.NewReader(in)) {
		if p := err.Pos; p.Line < 1 || p.Line > len(lines) || p.Col < 1 || p.Col > len(lines[p.Line-1])+1 {
			t.Fatalf("%q: mistake outside of the file: %v", in, err)
		}
	}
}

// sameInMemory checks that the text is read alike, to the places of mistakes, when all of it is there from the
// beginning. What the decoder quotes of a bad escape depends on how much of it it has.
func sameInMemory(t *testing.T, streamed *jsonread.Reader, want any, in []byte) {
	t.Helper()
	r := jsonread.NewBytes(in)
	got := read(r)
	r.End()
	if !reflect.DeepEqual(got, want) || !slices.Equal(placesOf(r, in), placesOf(streamed, in)) {
		t.Fatalf("%q\nin memory   %v %s\nas a stream %v %s", in, got, mistakes(r, string(in)), want, mistakes(streamed, string(in)))
	}
}

// placesOf returns where the mistakes of r stand.
func placesOf(r *jsonread.Reader, in []byte) []source.Pos {
	var places []source.Pos
	for _, err := range r.Errors("f", bytes.NewReader(in)) {
		places = append(places, err.Pos)
	}
	return places
}

// sameWhenSkipped checks that skipping finds the mistakes that reading found.
func sameWhenSkipped(t *testing.T, r *jsonread.Reader, in []byte) {
	t.Helper()
	for _, skipped := range []*jsonread.Reader{jsonread.New(bytes.NewReader(in)), jsonread.NewBytes(in)} {
		skipAll(skipped)
		sameCleanness(t, r, skipped, in)
	}
}

func sameCleanness(t *testing.T, r, skipped *jsonread.Reader, in []byte) {
	t.Helper()
	if skipped.Clean() != r.Clean() && len(bytes.TrimSpace(bytes.TrimPrefix(in, []byte("\ufeff")))) > 0 {
		t.Fatalf("%q: clean when read: %t, when skipped: %t\n%s", in, r.Clean(), skipped.Clean(), mistakes(skipped, string(in)))
	}
}
