// Package fault has the faults that live runs put between an agent and its servers: their kinds, their form in recordings, and
// the choice of calls that they affect.
//
// A suite lists faults on a test. Each run has its own [Counter], so that runs do not share counts.
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

// DefaultDelay is the delay of kinds that wait, in milliseconds, if the suite does not set it.
const DefaultDelay = 5_000

// The error texts of calls that meet a fault.
const (
	ToolError  = "fault: this call fails"
	Closed     = "fault: the connection was closed before the answer"
	NotJSONRPC = "fault: the answer is not a message of JSON-RPC"
)

// Kind is a way in which a server fails.
type Kind struct {
	Name  string
	Times Times
	Waits bool   // the kind has a delay
	Doc   string // the effect on a call
}

// Times describes whether a fault of a kind sets the number of calls that it affects.
type Times int

// The values of [Times].
const (
	Optional Times = iota // 1 if absent
	Required
	Never
)

// Kinds are all kinds of faults. Only a slow call reaches the server.
var Kinds = []Kind{
	{Error, Optional, false, "the tool returns an error"},
	{RecoverAfter, Required, false, "the tool returns an error, as with `mock --fault recover-after:N`"},
	{Hang, Optional, true, "the server does not answer the call"},
	{Slow, Optional, true, "the server answers late, by `delay`"},
	{Wedged, Never, true, "the server answers neither this call nor any later request in the run"},
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

// Find returns the kind with a name, and whether there is one.
func Find(name string) (Kind, bool) {
	i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return Kinds[i], true
}

// Fault is a fault of a test. Its defaults are filled in, so that faults with the same meaning are equal.
type Fault struct {
	Server  string `json:"server,omitzero"` // the server whose calls it affects; "" if the test names no server
	Tool    string `json:"tool,omitzero"`   // "" for every tool of the server
	Kind    string `json:"kind"`
	Times   int64  `json:"times,omitzero"`    // number of calls that it affects, at least 1; 0 for kinds without a number
	DelayMS int64  `json:"delay_ms,omitzero"` // at least 1 for a kind that waits, otherwise 0
}

// Of returns the target of the fault: SERVER.TOOL, SERVER, TOOL, or "" for every call.
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

// Covers reports whether the fault can affect calls of a tool. A server of "" matches any server.
func (f Fault) Covers(server, tool string) bool {
	return (f.Server == "" || server == "" || f.Server == server) && (f.Tool == "" || f.Tool == tool)
}
