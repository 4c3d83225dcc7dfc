package check

import (
	"sync"
	"sync/atomic"
)

// parallel calls do with each of 0 to n-1, at most jobs at a time, and returns when all calls have returned.
func parallel(n, jobs int, do func(i int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(n, jobs) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	workers.Wait()
}

// progressCounter calls report with 0, and returns a function that counts its own calls and calls report with the count. The
// calls of report do not overlap.
func progressCounter(total int, report func(done, total int)) func() {
	if report == nil {
		return func() {}
	}
	report(0, total)
	var mu sync.Mutex
	done := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		report(done, total)
	}
}
