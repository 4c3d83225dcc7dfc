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

// TestMemoryOfRuns pins that a report holds on to nothing of the runs that it leaves out. Where each case kept its recording, this took
// more than 100 MiB, and ten thousand cases on one recording of 2 MiB took 2 GiB.
func TestMemoryOfRuns(t *testing.T) {
	thorough.Unraced(t, "it takes eight seconds, and memory that the detector keeps is counted")
	const cases, runs, most = 100, 6000, 60 << 20
	suite := "defaults: {cassette: c.json, limits: {max_calls: 1}}\nagents:\n"
	for i := range cases {
		suite += fmt.Sprintf("  - {name: case-%d}\n", i)
	}
	fsys := fstest.MapFS{
		"mcp-gates.yml": {Data: []byte(suite)},
		"c.json":        {Data: []byte("[" + strings.Repeat(`{"tool_calls":[{"name":"search"}]},`, runs-1) + `{"tool_calls":[]}]`)},
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r := run(t, fsys, Options{Jobs: 2})
	runtime.GC()
	runtime.ReadMemStats(&after)
	if r.Counts.Passed != cases {
		t.Fatalf("%d cases passed, want %d", r.Counts.Passed, cases)
	}
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > most {
		t.Errorf("the report holds %d MiB, want at most %d", held>>20, most>>20)
	}
	runtime.KeepAlive(r)
}
