package yamlread

import (
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/source"
)

// FuzzParse pins that nothing panics, that every mistake has a place in the file, and that reading twice reports the
// same.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "a: 1", "\ufeffa: 1", "a: 1\r\nb:\r\n- c\r\n", "~", "a: ~", "---\na: 1\n---\nb: 2", "a: !t x", "a: .nan", "a: &a [*a]", "a: &a {b: *a}",
		"a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]", "a: &a {b: 1}\nc: {<<: *a, d: 1}", "a: {<<: [{b: 1}, 2]}", "a: 1\na: 2", "1: 2", "? [a]\n: b",
		"a:\n\tb", "&k a: *k", "- -\n  - a\n-\n  # - x\n  b", "a: \"\u2028\"\nb: x\u0085", "a: 1e99999", "a: |\n  text\n  more\n", "a: >-\n  x\n\n  y",
		"a: [1, 2.0, true, 2020-01-01, 0x1, 'x', \"\\u00e9\"]", "%YAML 1.1\n---\na: 1", "a: *b", "a: '", "{a: {b: {c: [", "a: !!int x", "a: !!binary =",
		"\xff", "a: \x00", "# only a comment", "a: 1 # comment\n# more", "<<: {a: 1}", "a: !<tag:x> y", strings.Repeat("- ", 600) + "a",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		first, second := readAll(src), readAll(src)
		if first.Sorted().Error() != second.Sorted().Error() {
			t.Errorf("two readings of %q differ:\n%s\n%s", src, first, second)
		}
		for _, e := range first {
			checkPlace(t, src, e)
		}
	})
}

// checkPlace reports a mistake that is not in the file. The place right behind a line's end is in the line.
func checkPlace(t *testing.T, src []byte, e *source.Error) {
	t.Helper()
	all := strings.Split(strings.TrimPrefix(string(src), "\ufeff"), "\n")
	if e.Pos.File != "f.yml" || e.Pos.Line < 1 || e.Pos.Line > len(all) {
		t.Fatalf("%q: mistake outside of the file's %d lines: %s", src, len(all), e)
	}
	if width := utf8.RuneCountInString(all[e.Pos.Line-1]); e.Pos.Col < 1 || e.Pos.Col > width+1 {
		t.Errorf("%q: mistake outside of the line's %d characters: %s", src, width, e)
	}
	if strings.ContainsAny(e.Msg, "\n\r") {
		t.Errorf("%q: mistake of several lines: %q", src, e.Msg)
	}
}

// readAll reads src with every reader, and returns the mistakes.
func readAll(src []byte) source.Errors {
	var errs source.Errors
	m := Parse("f.yml", src, &errs)
	budget := 10_000
	readMap(m, &budget)
	m.Done()
	return errs
}

func readMap(m *Map, budget *int) {
	for _, e := range m.Entries() {
		if *budget--; *budget < 0 {
			return
		}
		m.Int(e.Key.Value, 1, 0)
		m.Bool(e.Key.Value, false)
		m.Decimal(e.Key.Value, new(big.Rat), nil)
		m.Str(e.Key.Value)
		readValue(e.Value, budget)
	}
	m.Inherit(m.Own())
	m.Has("key")
}

func readValue(v Value, budget *int) {
	if *budget--; *budget < 0 {
		return
	}
	v.Strs()
	v.JSON()
	v.Rat()
	for _, item := range v.List() {
		readValue(item, budget)
	}
	if m, ok := v.Map(); ok {
		readMap(m, budget)
		m.Done()
	}
}
