package proxy

import (
	"errors"
	"slices"
	"sync"
	"time"
)

// Bounds of what waits to be recorded.
const (
	maxQueued = 64 << 20        // bytes
	flushTime = 2 * time.Second // for what waits when the traffic has ended
)

// recorder writes recordings beside the traffic: what passes is queued, and read, redacted and written by one goroutine.
type recorder struct {
	complain func(error)

	mu     sync.Mutex
	queue  []func()
	size   int
	isOver bool
	wake   chan struct{}
	done   chan struct{}
}

// newRecorder starts a recorder, which is to be closed.
func newRecorder(complain func(error)) *recorder {
	r := &recorder{complain: complain, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go r.run()
	return r
}

// do has the recorder do something about so many bytes, and reports whether it will.
func (r *recorder) do(bytes int, f func()) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if bytes > 0 && r.size+bytes > maxQueued || r.isOver {
		return false
	}
	r.size += bytes
	r.queue = append(r.queue, func() {
		f()
		r.mu.Lock()
		r.size -= bytes
		r.mu.Unlock()
	})
	select {
	case r.wake <- struct{}{}:
	default:
	}
	return true
}

func (r *recorder) run() {
	defer close(r.done)
	for {
		r.mu.Lock()
		queue, isOver := r.queue, r.isOver
		r.queue = nil
		r.mu.Unlock()
		for _, f := range queue {
			f()
		}
		if len(queue) == 0 {
			if isOver {
				return
			}
			<-r.wake
		}
	}
}

// close waits until everything is written, but not for long: who waits for the traffic's end waits for this.
func (r *recorder) close() {
	r.mu.Lock()
	r.isOver = true
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
	select {
	case <-r.done:
	case <-time.After(flushTime):
		r.complain(errors.New("record: the end of the recording is lost, because writing takes too long"))
	}
}

// feed is one direction of what passes, on the way to a recording.
type feed struct {
	recorder *recorder
	from     string
	exchange int64
	split    *splitter

	missing int64 // bytes that were not queued; for the goroutine that passes them

	at   time.Time    // of what is being read, for the recorder
	tape func() *tape // where it is written; nil for nowhere
}

// newFeed returns a feed whose messages are cut as newSplitter does.
func newFeed(r *recorder, from string, newSplitter func(func([]byte, int)) *splitter, tape func() *tape) *feed {
	f := &feed{recorder: r, from: from, tape: tape}
	f.split = newSplitter(func(text []byte, size int) {
		if t := f.tape(); t != nil {
			t.message(f.moment(), text, size)
		}
	})
	return f
}

func (f *feed) moment() moment { return moment{f.at, f.from, f.exchange} }

// pass records what passes. It does not wait, and keeps no hold of data.
func (f *feed) pass(data []byte) { f.passAt(time.Now(), data) }

func (f *feed) passAt(at time.Time, data []byte) {
	missing, own := f.missing, slices.Clone(data)
	if f.recorder.do(len(own), func() { f.take(at, missing, own) }) {
		f.missing = 0
		return
	}
	f.missing += int64(len(data))
	f.recorder.complain(errLost)
}

var errLost = errors.New("record: parts of the traffic are not recorded, because they come too fast")

// take reads what has passed. Bytes that could not be queued before it cut a message.
func (f *feed) take(at time.Time, missing int64, data []byte) {
	f.at = at
	if missing > 0 {
		f.split.skip()
		if t := f.tape(); t != nil {
			t.lost(f.moment(), missing)
		}
	}
	f.split.write(data)
}

// end ends the direction.
func (f *feed) end(isCut bool) {
	at, missing := time.Now(), f.missing
	f.recorder.do(0, func() {
		f.take(at, missing, nil)
		f.split.close(isCut)
	})
}
