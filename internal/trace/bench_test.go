package trace_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"unsafe"

	"github.com/org/mcp-gates/internal/thorough"
	"github.com/org/mcp-gates/internal/trace"
)

// recording returns n runs, one a line, with results of the size given.
func recording(n, result int) fstest.MapFS {
	var out strings.Builder
	text := strings.Repeat(`some \"result\" `, result/16)
	for i := range n {
		fmt.Fprintf(&out, `{"task": %d, "tool_calls": [{"name": "tool_%d", "server": "s", "args": {"q": "city %d"}, "result": "%s"}, {"name": "fetch", "server": "s"}], "conversation": {"tokens": {"total": %d}}}`+"\n", i, i%20, i, text, i)
	}
	return fstest.MapFS{"a.jsonl": {Data: []byte(out.String())}}
}

// TestMemory pins that what nobody asks for takes no memory, and a run little.
func TestMemory(t *testing.T) {
	const result = 4096
	runs := thorough.Size(500, 2000)
	fsys := recording(runs, result)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	tr, errs := trace.Read(fsys, []string{"a.jsonl"}, 0)
	runtime.ReadMemStats(&after)
	if errs != nil || len(tr.Runs) != runs {
		t.Fatalf("got %d runs, want %d (%v)", len(tr.Runs), runs, errs)
	}
	each := uint64(unsafe.Sizeof(trace.Run{}) + 2*unsafe.Sizeof(trace.Call{}))
	if got, limit := after.TotalAlloc-before.TotalAlloc, 2*uint64(runs)*each+1<<18; got > limit {
		t.Errorf("%d runs took %d bytes of memory in all, want at most %d", runs, got, limit)
	}
}

func BenchmarkReadLines(b *testing.B) {
	for _, keep := range []trace.Keep{0, keepAll} {
		b.Run(fmt.Sprintf("keep=%d", keep), func(b *testing.B) {
			fsys := recording(2000, 1024)
			b.SetBytes(int64(len(fsys["a.jsonl"].Data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, errs := trace.Read(fsys, []string{"a.jsonl"}, keep); errs != nil {
					b.Fatal(errs)
				}
			}
		})
	}
}

func BenchmarkReadSmall(b *testing.B) {
	fsys := recording(1, 64)
	b.ReportAllocs()
	for b.Loop() {
		if _, errs := trace.Read(fsys, []string{"a.jsonl"}, 0); errs != nil {
			b.Fatal(errs)
		}
	}
}
