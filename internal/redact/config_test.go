package redact_test

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/redact"
)

// rulesOf returns the rules of a configuration that is right.
func rulesOf(t testing.TB, c redact.Config) *redact.Rules {
	t.Helper()
	rules, err := redact.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func TestConfig(t *testing.T) {
	tests := []struct {
		name     string
		config   redact.Config
		in, want string
	}{
		{"a value", redact.Config{Values: []string{"hunter2"}}, "xhunter2x", "x[REDACTED:env:1]x"},
		{"short values and empty ones stay", redact.Config{Values: []string{"", "a", "abc"}}, "abcabc a", "abcabc a"},
		{"the shortest value that is looked for in Base64", redact.Config{Values: []string{"hunter2x"}}, "sent aHVudGVyMng= back", "sent [REDACTED:env:1] back"},
		{"a value too short for Base64", redact.Config{Values: []string{"hunter2"}}, "sent aHVudGVyMg== back", "sent aHVudGVyMg== back"},
		{"what is left of a value where a text was cut", redact.Config{Values: []string{"correct horse battery"}}, `is "correct horse b…", not …rse battery or correct…`,
			`is "[REDACTED:env:1]…", not …[REDACTED:env:1] or correct…`},
		{"what is left of an escaped value", redact.Config{Values: []string{`correct "horse" battery`}}, `"correct \"horse…"`, `"[REDACTED:env:1]…"`},
		{"the longest of two", redact.Config{Values: []string{"pass", "passport", "port"}}, "passport pass", "[REDACTED:env:1] [REDACTED:env:2]"},
		{"overlapping values leave nothing", redact.Config{Values: []string{"abcd", "cdefgh"}}, "_abcdefgh_", "_[REDACTED:env:1]_"},
		{"no shape is longer than a value in it", redact.Config{Values: []string{body}}, github, "[REDACTED:github:1]"},
		{"an equal value and shape", redact.Config{Values: []string{github}}, github, "[REDACTED:env:1]"},
		{"equal over rules", redact.Config{Values: []string{"hunter2x"}}, `hunter2x {"token": "hunter2x"} {"token": "other"} {"secret": "other"}`,
			`[REDACTED:env:1] {"token": "[REDACTED:env:1]"} {"token": "[REDACTED:key:2]"} {"secret": "[REDACTED:key:2]"}`},
		{"an escaped value under a key is the same", redact.Config{}, `{"token": "a\"b"} {\"token\": \"a\\\"b\"} token='a"b'`,
			`{"token": "[REDACTED:key:1]"} {\"token\": \"[REDACTED:key:1]\"} token='[REDACTED:key:1]'`},
		{"a value in a placeholder", redact.Config{Values: []string{"REDACTED", "github"}}, "github [REDACTED:github:7]", "[REDACTED:env:1] [REDACTED:github:7]"},
		{"numbers of before are not given again", redact.Config{}, "[REDACTED:env:1] [REDACTED:env:2] " + github, "[REDACTED:env:1] [REDACTED:env:2] [REDACTED:github:3]"},
		{"what a value hid", redact.Config{Values: []string{"wxyz"}}, "wxyz" + github, "[REDACTED:env:1][REDACTED:github:2]"},

		{"a key", redact.Config{Keys: []string{"pin", "Session-ID"}}, `{"cardPin": "a", "session_id": "b", "x-session-id": "c", "shipping": "d"} PIN=12ab`,
			`{"cardPin": "[REDACTED:key:1]", "session_id": "[REDACTED:key:2]", "x-session-id": "[REDACTED:key:3]", "shipping": "d"} PIN=[REDACTED:key:4]`},
		{"an empty key", redact.Config{Keys: []string{"", "_"}}, `{"": "a", "b": "c"}`, `{"": "a", "b": "c"}`},

		{"a pattern", redact.Config{Patterns: []string{`ACME-\d+`, ""}}, "ACME-12 ACME-13 ACME-12", "[REDACTED:pattern:1] [REDACTED:pattern:2] [REDACTED:pattern:1]"},
		{"a group of a pattern", redact.Config{Patterns: []string{`id=(\w+)|no=(\w+)`}}, "id=a no=b", "id=[REDACTED:pattern:1] no=[REDACTED:pattern:2]"},
		{"a pattern that matches nothing at all", redact.Config{Patterns: []string{`x*`}}, "axxb", "a[REDACTED:pattern:1]b"},
		{"a pattern that matches everything", redact.Config{Patterns: []string{`(?s).+`}}, "a\nb", "[REDACTED:pattern:1]"},

		{"an allowed secret", redact.Config{Allow: []string{github, "demo"}}, github + ` {"token": "demo"} {"token": "other"}`,
			github + ` {"token": "demo"} {"token": "[REDACTED:key:1]"}`},
		{"an allowed key", redact.Config{Allow: []string{"sync-token"}}, `{"syncToken": "a", "token": "b"} sync_token=c`, `{"syncToken": "a", "token": "[REDACTED:key:1]"} sync_token=c`},
		{"an allowed value", redact.Config{Values: []string{"production"}, Allow: []string{"production"}}, "in production", "in production"},
		{"an allowed text around it", redact.Config{Allow: []string{"postgres://demo:demo@db"}}, "postgres://demo:demo@db postgres://demo:x@db",
			"postgres://demo:demo@db postgres://[REDACTED:url:1]@db"},
		{"allowed beats pattern", redact.Config{Patterns: []string{`ACME-\d+`}, Allow: []string{"ACME-1", ""}}, "ACME-1 ACME-12", "ACME-1 [REDACTED:pattern:1]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rules := rulesOf(t, tt.config)
			got := rules.File().Text(tt.in)
			if got != tt.want {
				t.Errorf("redacting %q:\n got %q\nwant %q", tt.in, got, tt.want)
			}
			checkAgain(t, rules, got)
		})
	}
}

// TestAdvice pins that what is said about keys is none of their values, and that all other secrets go, with the numbers that
// they have elsewhere in the file.
func TestAdvice(t *testing.T) {
	file := rulesOf(t, redact.Config{Values: []string{"hunter2"}}).File()
	for _, tt := range []struct{ in, want string }{
		{`add to "formToken": "maxLength": 200`, `add to "formToken": "maxLength": 200`},
		{`--token "x1y2z3w4", token=x1y2z3w4, password: x1y2z3w4`, `--token "x1y2z3w4", token=x1y2z3w4, password: x1y2z3w4`},
		{`the default "hunter2" of "token"`, `the default "[REDACTED:env:1]" of "token"`},
		{`"token": "` + github + `"`, `"token": "[REDACTED:github:2]"`},
	} {
		if got := file.Advice(tt.in); got != tt.want {
			t.Errorf("Advice(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	if got, want := file.Text("token=hunter2"), "token=[REDACTED:env:1]"; got != want {
		t.Errorf("Text after Advice = %q, want %q", got, want)
	}
}

func TestJSONConfig(t *testing.T) {
	rules := rulesOf(t, redact.Config{Values: []string{"hunter2"}, Keys: []string{"pin"}, Allow: []string{"demo", "page_key"}})
	in := `{"pin": "x", "token": "demo", "Authorization": "Bearer demo", "page_key": "p", "a": "hunter2", "pins": ["hunter2"]}`
	want := `{"pin": "[REDACTED:key:1]", "token": "demo", "Authorization": "Bearer demo", "page_key": "p", "a": "[REDACTED:env:2]", "pins": ["[REDACTED:env:2]"]}`
	if got := string(rules.File().JSON(jsontext.Value(in))); got != want {
		t.Errorf("redacting %s:\n got %s\nwant %s", in, got, want)
	}
}

// TestFile pins that the texts of one file share their numbers, and those of two files do not.
func TestFile(t *testing.T) {
	var rules *redact.Rules
	file := rules.File()
	got := file.Text("token=first1") + " " + string(file.JSON(jsontext.Value(`{"token": "second"}`))) + " " + file.Text("secret=first1")
	if want := `token=[REDACTED:key:1] {"token": "[REDACTED:key:2]"} secret=[REDACTED:key:1]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := rules.File().Text("token=second"), "token=[REDACTED:key:1]"; got != want {
		t.Errorf("in another file: got %s, want %s", got, want)
	}
}

func TestBadPattern(t *testing.T) {
	_, err := redact.New(redact.Config{Patterns: []string{"ok", "("}})
	if err == nil || !strings.Contains(err.Error(), `redaction pattern "(" must be a regular expression`) {
		t.Errorf("got error %v, want one that quotes the pattern", err)
	}
}

// spellings are the ways in which a value stands in a text.
var spellings = []struct {
	name  string
	spell func(string) string
}{
	{"plain", func(s string) string { return s }},
	{"JSON", jsonText},
	{"JSON in JSON", func(s string) string { return jsonText(jsonText(s)) }},
	{"JSON in JSON in JSON", func(s string) string { return jsonText(jsonText(jsonText(s))) }},
	{"JSON without <, > and &", func(s string) string { b, _ := json.Marshal(s); return string(b[1 : len(b)-1]) }},
	{"query", url.QueryEscape},
	{"path", url.PathEscape},
	{"lower-case query", func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "%2F", "%2f") }},
	{"HTML", html.EscapeString},
	{"base64", func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }},
	{"base64 for URLs", func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }},
	{"basic authorization", func(s string) string { return base64.StdEncoding.EncodeToString([]byte("user:" + s)) }},
	{"in the middle of base64", func(s string) string { return base64.StdEncoding.EncodeToString([]byte("ab" + s + "cdefg")) }},
}

func jsonText(s string) string {
	quoted, _ := jsontext.AppendQuote(nil, s)
	return string(quoted[1 : len(quoted)-1])
}

func TestSpellings(t *testing.T) {
	values := []string{
		"plainvalue99", `quo"te\and\n`, "line\nbreak\ttab", "a/b+c=d&e<f>g", "ünï→😀code", "leading space", `\\server\share`, "%41%42&amp;%", "+49 30 123456", "'single' & \"double\"",
	}
	for _, value := range values {
		rules := rulesOf(t, redact.Config{Values: []string{value}})
		for _, s := range spellings {
			text := "(" + s.spell(value) + ")"
			if got, want := rules.File().Text(text), "([REDACTED:env:1])"; got != want {
				t.Errorf("%q as %s, %q: got %q, want %q", value, s.name, text, got, want)
			}
		}
	}
}

// TestIncluding pins that a redactor learns values in the middle of a file, where all that was secret stays so.
func TestIncluding(t *testing.T) {
	rules := rulesOf(t, redact.Config{Values: []string{"first-value"}, Patterns: []string{"PIN-[0-9]+"}, Keys: []string{"badge"}, Allow: []string{"allowed-value"}})
	file := rules.File()
	const text = "first-value second-value PIN-12 badge=abcd1234 allowed-value"
	got := []string{file.Text(text)}
	file.Change(rules.Including("second-value", "allowed-value"))
	got = append(got, file.Text(text), rules.File().Text("second-value"))
	want := []string{
		"[REDACTED:env:1] second-value [REDACTED:pattern:2] badge=[REDACTED:key:3] allowed-value",
		"[REDACTED:env:1] [REDACTED:env:4] [REDACTED:pattern:2] badge=[REDACTED:key:3] allowed-value",
		"second-value",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the texts:\n got %q\nwant %q", got, want)
	}
}
