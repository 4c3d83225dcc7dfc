package english

import (
	"strings"
	"testing"
)

// TestValues pins the five forms, and what only looks like one.
func TestValues(t *testing.T) {
	tests := map[string]struct {
		form Form
		want string // values, separated by a bar
	}{
		"Valid values: low, medium, high":                            {Labelled, "low|medium|high"},
		"Supported formats are `json` and `csv`.":                    {Labelled, "json|csv"},
		"Options are:\n- 'add' - adds\n- 'cut' - no":                 {Labelled, "add|cut"},
		"Options: 'a' (first) or 'b' (second)":                       {Labelled, "a|b"},
		"the new status, one of open, closed, or pending":            {OneOf, "open|closed|pending"},
		"One of: open, closed. Default open":                         {OneOf, "open|closed"},
		"When given, must be one of 'a' or 'b'":                      {OneOf, "a|b"},
		"Must be one of: - ``ON`` — yes. - ``OFF`` — no.":            {OneOf, "ON|OFF"},
		"Allows one of following : 5m|15m|1h":                        {OneOf, "5m|15m|1h"},
		"asc|desc":                                                   {Barred, "asc|desc"},
		"must be 'a' or 'b'":                                         {QuotedList, "a|b"},
		"Can be 'ON HOLD', \"SHIPPED\", or `GONE`.":                  {QuotedList, "ON HOLD|SHIPPED|GONE"},
		"Order (\"asc\", \"desc\")":                                  {QuotedList, "asc|desc"},
		"Sort order for results: 'asc' or 'desc'":                    {QuotedList, "asc|desc"},
		"Type of the scale, either major or minor.":                  {Either, "major|minor"},
		"The unit for results, either 'm' or 'km'":                   {Either, "m|km"},
		"Query a|b|c=d":                                              {},
		"Options: a, b, etc.":                                        {},
		"Options: 'single', 'double', etc. If not given, 'single'":   {},
		"Choices include: single, double":                            {},
		"e.g. valid values: a, b":                                    {},
		"Values not allowed: a, b":                                   {},
		"Not allowed values: a, b":                                   {},
		"One of the most useful, popular or cheap":                   {},
		"One of the teams, projects or users":                        {},
		"One of your own names or numbers given":                     {},
		"One of title or body must be given":                         {},
		"e.g. one of open, closed":                                   {},
		"One of a, b or any name":                                    {},
		"One of a, b, but not limited to these":                      {},
		"Required if the kind is one of open or closed":              {},
		"Used with one of 'a' or 'b'":                                {},
		"Must not be one of 'a' or 'b'":                              {},
		"One of the following formats: 'X hour(s)' or 'Y minute(s)'": {},
		"Either way, the call is made":                               {},
		"Either the name or the id of a thing":                       {},
		"Either an ID or URL":                                        {},
		"Either Celsius (C) or Fahrenheit (F)":                       {},
		"Ignored unless mode is either a or b":                       {},
		"Required for 'add' and 'remove'.":                           {},
		"Ignored when kind is 'a' or 'b'":                            {},
		"Cannot be 'a' or 'b'":                                       {},
		"Can't be 'a' or 'b'":                                        {},
		"Can be 'latest', 'stable', or a version":                    {},
		"Can be 'modern', 'baroque', etc. Default 'modern'":          {},
		"Must be 'DELETE' to confirm":                                {},
		"A path or a tuple of ('cert.pem', 'key.pem')":               {},
		"Hierarchy flags (`has_parent`, `has_children`)":             {},
		"The user's or the group's name":                             {},
		"An id, 'a' or 'b'":                                          {},
		"Default: 'a', 'b'":                                          {},
		"忌口食材列表，如[\"葱\", \"姜\"]":                                     {},
		"": {},
		strings.Repeat("valid values: ", 2000) + "a, b": {},
	}
	for text, test := range tests {
		values, form := Values(text)
		if got := strings.Join(values, "|"); got != test.want || form != test.form {
			t.Errorf("%.60q: got %q of form %d, want %q of form %d", text, got, form, test.want, test.form)
		}
	}
}

func TestIsForeign(t *testing.T) {
	tests := map[string]bool{
		"Lists files": false, "": false, "Devuelve los archivos de una carpeta": true, "ファイルを一覧する": true, "naïve café list": false,
	}
	for text, want := range tests {
		if got := IsForeign(text); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}

func TestNameWords(t *testing.T) {
	tests := map[string]string{"get_weather": "get weather", "getWeather": "get weather", "a.b-c/D2E": "a b c d2 e", "__": ""}
	for name, want := range tests {
		if got := strings.Join(NameWords(name), " "); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
