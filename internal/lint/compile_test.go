package lint

import (
	"fmt"
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
	bytes := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := compile(node); err != nil {
				b.Fatal(err)
			}
		}
	}).AllocedBytesPerOp()
	if bytes > 8<<20 {
		t.Errorf("a schema of %d bytes takes %d bytes to compile, want at most 8 MiB", len(node), bytes)
	}
	if err := compile([]byte(`{"pattern": "("}`)); err == nil {
		t.Error("a pattern that is none compiles")
	}
}
