// Package recording records the messages between an MCP client and a server.
//
// A [Recorder] gets the traffic: [Recorder.Stdio] the bytes of both directions of a server's standard input and output,
// [Recorder.HTTP] requests and their responses. It writes a file for each session with a line for each message: the
// tools, the calls with their results and errors, and the times. Of all other messages it writes only the method and
// the time. Secrets are removed before anything is written.
//
// A recorder never delays the traffic: data that comes too fast is counted as lost, and a recording that cannot be
// written ends with a complaint.
package recording
