package jsonread

import (
	"fmt"
	"strings"
	"testing"
)

// TestInternBounded pins that a file of many names, or long ones, does not fill the memory with shared texts.
func TestInternBounded(t *testing.T) {
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "\"%d\" \"%s\"\n", i, strings.Repeat("x", 100+i%100))
	}
	r := NewBytes([]byte(b.String()))
	for r.More() {
		r.Word("the word")
	}
	if got := len(r.interned); got != 16384 || !r.Clean() {
		t.Errorf("got %d shared texts, want 16384", got)
	}
	for text := range r.interned {
		if len(text) > 64 {
			t.Fatalf("a text of %d bytes is shared", len(text))
		}
	}
}
