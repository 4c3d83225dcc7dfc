// Package agentlogs reads the session files and the output of command-line agents. It also reads the traffic between such an
// agent and its servers ([MCPWire]).
//
// The session files and the output of one agent are one format. A session can have several files, including those of its
// sub-agents, and an output. They are joined by their id, and by the times of their records (clock.go).
package agentlogs
