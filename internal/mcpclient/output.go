package mcpclient

import (
	"errors"
	"os"
	"time"
)

// output is this program's end of a process's standard output. Everything that was written before the end of the process is read,
// however late. Then the pipe is read only for a short time, because a process that left the group may keep the pipe open and write
// to it.
type output struct {
	pipe         *os.File
	ended        <-chan struct{} // closed when the process has ended
	lastDeadline time.Time       // deadline of the last read; zero before the process has ended
}

// Read reads the output of the process. It returns [os.ErrClosed] if the process has ended and no more output comes.
func (o *output) Read(b []byte) (int, error) {
	for {
		hasEnded := o.setDeadline()
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

// setDeadline sets a deadline for reads if the process has ended, and reports whether it has.
func (o *output) setDeadline() bool {
	select {
	case <-o.ended:
	default:
		return false
	}
	// The time counts from this read, not from the end of the process: on a busy machine this read may be late.
	now := time.Now()
	if o.lastDeadline.IsZero() {
		o.lastDeadline = now.Add(lastTime)
	}
	deadline := now.Add(drainTime)
	if deadline.After(o.lastDeadline) {
		deadline = o.lastDeadline
	}
	_ = o.pipe.SetReadDeadline(deadline) // an error means that the pipe has no deadlines; wake then closes it
	return true
}

// Close ends reading.
func (o *output) Close() error { return o.pipe.Close() }

// wake interrupts a read, before ended is closed. If the pipe has no deadlines, wake closes it after drainTime.
func (o *output) wake() {
	if o.pipe.SetReadDeadline(time.Now()) != nil {
		time.AfterFunc(drainTime, func() { o.Close() })
	}
}
