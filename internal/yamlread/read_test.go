package yamlread

import (
	"math/big"
	"reflect"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/thorough"
)

// parse returns the map in src, and a function that returns the mistakes reported so far, one a line.
func parse(t *testing.T, src string) (*Map, func() string) {
	t.Helper()
	var errs source.Errors
	m := Parse("f.yml", []byte(src), &errs)
	return m, func() string { return errs.Sorted().Error() }
}

// TestParse pins what Parse itself reports.
func TestParse(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"plain", "a: 1\n", ""},
		{"byte order mark", "\ufeffa: 1\n", ""},
		{"windows line ends", "a: 1\r\nb: {\r\n", "f.yml:2:1: is not valid YAML: did not find expected node content"},
		{"empty", "", "f.yml:1:1: is empty, expected a map of keys"},
		{"only a comment", "# nothing\n", "f.yml:1:1: is empty, expected a map of keys"},
		{"null", "~\n", "f.yml:1:1: must be a map of keys, found nothing"},
		{"begins a document with nothing", "---\n", "f.yml:2:1: must be a map of keys, found nothing"},
		{"a list", "- a\n", "f.yml:1:1: must be a map of keys, found a list"},
		{"a text", "hello\n", `f.yml:1:1: must be a map of keys, found "hello"`},
		{"two documents", "a: 1\n---\nb: 2\n", "f.yml:2:1: a second document begins here, expected one document in the file"},
		{"an empty second document", "a: 1\n---\n", "f.yml:2:1: a second document begins here, expected one document in the file"},
		{"end of the document", "a: 1\n...\n", ""},
		{"syntax", "a: 1\nb: [\n", "f.yml:2:1: is not valid YAML: did not find expected node content"},
		{"a tab", "a:\n\tb: 1\n", "f.yml:2:1: is not valid YAML: found character that cannot start any token; indent with spaces, and put text that begins with @ or ` in quotes"},
		{"unknown alias", "a: *b\n", "f.yml:1:1: is not valid YAML: unknown anchor 'b' referenced"},
		{"duplicate key", "a: 1\nb: 2\na: 3\n", `f.yml:3:1: key "a" is given twice, first at 1:1`},
		{"duplicate key in another spelling", "a: 1\n\"a\": 2\n", `f.yml:2:1: key "a" is given twice, first at 1:1`},
		{"duplicate key deep down", "x:\n  - {y: {z: 1, z: 2}}\n", `f.yml:2:16: key "z" is given twice, first at 2:10`},
		{"number as key", "1: a\n", `f.yml:1:1: a key must be text, found 1 (write it in quotes: "1")`},
		{"null as key", "~: a\n", "f.yml:1:1: a key must be text, found nothing"},
		{"truth value as key", "true: a\n", `f.yml:1:1: a key must be text, found true (write it in quotes: "true")`},
		{"list as key", "? [a]\n: 1\n", "f.yml:1:3: a key must be text, found a list"},
		{"map as key", "{a: 1}: 1\n", "f.yml:1:1: a key must be text, found a map"},
		{"anchor on a key", "&k a: 1\nb: *k\n", ""},
		{"tag", "a: !secret x\n", `f.yml:1:4: tag "!secret" is not supported here, expected a plain value`},
		{"binary tag", "a: !!binary aGk=\n", `f.yml:1:4: tag "!!binary" is not supported here, expected a plain value`},
		{"tag of another kind", "a: !!map x\nb: !!str [x]\n", "f.yml:1:4: tag \"!!map\" is not supported here, expected a plain value\nf.yml:2:4: tag \"!!str\" is not supported here, expected a plain value"},
		{"set tag", "a: !!set {x: }\n", `f.yml:1:4: tag "!!set" is not supported here, expected a plain value`},
		{"loop", "a: &a\n  b: *a\n", `f.yml:2:6: alias "a" stands for a value that it is a part of`},
		{"loop through a list", "a: &a [[*a]]\n", `f.yml:1:9: alias "a" stands for a value that it is a part of`},
		{"loop as key", "a: &a {*a : 1}\n", `f.yml:1:8: alias "a" stands for a value that it is a part of`},
		{"loop in a merge", "a: &a {<<: *a}\n", `f.yml:1:12: alias "a" stands for a value that it is a part of`},
		{"merge of a text", "a: {<<: x}\n", `f.yml:1:9: "<<" must be a map or a list of maps, found "x"`},
		{"merge of a list of texts", "a: {<<: [x]}\n", `f.yml:1:10: "<<" must be a map or a list of maps, found "x"`},
		{"merge twice", "a: &a {b: 1}\nc: {<<: *a, <<: *a}\n", `f.yml:2:13: key "<<" is given twice, first at 2:5`},
		{"not UTF-8", "a: 1\nb: é\xff\n", "f.yml:2:5: is not valid UTF-8: found byte 0xff"},
		{"UTF-16", "\xff\xfea\x00", "f.yml:1:1: is not valid UTF-8: found byte 0xff"},
		{"several", "a: *x\nb: 1\n", "f.yml:1:1: is not valid YAML: unknown anchor 'x' referenced"},
		{"all that is wrong", "a: !x 1\nb: &b [*b]\nb: 1\n", "f.yml:1:4: tag \"!x\" is not supported here, expected a plain value\n" +
			"f.yml:2:8: alias \"b\" stands for a value that it is a part of\n" + `f.yml:3:1: key "b" is given twice, first at 2:1`},
		{"only breaks of the parser", "a: \"x\u2028y\"\nb: !x 1\n", `f.yml:2:4: tag "!x" is not supported here, expected a plain value`},
		{"break of the parser in front", "# \u2028# \u0085é: [!x 1]\n", `f.yml:1:11: tag "!x" is not supported here, expected a plain value`},
		{"control character in a number", "? !!int \"a\\n::error::b\"\n: 1", `f.yml:1:3: a key must be text, found "a\n::error::b"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, mistakes := parse(t, tt.src)
			if got := mistakes(); got != tt.want {
				t.Errorf("Parse(%q)\n got: %s\nwant: %s", tt.src, got, tt.want)
			}
		})
	}
}

// TestBounds pins that files which explode are refused with one mistake, and fast.
func TestBounds(t *testing.T) {
	laughs := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 12 {
		laughs += "a" + itoa(i+1) + ": &a" + itoa(i+1) + " [" + strings.Repeat("*a"+itoa(i)+", ", 10) + "]\n"
	}
	chain := "a0: &a0 [x]\n"
	for i := range 3000 {
		chain += "a" + itoa(i+1) + ": &a" + itoa(i+1) + " [*a" + itoa(i) + "]\n"
	}
	big := "b: &b {" + manyKeys(20_000) + "}\nl:\n" + strings.Repeat("- <<: *b\n", 200_000)
	tests := []struct{ name, src, want string }{
		{"billion laughs", laughs, "holds more than 2000000 values once its aliases are followed"},
		{"deep brackets", "a: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "values nest more than 512 levels deep"},
		{"deeper than the parser goes", "a: " + strings.Repeat("[", 1_000_000), "exceeded max depth of 10000"},
		{"deep maps", "a: " + strings.Repeat("{a: ", 5000) + "1" + strings.Repeat("}", 5000), "values nest more than 512 levels deep"},
		{"deep through aliases", chain, "values nest more than 512 levels deep"},
		{"many merges", "b: &b {" + manyKeys(20_000) + "}\nl:\n" + strings.Repeat("- <<: ["+strings.Repeat("*b, ", 60)+"]\n", 2), "merge keys copy more than 2000000 values"},
		{"many maps that merge", big, "merge keys copy more than 2000000 values"},
		{"one long line", "a: " + strings.Repeat("x", thorough.Size(1<<20, 10<<20)), ""},
		{"one long key", strings.Repeat("x", 1<<20) + ": 1", "mapping values are not allowed in this context"},
		{"one long quoted key", `"` + strings.Repeat("x", 1<<20) + `": 1`, "mapping values are not allowed in this context"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.src == big {
				thorough.Only(t, "it copies two million values")
			}
			_, mistakes := parse(t, tt.src)
			got := mistakes()
			if (got == "") != (tt.want == "") || !strings.HasSuffix(got, tt.want) || strings.Contains(got, "\n") {
				t.Errorf("Parse(%.40q…)\n got: %.300s\nwant: one mistake, %s", tt.src, got, tt.want)
			}
		})
	}
}

func itoa(n int) string { return big.NewInt(int64(n)).String() }

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("k" + itoa(i) + ": 1, ")
	}
	return b.String()
}

// TestReaders pins what each reader accepts and how it reports the rest.
func TestReaders(t *testing.T) {
	read := map[string]func(m *Map) any{
		"Str":    func(m *Map) any { return m.Str("k").Value },
		"OptStr": func(m *Map) any { s, ok := m.OptStr("k"); return []any{s.Value, ok} },
		"Strs": func(m *Map) any {
			var texts []any
			for _, s := range m.Strs("k") {
				texts = append(texts, s.Value)
			}
			return texts
		},
		"Int":  func(m *Map) any { return m.Int("k", 7, 1) },
		"Bool": func(m *Map) any { return m.Bool("k", true) },
		"Decimal": func(m *Map) any {
			r, ok := m.Decimal("k", new(big.Rat), big.NewRat(1, 1))
			if !ok {
				return nil
			}
			return r.RatString()
		},
		"Map":  func(m *Map) any { return m.Map("k") != nil },
		"Maps": func(m *Map) any { return len(m.Maps("k")) },
		"JSON": func(m *Map) any {
			v, ok := m.Value("k")
			if !ok {
				return nil
			}
			j, _ := v.JSON()
			return j
		},
	}
	tests := []struct {
		reader, src string
		want        any
		mistakes    string
	}{
		{"Str", "k: a b", "a b", ""},
		{"Str", "k: 2020-01-01", "2020-01-01", ""},
		{"Str", "k: <<", "<<", ""},
		{"Str", "k: yes", "yes", ""},
		{"Str", "k: !!str 5", "5", ""},
		{"Str", "x: 1", "", `f.yml:1:1: "k" is missing`},
		{"Str", "k: ''", "", `f.yml:1:4: "k" must not be empty`},
		{"Str", "k:", "", `f.yml:1:3: "k" must be text, found nothing`},
		{"Str", "k: 5", "", `f.yml:1:4: "k" must be text, found 5 (write it in quotes: "5")`},
		{"Str", "k: true", "", `f.yml:1:4: "k" must be text, found true (write it in quotes: "true")`},
		{"Str", "k: {}", "", `f.yml:1:4: "k" must be text, found a map`},
		{"Str", "k: !x y", "", `f.yml:1:4: tag "!x" is not supported here, expected a plain value`},
		{"OptStr", "x: 1", []any{"", false}, ""},
		{"OptStr", "k: ''", []any{"", true}, ""},
		{"Strs", "k: a", []any{"a"}, ""},
		{"Strs", "k: [a, b]", []any{"a", "b"}, ""},
		{"Strs", "k: []", []any(nil), ""},
		{"Strs", "k: [a, 1, '', ~]", []any{"a"}, "f.yml:1:8: an entry of \"k\" must be text, found 1 (write it in quotes: \"1\")\n" +
			"f.yml:1:11: an entry of \"k\" must not be empty\nf.yml:1:15: an entry of \"k\" must be text, found nothing"},
		{"Strs", "k: {}", []any(nil), `f.yml:1:4: "k" must be text or a list of texts, found a map`},
		{"Int", "k: 3", 3, ""},
		{"Int", "x: 3", 7, ""},
		{"Int", "k: 0", 7, `f.yml:1:4: "k" must be a whole number of 1 or more, found 0`},
		{"Int", "k: -1", 7, `f.yml:1:4: "k" must be a whole number of 1 or more, found -1`},
		{"Int", "k: 1.0", 7, `f.yml:1:4: "k" must be a whole number of 1 or more, found 1.0`},
		{"Int", "k: '3'", 7, `f.yml:1:4: "k" must be a whole number of 1 or more, found "3"`},
		{"Int", "k: 1_000", 7, `f.yml:1:4: "k" must be a whole number of 1 or more, found 1_000`},
		{"Int", "k: 010", 7, `f.yml:1:4: "k" must be a whole number of 1 or more, found 010`},
		{"Int", "k: 0x10", 7, `f.yml:1:4: "k" must be a whole number of 1 or more, found 0x10`},
		{"Int", "k: 99999999999999999999", 7, `f.yml:1:4: "k" must be a whole number of 1 or more, found 99999999999999999999`},
		{"Int", "k:", 7, `f.yml:1:3: "k" must be a whole number of 1 or more, found nothing`},
		{"Bool", "k: false", false, ""},
		{"Bool", "x: 1", true, ""},
		{"Bool", "k: no", true, `f.yml:1:4: "k" must be true or false, found "no"`},
		{"Bool", "k: !!bool 1", true, `f.yml:1:4: "k" must be true or false, found 1`},
		{"Bool", "k: ~", true, `f.yml:1:4: "k" must be true or false, found nothing`},
		{"Decimal", "k: 0.1", "1/10", ""},
		{"Decimal", "k: 1e-2", "1/100", ""},
		{"Decimal", "k: .5", "1/2", ""},
		{"Decimal", "k: 1.", "1", ""},
		{"Decimal", "k: 1.01", nil, `f.yml:1:4: "k" must be a number from 0 to 1, found 1.01`},
		{"Decimal", "k: -0.1", nil, `f.yml:1:4: "k" must be a number from 0 to 1, found -0.1`},
		{"Decimal", "k: 0." + strings.Repeat("1", 79), nil, "f.yml:1:4: \"k\" must be a number from 0 to 1, found \"0." + strings.Repeat("1", 78) + "…\""},
		{"Decimal", "k: .nan", nil, `f.yml:1:4: "k" must be a number from 0 to 1, found .nan`},
		{"Decimal", "k: .inf", nil, `f.yml:1:4: "k" must be a number from 0 to 1, found .inf`},
		{"Decimal", "k: 1e-99999", nil, `f.yml:1:4: "k" must be a number from 0 to 1, found 1e-99999`},
		{"Decimal", "k: '0.5'", nil, `f.yml:1:4: "k" must be a number from 0 to 1, found "0.5"`},
		{"Map", "k: {}", true, ""},
		{"Map", "x: 1", false, ""},
		{"Map", "k: []", false, `f.yml:1:4: "k" must be a map, found a list`},
		{"Maps", "k: [{}, {}]", 2, ""},
		{"Maps", "k: [{}, 1]", 1, `f.yml:1:9: an entry of "k" must be a map, found 1`},
		{"Maps", "k: {}", 0, `f.yml:1:4: "k" must be a list, found a map`},
		{"Maps", "k: ~", 0, `f.yml:1:4: "k" must be a list, found nothing`},
		{"JSON", "k: {a: [1, 1.50, true, ~, x, -0, 1e3, {}]}", map[string]any{"a": []any{num("1"), num("1.5"), true, nil, "x", num("0"), num("1000"), map[string]any{}}}, ""},
		{"JSON", "k: [.nan, 0x1]", []any{nil, nil}, "f.yml:1:5: an entry of \"k\" must be a decimal number, found .nan\nf.yml:1:11: an entry of \"k\" must be a decimal number, found 0x1"},
		{"JSON", "k: 0.1234567890123456789012345678901234567890", num("0.123456789012345678901234567890123456789"), ""},
		{"JSON", "k: [!x 1, {a: !y 1}]", []any{nil, map[string]any{"a": nil}}, "f.yml:1:5: tag \"!x\" is not supported here, expected a plain value\nf.yml:1:15: tag \"!y\" is not supported here, expected a plain value"},
	}
	for _, tt := range tests {
		t.Run(tt.reader+" "+tt.src, func(t *testing.T) {
			m, mistakes := parse(t, tt.src)
			got := read[tt.reader](m)
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%s of %q: got %#v, want %#v", tt.reader, tt.src, got, tt.want)
			}
			if got := mistakes(); got != tt.mistakes {
				t.Errorf("%s of %q\n got: %s\nwant: %s", tt.reader, tt.src, got, tt.mistakes)
			}
		})
	}
}
