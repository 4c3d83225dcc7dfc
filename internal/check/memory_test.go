package check

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/thorough"
)

// TestMemoryOfACase pins what a plain case of one short run may allocate altogether, from its suite to its row in the report:
// checks of thousands of cases spend most of their time on that. It was 26,200 bytes when the bound was set; a quarter more was a
// quarter more time.
func TestMemoryOfACase(t *testing.T) {
	const most = 30_000
	cases := thorough.Size(500, 2000)
	var suite strings.Builder
	suite.WriteString("agents:\n")
	fsys := fstest.MapFS{}
	for i := range cases {
		fmt.Fprintf(&suite, "  - name: case-%d\n    cassette: c/%d.json\n    equal_function_sets:\n      classes:\n"+
			"        - {name: search, members: [search]}\n        - {name: fetch, members: [fetch]}\n", i, i)
		fsys[fmt.Sprintf("c/%d.json", i)] = &fstest.MapFile{Data: []byte(`[{"tool_calls": [{"name": "search"}, {"name": "fetch"}]}]`)}
	}
	fsys["mcp-gates.yml"] = &fstest.MapFile{Data: []byte(suite.String())}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := run(t, fsys, Options{Jobs: 2})
	runtime.ReadMemStats(&after)
	if r.Counts.Passed != cases {
		t.Fatalf("%d cases passed, want %d", r.Counts.Passed, cases)
	}
	if took := (after.TotalAlloc - before.TotalAlloc) / uint64(cases); took > most {
		t.Errorf("a case allocates %d bytes, want at most %d", took, most)
	}
}
