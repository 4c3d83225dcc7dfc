package main

import (
	"runtime"
	"runtime/debug"
)

// How garbage is collected, in percent as runtime/debug.SetGCPercent takes them. A check of a few hundred cases is over
// before 32 MiB are in use (8 times the runtime's least heap of 4 MiB), and collecting would be a third of its work.
// Larger ones hold mostly the runs of cassettes, and these stay: collecting twice as often as Go does by itself takes a
// tenth off the peak on 80 MB of runs, and no time.
const (
	untilFirst = 800
	afterwards = 50
)

// saveTime lets the program run up to a size before garbage is first collected, and saves memory from then on, unless
// the environment says what to do.
func (p *program) saveTime() {
	if p.getenv("GOGC") != "" || p.getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(untilFirst)
	// The first collection finds that nothing holds this any more.
	collected := &struct{ self *int }{}
	runtime.AddCleanup(collected, func(percent int) { debug.SetGCPercent(percent) }, afterwards)
}

// importMemory is the size, in bytes, from which on an import has memory collected all the time. It holds one run or two, most
// of that in a few long texts, which take the collector no work.
const importMemory = 20 << 20

// saveMemory has memory collected often until the function that it returns is called, unless the environment says what to do.
func (p *program) saveMemory() (end func()) {
	if p.getenv("GOGC") != "" || p.getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	before := debug.SetMemoryLimit(importMemory)
	return func() { debug.SetMemoryLimit(before) }
}
