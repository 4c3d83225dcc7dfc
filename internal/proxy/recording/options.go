package recording

import (
	"errors"
	"os"
	"sync"
	"time"

	"github.com/org/mcp-gates/internal/redact"
)

// Options are the settings of recordings.
type Options struct {
	Dir     string        // created if it is missing
	Server  string        // the server's name
	Version string        // of this program
	Rules   *redact.Rules // if nil, secrets are recognized only by their form
	Idle    time.Duration // the gap after which a client without a session begins a new recording; 0 is 60 s

	// Complain receives the problems of the recording, one of each kind. The traffic continues.
	Complain func(err error)
}

// defaultIdle is the gap after which a client without a session begins a new recording.
const defaultIdle = time.Minute

// withDefaults returns the options with defaults for missing ones, and with complaints that are not repeated.
func (r Options) withDefaults() Options {
	if r.Idle <= 0 {
		r.Idle = defaultIdle
	}
	complain := r.Complain
	var mu sync.Mutex
	isReported := map[string]bool{}
	r.Complain = func(err error) {
		kind := err.Error()
		var at *os.PathError
		if errors.As(err, &at) {
			kind = at.Err.Error() // each session has a file of its own, so the path is not a part of the kind
		}
		mu.Lock()
		isNew := !isReported[kind] && len(isReported) < maxComplaints
		isReported[kind] = true
		mu.Unlock()
		if isNew && complain != nil {
			complain(err)
		}
	}
	return r
}

// maxComplaints bounds the number of kinds of problems that are reported. Further kinds are not reported.
const maxComplaints = 20
