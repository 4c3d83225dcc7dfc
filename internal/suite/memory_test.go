package suite_test

import (
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/thorough"
)

// TestLoadedSuiteLetsGoOfItsFile pins that the gates of a loaded suite do not hold the file's text, of which the reader
// has a tree: ten thousand cases took twice the memory.
func TestLoadedSuiteLetsGoOfItsFile(t *testing.T) {
	thorough.Unraced(t, "it takes ten seconds, on one goroutine")
	const size = 3 << 20
	text := "agents:\n  - {name: a, cassette: a.json, equal_function_sets: {classes: [{name: x, members: [x]}]}}\n"
	fsys := fstest.MapFS{"s.yml": {Data: []byte(text + "#" + strings.Repeat(" a comment", size/10) + "\n")}}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s, errs := suite.NewLoader(fsys).Load("s.yml")
	if len(errs) > 0 {
		t.Fatal(errs.Err())
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > size/2 {
		t.Errorf("a loaded suite of %d bytes holds %d bytes of memory, want a small part", size, held)
	}
	runtime.KeepAlive(s)
	runtime.KeepAlive(fsys)
}
