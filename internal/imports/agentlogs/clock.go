package agentlogs

import (
	"time"

	"github.com/org/mcp-gates/internal/imports/logs"
)

// clock returns times by which the events of a session with several files are sorted. The records of one agent keep the order
// of their file: a record without a time, or with an earlier time, gets the time of the previous record.
type clock map[clockKey]int64

// clockKey identifies an agent of a session.
type clockKey struct {
	session *logs.Session
	agent   string
}

// timeOf returns the time of the next record of an agent, in nanoseconds.
func (c clock) timeOf(s *logs.Session, agent, text string) int64 {
	key := clockKey{s, agent}
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
		c[key] = max(c[key], at.UnixNano())
	}
	return c[key]
}
