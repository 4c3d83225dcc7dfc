package main

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
	told := &program{getenv: func(name string) string { return map[string]string{"GOGC": "200"}[name] }}
	told.saveTime()
	if got := percent(); got != before {
		t.Errorf("with GOGC set: got %d percent, want it left at %d", got, before)
	}
	free := &program{getenv: func(string) string { return "" }}
	free.saveTime()
	if got := percent(); got != untilFirst {
		t.Errorf("before the first collection: got %d percent, want %d", got, untilFirst)
	}
	for range 100 {
		runtime.GC()
		if percent() == afterwards {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("after collections: got %d percent, want %d", percent(), afterwards)
}
