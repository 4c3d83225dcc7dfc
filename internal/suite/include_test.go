package suite

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/thorough"
)

// TestIncludeBounds pins how much a suite may include, and that each file is read once.
func TestIncludeBounds(t *testing.T) {
	thorough.Unraced(t, "it takes ten seconds, on one goroutine")
	fsys := fstest.MapFS{"big.yml": {Data: []byte("x-a: " + strings.Repeat("x", 3<<20))}}
	fsys["as-big.yml"] = fsys["big.yml"]
	var many []string
	for i := range maxIncluded + 1 {
		name := fmt.Sprintf("%d.yml", i)
		many = append(many, name)
		fsys[name] = &fstest.MapFile{Data: []byte("x-a: b")}
	}
	aliases := "x-a: &a [" + strings.Repeat("1,", 1000) + "]\nx-b: &b [" + strings.Repeat("*a,", 1000) + "]\nx-c: "
	fsys["aliases.yml"] = &fstest.MapFile{Data: []byte(aliases + "1")}
	fsys["more.yml"] = fsys["aliases.yml"]
	for _, test := range []struct{ name, include, want string }{
		{"once", "big.yml, ./big.yml", ""},
		{"bytes", "big.yml, as-big.yml", `s.yml:1:20: with "as-big.yml" the suite and what it includes hold more than 4194304 bytes`},
		{"as many as can be", strings.Join(many[1:], ","), ""},
		{"too many", strings.Join(many, ","), `s.yml:1:351: "include" names "50.yml", expected at most 50 included files`},
		{"aliases", "aliases.yml", ""},
		{"aliases of two", "aliases.yml, more.yml", "more.yml:1:1: with the files before it holds more than 2000000 values once aliases are followed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			counted := &countingFS{MapFS: fsys, opened: map[string]int{}}
			fsys["s.yml"] = &fstest.MapFile{Data: []byte("include: [" + test.include + "]\n")}
			_, errs := NewLoader(counted).Load("s.yml")
			if got := errs.Error(); got != test.want {
				t.Errorf("mistakes\n got: %s\nwant: %s", got, test.want)
			}
			for name, n := range counted.opened {
				if n != 1 {
					t.Errorf("%s was opened %d times, want 1", name, n)
				}
			}
		})
	}
}

// TestIncludeSHA256 pins that the hash of a suite changes with what it includes.
func TestIncludeSHA256(t *testing.T) {
	hash := func(shared, deep string) string {
		fsys := fstest.MapFS{
			"s.yml": {Data: []byte("include: a.yml")}, "a.yml": {Data: []byte("include: b.yml\n" + shared)}, "b.yml": {Data: []byte(deep)},
		}
		loader := NewLoader(fsys)
		loader.Settings = true
		s, errs := loader.Load("s.yml")
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		return fmt.Sprintf("%x", s.SHA256)
	}
	first := hash("x-a: 1", "x-b: 1")
	if again := hash("x-a: 1", "x-b: 1"); again != first {
		t.Errorf("the same files: got %s, then %s", first, again)
	}
	for _, other := range []string{hash("x-a: 2", "x-b: 1"), hash("x-a: 1", "x-b: 2")} {
		if other == first {
			t.Errorf("another included file: got the same hash %s", other)
		}
	}
}
