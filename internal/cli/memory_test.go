package cli

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestSaveTime(t *testing.T) {
	const before = 321
	defer debug.SetGCPercent(debug.SetGCPercent(before))
	percent := func() int {
		now := debug.SetGCPercent(before)
		debug.SetGCPercent(now)
		return now
	}
	saveTime(func(name string) string { return map[string]string{"GOGC": "200"}[name] })
	if got := percent(); got != before {
		t.Errorf("with GOGC set: got %d percent, want it left at %d", got, before)
	}
	saveTime(func(string) string { return "" })
	const first = 800
	if got := percent(); got != first {
		t.Errorf("before the first collection: got %d percent, want %d", got, first)
	}
	for range 2 { // each collection sets how far it is to the next
		debug.SetGCPercent(before)
		if got := percentAfterGC(percent, before); got < growth || got == before {
			t.Errorf("after a collection: got %d percent, want one for what is in use", got)
		}
	}
}

// percentAfterGC returns the percentage once it is not as before, or before where it stays.
func percentAfterGC(percent func() int, before int) int {
	for range 100 {
		runtime.GC()
		if now := percent(); now != before {
			return now
		}
		time.Sleep(10 * time.Millisecond)
	}
	return before
}

func TestPercentFor(t *testing.T) {
	tests := []struct {
		live uint64
		want int
	}{{0, 50}, {4 << 20, 700}, {16 << 20, 100}, {20 << 20, 60}, {24 << 20, 50}, {32 << 20, 50}, {1 << 40, 50}}
	for _, test := range tests {
		if got := percentFor(test.live); got != test.want {
			t.Errorf("%d bytes in use: got %d percent, want %d", test.live, got, test.want)
		}
	}
}
