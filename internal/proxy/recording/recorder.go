package recording

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/org/mcp-gates/internal/proxy/frame"
)

// Bounds of the queue.
const (
	maxQueued = 64 << 20        // bytes
	entrySize = 500             // approximate memory of a queued function besides its data, in bytes
	flushTime = 2 * time.Second // time for the rest of the queue after the traffic has ended
)

// Recorder writes recordings beside the traffic: the traffic is queued, and one goroutine reads, redacts and writes it.
type Recorder struct {
	options Options

	mu     sync.Mutex
	queue  []func()
	size   int
	isOver bool
	wake   chan struct{}
	done   chan struct{}
}

// New starts a recorder, which must be closed.
func New(o Options) *Recorder {
	r := &Recorder{options: o.withDefaults(), wake: make(chan struct{}, 1), done: make(chan struct{})}
	go r.run()
	return r
}

// enqueue queues a function that handles the given number of bytes, and reports whether the recorder has room for it. A closed
// recorder returns true and drops the function, because the traffic has ended and no part of the recording is missing.
func (r *Recorder) enqueue(bytes int, f func()) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isOver {
		return true
	}
	if bytes > 0 && r.size+bytes > maxQueued {
		return false
	}
	bytes += entrySize
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

func (r *Recorder) run() {
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

// Close waits until everything is written, at most 2 s, because callers that wait for the end of the traffic also wait
// for this.
func (r *Recorder) Close() {
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
		r.options.Complain(errors.New("record: the end of the recording is lost, because writing takes too long"))
	}
}

// Feed records one direction of the traffic. Only one goroutine may call its methods.
type Feed struct {
	recorder *Recorder
	from     string
	exchange int64
	split    *frame.Splitter

	missing int64 // bytes that were not queued; only for the goroutine that passes data

	at   time.Time    // time of the data that is being read; only for the recorder
	tape func() *tape // the recording; nil for none
}

// Stdio starts the recording of a server on standard input and output, and returns the feeds for the client's and the
// server's data.
func (r *Recorder) Stdio() (client, server *Feed) {
	var recording *tape
	started := time.Now()
	r.enqueue(0, func() { recording = newTape(r.options, "stdio", started) })
	tape := func() *tape { return recording }
	return newFeed(r, "client", frame.NewLines, tape), newFeed(r, "server", frame.NewLines, tape)
}

func newFeed(r *Recorder, from string, newSplitter func(frame.Emit) *frame.Splitter, tape func() *tape) *Feed {
	f := &Feed{recorder: r, from: from, tape: tape}
	f.split = newSplitter(func(text []byte, size int) {
		if t := f.tape(); t != nil {
			t.writeMessages(f.moment(), text, size)
		}
	})
	return f
}

func (f *Feed) moment() moment { return moment{f.at, f.from, f.exchange} }

// Pass records data. It does not wait, and does not keep data.
func (f *Feed) Pass(data []byte) { f.passAt(time.Now(), data) }

func (f *Feed) passAt(at time.Time, data []byte) {
	missing, own := f.missing, slices.Clone(data)
	if f.recorder.enqueue(len(own), func() { f.readData(at, missing, own) }) {
		f.missing = 0
		return
	}
	f.missing += int64(len(data))
	f.recorder.options.Complain(errLost)
}

var errLost = errors.New("record: parts of the traffic are not recorded, because they come too fast")

// readData reads passed data. missing is the number of bytes before the data that were not queued. Missing bytes cut a message.
func (f *Feed) readData(at time.Time, missing int64, data []byte) {
	f.at = at
	if missing > 0 {
		f.split.Skip()
		if t := f.tape(); t != nil {
			t.writeLost(f.moment(), missing)
		}
	}
	f.split.Write(data)
}

// End ends the direction. If isCut is set, its unfinished message is not recorded.
func (f *Feed) End(isCut bool) {
	at, missing := time.Now(), f.missing
	f.recorder.enqueue(0, func() {
		f.readData(at, missing, nil)
		f.split.Close(isCut)
	})
}
