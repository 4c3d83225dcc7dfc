package lint

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestCompileTakesLittle pins that patterns of a server's schema are not compiled to be checked: a kilobyte of them can make
// a program of 80 MB.
func TestCompileTakesLittle(t *testing.T) {
	var patterns []string
	for i := range 20 {
		patterns = append(patterns, fmt.Sprintf(`{"pattern": "(%s%d){1000}"}`, strings.Repeat("ab", 450), i))
	}
	node := []byte(`{"anyOf": [` + strings.Join(patterns, ",") + `]}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := compile(node); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 8<<20 {
		t.Errorf("a schema of %d bytes takes %d bytes to compile, want at most 8 MiB", len(node), bytes)
	}
	if err := compile([]byte(`{"pattern": "("}`)); err == nil {
		t.Error("a pattern that is none compiles")
	}
}
