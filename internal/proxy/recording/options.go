package recording

import (
	"errors"
	"os"
	"sync"
	"time"

	"github.com/org/mcp-gates/internal/redact"
)

// Options say where recordings are written, and how.
type Options struct {
	Dir     string        // is made where it is missing
	Server  string        // the server's name
	Version string        // of this program
	Rules   *redact.Rules // nil for the shapes of secrets only
	Idle    time.Duration // after which what a client sends without a session is a new recording; 0 is 60 s

	// Complain gets what is wrong with the recording, once for each kind of problem. The traffic is not held up.
	Complain func(err error)
}

// defaultIdle is the gap after which a client without sessions has begun a new run.
const defaultIdle = time.Minute

// withDefaults returns the options with what is missing, and with complaints that do not repeat themselves.
func (r Options) withDefaults() Options {
	if r.Idle <= 0 {
		r.Idle = defaultIdle
	}
	complain := r.Complain
	var mu sync.Mutex
	said := map[string]bool{}
	r.Complain = func(err error) {
		kind := err.Error()
		var at *os.PathError
		if errors.As(err, &at) {
			kind = at.Err.Error() // each session has a file of its own
		}
		mu.Lock()
		isNew := !said[kind] && len(said) < maxComplaints
		said[kind] = true
		mu.Unlock()
		if isNew && complain != nil {
			complain(err)
		}
	}
	return r
}

// maxComplaints bounds how many kinds of problems are reported.
const maxComplaints = 20
