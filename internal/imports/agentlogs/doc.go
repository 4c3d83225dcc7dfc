// Package agentlogs reads what command-line agents write down of their sessions, and what they print. It also reads what passes
// between such an agent and its servers ([MCPWire]).
//
// The session files and the output of one agent are a format. One session can have several files, with those of its
// sub-agents, and an output. They are brought together by their id, and by the times of their records (clock.go).
package agentlogs
