package redact_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/redact"
)

var placeholder = regexp.MustCompile(`\[REDACTED:[a-z0-9-]+:[0-9]+\]`)

// survives reports whether a value stands in a text, other than as a part of a placeholder.
func survives(value, text string) bool {
	for _, part := range placeholder.Split(text, -1) {
		if strings.Contains(part, value) {
			return true
		}
	}
	return false
}

// outside returns how many bytes of a text are not of placeholders.
func outside(text string) int { return len(placeholder.ReplaceAllString(text, "")) }

// FuzzText checks what must hold of any text: values do not survive, redacting again changes nothing, what is found is
// in order and is what is replaced, and everything else stays.
func FuzzText(f *testing.F) {
	for _, examples := range found {
		for _, e := range examples {
			f.Add(e.text, "hunter2", "x")
		}
	}
	for _, texts := range kept {
		for _, text := range texts {
			f.Add(text, text, "\\")
		}
	}
	f.Add("aaaaaaaaa", "aaaa", "\xff")
	f.Add(`\\\\\"\\"`, `\"\\`, "%25")
	f.Fuzz(func(t *testing.T, text, value, around string) {
		rules := rulesOf(t, redact.Config{Values: []string{value}, Keys: []string{around}})
		for _, in := range []string{text, around + value + around + value, text + value + text} {
			checkText(t, rules, in, value)
		}
		checkText(t, nil, text, "")
	})
}

func checkText(t *testing.T, rules *redact.Rules, in, value string) {
	t.Helper()
	got := rules.File().Text(in)
	if len(strings.TrimSpace(value)) >= redact.MinValue && survives(value, got) {
		t.Fatalf("value %q survives in %q, of %q", value, got, in)
	}
	if again := rules.File().Text(got); again != got {
		t.Fatalf("of %q, with value %q: redacted again, %q becomes %q", in, value, got, again)
	}
	list := rules.Find(in)
	if len(list) == 0 && got != in {
		t.Fatalf("nothing is found in %q, which becomes %q", in, got)
	}
	last, rest := 0, ""
	for _, at := range list {
		if at.Start < last || at.End <= at.Start || at.End > len(in) {
			t.Fatalf("findings %+v of %q (%d bytes) are not in order", list, in, len(in))
		}
		rest += in[last:at.Start]
		last = at.End
	}
	// What stands between the findings stays in the first round; a later one can only take more.
	if rest += in[last:]; outside(got) > outside(rest) {
		t.Fatalf("%q has text that %q, without its secrets, has not: %q", got, in, rest)
	}
}

// FuzzJSON checks that valid JSON stays valid, with the same white space, names and structure, and has no secret left.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		`{"token": ["a", {"b": "c"}], "x": {"secret": "s"}}`, `["--token", 5, "x"]`, `{"\u0074oken":"\ud83d\ude00"}`, `"\\"`, `[[[[]]],{}]`,
		`{"a": "{\"token\": \"b\\\"\"}", "dependencies": {"token": ["a"]}}`, "\"\xff\"", "{\"password\":\"\xff\"}", `{"":""}`, `{"a":1,"a":2}`,
	} {
		f.Add(s, "hunter2")
	}
	f.Fuzz(func(t *testing.T, in, value string) {
		rules := rulesOf(t, redact.Config{Values: []string{value}})
		checkJSON(t, rules, in)
		quoted, _ := jsontext.AppendQuote(nil, in+value)
		checkJSON(t, rules, `{"a": [`+string(quoted)+`], "token": [`+string(quoted)+`]}`)
	})
}

var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

func checkJSON(t *testing.T, rules *redact.Rules, in string) {
	t.Helper()
	got := rules.File().JSON(jsontext.Value(in))
	valid := jsontext.Value(in).IsValid(lenient...)
	if valid && !got.IsValid(lenient...) {
		t.Fatalf("%q becomes %q, which is no JSON", in, got)
	}
	if again := rules.File().JSON(got); string(again) != string(got) {
		t.Fatalf("of %q: redacted again, %q becomes %q", in, got, again)
	}
	if valid && structure(in) != structure(string(got)) {
		t.Fatalf("%q becomes %q, of another structure", in, got)
	}
}

// structure returns valid JSON with all its strings empty.
func structure(value string) string {
	var b strings.Builder
	in := false
	for i := 0; i < len(value); i++ {
		switch {
		case in && value[i] == '\\':
			i++
		case value[i] == '"':
			in = !in
			b.WriteByte('"')
		case !in:
			b.WriteByte(value[i])
		}
	}
	return b.String()
}
