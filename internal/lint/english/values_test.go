package english

import (
	"slices"
	"strings"
	"testing"
)

func TestValues(t *testing.T) {
	tests := map[string]string{
		"Valid values: low, medium, high":            "low medium high",
		"Supported formats are `json` and `csv`.":    "json csv",
		"Options are:\n- 'add' - adds\n- 'cut' - no": "add cut",
		"asc|desc":                "asc desc",
		"Query a|b|c=d":           "",
		"Options: a, b, etc.":     "",
		"e.g. valid values: a, b": "",
		"one of a or b":           "",
		"":                        "",
		strings.Repeat("valid values: ", 2000) + "a, b": "",
	}
	for text, want := range tests {
		if got := Values(text); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%.60q: got %q, want %q", text, got, want)
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
