package frame

import (
	"net/http"
	"slices"
	"strings"
)

// SessionHeader is the header of HTTP that names a session.
const SessionHeader = "Mcp-Session-Id"

// The keys of _meta that are read. The first two hold the model's id of a call in Codex and in Claude Code.
const (
	MetaCallID     = "callId"
	MetaToolUseID  = "claudecode/toolUseId"
	MetaClientInfo = "io.modelcontextprotocol/clientInfo"
)

// Client returns the client's name and version from a request, or "".
func (f *Frame) Client() string {
	info, _ := At(f.Params, "clientInfo")
	if info == nil {
		info, _ = At(f.Params, "_meta", MetaClientInfo)
	}
	name, _ := At(info, "name")
	version, _ := At(info, "version")
	return strings.TrimSpace(Text(name) + " " + Text(version))
}

// Begins reports whether any of the messages begins a session.
func Begins(frames []*Frame) bool {
	return slices.ContainsFunc(frames, func(f *Frame) bool { return f.Method == "initialize" })
}

// IsEvents reports whether a response is a stream of events.
func IsEvents(header http.Header) bool {
	return strings.HasPrefix(strings.ToLower(header.Get("Content-Type")), "text/event-stream")
}
