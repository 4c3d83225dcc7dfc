package imports

import (
	"strings"
	"testing"
)

// TestReadsLikeError pins which results are taken for errors that nobody marked.
func TestReadsLikeError(t *testing.T) {
	tests := map[string]bool{
		"Error: no such city":                                   true,
		"error: no such city":                                   true,
		"MCP error -32602: Unknown tool: get":                   true,
		"Error executing tool get: no such city":                true,
		"ValueError: invalid literal for int()":                 true,
		"json.decoder.JSONDecodeError: Expecting value: line 1": true,
		"Errors of today: 3":                                    false,
		"No error: all tests pass":                              false,
		"The error was mended: it works":                        false,
		"12 °C\nError: none":                                    false,
		"":                                                      false,
	}
	tests[strings.Repeat("x", 1<<20)+"Error: late"] = false
	for text, want := range tests {
		if got := readsLikeError(text); got != want {
			t.Errorf("%.60q: got %t, want %t", text, got, want)
		}
	}
}
