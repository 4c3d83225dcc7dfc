package judge

import (
	"math/big"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/jsonread"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

func TestArgPath(t *testing.T) {
	args, _ := DecodeJSON(jsontext.Value(`{"a":{"b":[1,{"c.d":"x"}]},"e f":2,"":3}`))
	for _, test := range []struct {
		path, want string // compact JSON; "" for nothing, "!" for no path
	}{
		{"a.b[0]", "1"}, {`a.b[1]["c.d"]`, `"x"`}, {"e f", "2"}, {`["e f"]`, "2"}, {`[""]`, "3"}, {"a", `{"b":[1,{"c.d":"x"}]}`},
		{"a.b[2]", ""}, {"a.x", ""}, {"b", ""}, {"a.b.c", ""},
		{"", "!"}, {"a..b", "!"}, {"[0]", "!"}, {"a[01]", "!"}, {"a]", "!"}, {`a"b`, "!"}, {".a", "!"},
	} {
		path, ok := ParseArgPath(test.path)
		got := "!"
		if ok {
			got = ""
			if value, has := path.Follow(args.(map[string]any)); has {
				got = CompactJSON(value)
			}
		}
		if got != test.want {
			t.Errorf("%q leads to %q, want %q", test.path, got, test.want)
		}
	}
}

func TestArgPathAll(t *testing.T) {
	value, _ := DecodeJSON(jsontext.Value(`[{"id":1,"tags":["a","b"]},{"id":2},[{"id":3}]]`))
	for path, want := range map[string]string{"id": "[1,2,3]", "tags": `[["a","b"]]`, "tags[0]": `["a"]`, "tags[1]": `["b"]`, "name": "null"} {
		p, ok := ParseArgPath(path)
		if got := CompactJSON(p.All(value)); !ok || got != want {
			t.Errorf("%q of all leads to %s, want %s", path, got, want)
		}
	}
}

// FuzzArgPath follows whatever is taken for a path.
func FuzzArgPath(f *testing.F) {
	for _, seed := range []string{"a.b[0]", `["x"].y`, "[", "a[999999999]", `["\u0000"]`} {
		f.Add(seed)
	}
	args, _ := DecodeJSON(jsontext.Value(`{"a":{"b":[1]},"x":{"y":2}}`))
	f.Fuzz(func(t *testing.T, text string) {
		if path, ok := ParseArgPath(text); ok {
			path.Follow(args.(map[string]any))
			path.Argument()
		}
	})
}

// FuzzCanonicalJSON holds that one value has one spelling, and that two have two.
func FuzzCanonicalJSON(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"a":1,"b":2}`, `{"b":2.0,"a":1e0}`}, {`[1,2]`, `[2,1]`}, {`"1"`, `1`}, {`{"a":null}`, `{}`}, {`1e-1`, `0.10`}, {`10`, `1e1`}, {`"\u0061"`, `"a"`},
		{`["a,b"]`, `["a","b"]`}, {`[1,[2]]`, `[[1,2]]`}, {`null`, `""`}, {`1e999`, `1e998`}, {`"\ud800"`, `"\ufffd"`},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if !jsonread.Valid(jsontext.Value(a)) || !jsonread.Valid(jsontext.Value(b)) {
			t.Skip()
		}
		x, okX := DecodeJSON(jsontext.Value(a))
		y, okY := DecodeJSON(jsontext.Value(b))
		if !okX || !okY {
			t.Skip()
		}
		if got, want := CanonicalJSON(jsontext.Value(a)) == CanonicalJSON(jsontext.Value(b)), equalJSON(x, y); got != want {
			t.Errorf("%s and %s have one spelling: %v, want %v", a, b, got, want)
		}
	})
}

// FuzzDuration compares durations with those of package time, which takes more spellings.
func FuzzDuration(f *testing.F) {
	for _, seed := range []string{"90s", "1m30s", "500ms", "1.5h", "0s", "1h1h", "-1s", "1", "s", "1d", "1us", ".5s", "1e3s"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var errs source.Errors
		m := yamlread.Parse("s.yml", []byte("max: "+CompactJSON(text)+"\n"), &errs)
		if len(errs) > 0 {
			t.Skip()
		}
		ms, ok := ReadDuration(m, "max")
		if ok == (len(errs) > 0) {
			t.Fatalf("%q: read %v, mistakes %v", text, ok, errs)
		}
		if !ok {
			return
		}
		d, err := time.ParseDuration(text)
		if err != nil {
			return // it has more hours than time can hold
		}
		diff := new(big.Rat).Sub(ms, big.NewRat(int64(d), int64(time.Millisecond)))
		if diff.Abs(diff).Cmp(big.NewRat(1, 100_000)) > 0 { // package time cuts to nanoseconds
			t.Errorf("%q is %s ms, want %s", text, ms.FloatString(6), d)
		}
	})
}
