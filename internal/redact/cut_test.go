package redact_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/redact"
)

// A text that is cut where Before or After allows it has no part of a value, however that is spelled.
func TestCut(t *testing.T) {
	const value = "correct horse\nbattery"
	rules := rulesOf(t, redact.Config{Values: []string{value}})
	for _, spelled := range []string{
		value, jsonText(value), jsonText(jsonText(value)), "correct%20horse%0Abattery", "&#99;&#111;rrect horse battery",
		base64.StdEncoding.EncodeToString([]byte(value)),
	} {
		text := "before " + spelled + " after"
		start, end := len("before "), len("before ")+len(spelled)
		for at := range len(text) + 1 {
			before, after := at, at
			if at > start && at < end {
				before, after = start, end
			}
			if got := rules.Before(text, at); got != before {
				t.Errorf("%q can be cut at %d or before %d, want %d", text, got, at, before)
			}
			if got := rules.After(text, at); got != after {
				t.Errorf("%q can be kept from %d or behind %d, want %d", text, got, at, after)
			}
		}
	}
	long := strings.Repeat("long ", 1<<18)
	if got := rules.Before(long+value+long, len(long)+5); got != len(long) {
		t.Errorf("a long text can be cut at %d, want %d", got, len(long))
	}
}
