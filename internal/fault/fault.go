// Package fault holds the faults that live runs put between an agent and its servers: their kinds, how recordings write
// them, and which calls of a run they hit.
//
// A suite lists faults on a test. Each run has a [Counter] of its own, so that two runs never share a count.
package fault

import (
	"fmt"
	"slices"
	"strings"
)

// The kinds of faults.
const (
	Error        = "error"
	Hang         = "hang"
	Slow         = "slow"
	Wedged       = "wedged"
	RecoverAfter = "recover-after"
	Disconnect   = "disconnect"
	Malformed    = "malformed"
)

// DefaultDelay is how long kinds that wait do so where a suite does not say, in milliseconds.
const DefaultDelay = 5_000

// The texts of calls that meet a fault.
const (
	ToolError  = "fault: this call fails"
	Closed     = "fault: the connection was closed before the answer"
	NotJSONRPC = "fault: the answer is not a message of JSON-RPC"
)

// Kind is a way in which a server fails.
type Kind struct {
	Name  string
	Times Times
	Waits bool   // it takes a delay
	Doc   string // what a call that it hits meets
}

// Times says how a kind takes the number of calls that it hits.
type Times int

// The ways to take a number.
const (
	Optional Times = iota // 1 where it is not given
	Required
	Never
)

// Kinds are all kinds of faults. Only a call that is slow reaches the server.
var Kinds = []Kind{
	{Error, Optional, false, "the tool returns an error"},
	{RecoverAfter, Required, false, "the tool returns an error, as it does for the first calls under `mock --fault recover-after:N`"},
	{Hang, Optional, true, "the server does not answer the call"},
	{Slow, Optional, true, "the server answers late, by `delay`"},
	{Wedged, Never, true, "the server does not answer this call, and nothing that it is asked later in the run"},
	{Disconnect, Optional, false, "the connection is closed before the answer; the next call has a new one"},
	{Malformed, Optional, false, "the answer is not a message of JSON-RPC"},
}

// Names returns the names of all kinds.
func Names() []string {
	names := make([]string, len(Kinds))
	for i, k := range Kinds {
		names[i] = k.Name
	}
	return names
}

// Find returns the kind of a name.
func Find(name string) (Kind, bool) {
	i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return Kinds[i], true
}

// Fault is a fault of a test, with its defaults filled in: two that mean the same are equal.
type Fault struct {
	Server  string `json:"server,omitzero"` // whose calls it hits; "" where the test names no server
	Tool    string `json:"tool,omitzero"`   // "" for every tool of the server
	Kind    string `json:"kind"`
	Times   int64  `json:"times,omitzero"`    // how many calls it hits, 1 or more; 0 for kinds that do not take a number
	DelayMS int64  `json:"delay_ms,omitzero"` // 1 or more for kinds that wait, otherwise 0
}

// Of returns where the fault is put: SERVER.TOOL, SERVER, TOOL, or "" for every call.
func (f Fault) Of() string {
	if f.Server == "" || f.Tool == "" {
		return f.Server + f.Tool
	}
	return f.Server + "." + f.Tool
}

// String returns the fault in a few words, such as "hang of weather.get_forecast".
func (f Fault) String() string {
	if f.Of() == "" {
		return f.Kind
	}
	return f.Kind + " of " + f.Of()
}

// Written returns the fault in full, such as "hang of weather.get_forecast (times 1, delay 5000 ms)".
func (f Fault) Written() string {
	var parts []string
	if f.Times > 0 {
		parts = append(parts, fmt.Sprintf("times %d", f.Times))
	}
	if f.DelayMS > 0 {
		parts = append(parts, fmt.Sprintf("delay %d ms", f.DelayMS))
	}
	if len(parts) == 0 {
		return f.String()
	}
	return f.String() + " (" + strings.Join(parts, ", ") + ")"
}

// Covers reports whether the fault is put in the way of calls of a tool. A server of "" is any.
func (f Fault) Covers(server, tool string) bool {
	return (f.Server == "" || server == "" || f.Server == server) && (f.Tool == "" || f.Tool == tool)
}
