package check

import (
	"io/fs"
	"sync"
)

// admitted is the largest total size, in bytes, of the recordings that are judged at once, except for a single larger one. Judging
// takes up to fourteen times as much memory.
const admitted = 16 << 20

// admission lets cases start while there is room for their recordings. A recording that is larger than the whole room is judged
// alone.
type admission struct {
	mu    sync.Mutex
	freed *sync.Cond
	used  int64
}

// enter waits until there is room for size bytes, and returns a function that frees the room.
func (a *admission) enter(size int64) (leave func()) {
	size = min(size, admitted)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.freed == nil {
		a.freed = sync.NewCond(&a.mu)
	}
	for a.used+size > admitted {
		a.freed.Wait()
	}
	a.used += size
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.used -= size
		a.freed.Broadcast()
	}
}

// recordedBytes returns the total size of the files with a case's recordings.
func (c *checker) recordedBytes(s selectedCase) (size int64) {
	if c.isLive() {
		return 0
	}
	if s.judgedAs != nil && !sameCassettes(s.Case, s.judgedAs.Case) { // the recordings of the base's case are also read
		size = c.recordedBytes(*s.judgedAs)
	}
	files, _ := c.cassettes(s)
	for _, file := range files {
		if info, err := fs.Stat(c.fsys, file); err == nil {
			size += info.Size()
		}
	}
	return size
}
