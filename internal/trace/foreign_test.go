package trace

import (
	"os"
	"strings"
	"testing"
)

// TestForeign pins that every row is named for the keys that give it away, and no row before it, and that the
// documentation has a section about each format.
func TestForeign(t *testing.T) {
	page, err := os.ReadFile("../../docs/import.md")
	if err != nil {
		t.Fatal(err)
	}
	for i := range foreignFormats {
		row := &foreignFormats[i]
		var found members
		for _, key := range append([]string{"other"}, row.keys...) {
			found.add(key)
		}
		if got := found.match(); got == nil || got.format != row.format {
			t.Errorf("keys %q: got %+v, want %+v", row.keys, got, *row)
		}
		for format := range strings.SplitSeq(row.format, " or ") {
			if !strings.Contains(string(page), "\n## `"+format+"`\n") {
				t.Errorf("docs/import.md has no section about %s", format)
			}
		}
	}
}

// TestForeignIsBounded pins that an object of any number of keys is described in a short message.
func TestForeignIsBounded(t *testing.T) {
	var found members
	key := strings.Repeat("\x00", 10_000)
	for range 100_000 {
		found.add(key)
	}
	if got := found.String(); len(got) > 2000 || !strings.HasSuffix(got, " and 99992 more") {
		t.Errorf("got %d bytes: %.2000s", len(got), got)
	}
}
