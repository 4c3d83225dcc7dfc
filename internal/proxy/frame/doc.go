// Package frame reads the messages of MCP, which are JSON-RPC messages, and splits traffic into messages.
//
// [ReadAll] reads a message or a batch and does not change its parts, so that messages can be passed on unchanged. A
// [Splitter] finds the messages in lines, in bodies and in streams of events, which may come in any pieces. No input is
// trusted: a message of more than [MaxMessage] bytes is not kept.
package frame
