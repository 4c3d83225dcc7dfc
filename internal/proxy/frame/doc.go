// Package frame reads the messages of MCP, which are those of JSON-RPC, and cuts what passes into them.
//
// [ReadAll] reads a message or a batch; its parts stay as they were written, so that what is passed on is what came. A
// [Splitter] finds the messages in lines, in bodies and in streams of events, in whatever pieces these pass. Nothing that is
// read here is trusted: a message of more than [MaxMessage] bytes is not kept.
package frame
