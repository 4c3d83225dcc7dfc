package check

import (
	"io/fs"
	"sync"
)

// admitted bounds the bytes of the recordings that are judged at once. A run takes up to fourteen times its bytes in memory, so that
// large recordings wait for one another, and small ones for none.
const admitted = 16 << 20

// admission lets cases in as long as there is room for their recordings. One that is larger than all the room is judged alone.
type admission struct {
	mu    sync.Mutex
	freed *sync.Cond
	used  int64
}

// enter waits until there is room for so many bytes, and returns a function that makes room again.
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

// recordedBytes returns how large the recordings of a case are, as far as their names say.
func (c *checker) recordedBytes(s selectedCase) (size int64) {
	if c.isLive() {
		return 0
	}
	if s.as != nil && !sameCassettes(s.Case, s.as.Case) { // which judges by those that it names, too
		size = c.recordedBytes(*s.as)
	}
	files, _ := c.cassettes(s)
	for _, file := range files {
		if info, err := fs.Stat(c.fsys, file); err == nil {
			size += info.Size()
		}
	}
	return size
}
