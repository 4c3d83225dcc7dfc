package mcpclient

import (
	"errors"
	"os"
	"time"
)

// output is our end of a process's standard output. What the process wrote before it ended is read, however late. After that
// the wait for the end of the pipe is short, because a process that left the group may hold it open, and write to it.
type output struct {
	pipe  *os.File
	ended <-chan struct{} // closed when the process has ended
	last  time.Time       // when the last read must have ended; zero before the process has
}

// Read reads what the process wrote. It returns [os.ErrClosed] when the process has ended and nothing more comes.
func (o *output) Read(b []byte) (int, error) {
	for {
		hasEnded := o.await()
		n, err := o.pipe.Read(b)
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
		if hasEnded {
			return n, os.ErrClosed
		}
		<-o.ended
	}
}

// await bounds the time of a read when the process has ended, and reports whether it has.
func (o *output) await() bool {
	select {
	case <-o.ended:
	default:
		return false
	}
	// The time counts from when we come to read: on a busy machine that may be late.
	now := time.Now()
	if o.last.IsZero() {
		o.last = now.Add(lastTime)
	}
	deadline := now.Add(drainTime)
	if deadline.After(o.last) {
		deadline = o.last
	}
	_ = o.pipe.SetReadDeadline(deadline) // an error means that the pipe knows no deadlines, and wake closes it
	return true
}

// Close ends reading.
func (o *output) Close() error { return o.pipe.Close() }

// wake interrupts a read, before ended is closed. Where the pipe knows no deadlines it is closed, after a while.
func (o *output) wake() {
	if o.pipe.SetReadDeadline(time.Now()) != nil {
		time.AfterFunc(drainTime, func() { o.Close() })
	}
}
