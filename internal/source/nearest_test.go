package source

import (
	"strings"
	"testing"
)

// TestNearest pins which slips of the pen are understood.
func TestNearest(t *testing.T) {
	long := strings.Repeat("x", 99)
	valid := []string{long + "x", long + "xx", "runs", "rules", "prompt", "user_prompt", "models", "model", "天気"}
	tests := []struct {
		word, want string
		ok         bool
	}{
		{"run", "runs", true},
		{"rusn", "runs", true},
		{"modle", "model", true},
		{"mode", "model", true},
		{"userprompt", "user_prompt", true},
		{"気天", "天気", true},
		{"snur", "", false},
		{"temperature", "", false},
		{"", "", false},
		{strings.Repeat("x", 1<<20), "", false},
		{long + "y", long + "x", true},
		{long + "yy", "", false},
	}
	for _, tt := range tests {
		if got, ok := Nearest(tt.word, valid); ok != tt.ok || ok && got != tt.want {
			t.Errorf("Nearest(%.20q): got %q, %t, want %q, %t", tt.word, got, ok, tt.want, tt.ok)
		}
	}
	if got, want := DidYouMean("run", valid), `, did you mean "runs"?`; got != want {
		t.Errorf("DidYouMean: got %q, want %q", got, want)
	}
	if got := DidYouMean("run", nil); got != "" {
		t.Errorf("DidYouMean without names: got %q, want nothing", got)
	}
}

// TestNearestIsNotOpposite pins that no name is suggested that means the opposite of the word.
func TestNearestIsNotOpposite(t *testing.T) {
	valid := []string{"contains", "regex", "not_contains", "not_regex", "max_calls", "exclude_tools", "!=", "notes", "nodes"}
	tests := []struct{ word, want string }{
		{"contain", "contains"},
		{"not_contain", "not_contains"},
		{"not-contains", "not_contains"},
		{"notcontains", "not_contains"},
		{"!contains", ""},
		{"!regex", ""},
		{"no_regex", "not_regex"},
		{"min_calls", ""},
		{"max_call", "max_calls"},
		{"include_tools", ""},
		{"=", ""},
		{"=!", "!="},
		{"note", "notes"},
		{"notdes", "nodes"},
	}
	for _, tt := range tests {
		if got, _ := Nearest(tt.word, valid); got != tt.want {
			t.Errorf("Nearest(%q): got %q, want %q", tt.word, got, tt.want)
		}
	}
}
