// Package recording writes down what passes between an MCP client and a server.
//
// A [Recorder] gets what passes: [Recorder.Stdio] the bytes of both directions of a server's standard input and output,
// [Recorder.HTTP] requests and their responses. It writes a file for each session, a line for each message, as it passes: the
// tools, the calls with their results and errors, and the times. Of all other messages it writes that they passed. Secrets are
// removed before anything is written.
//
// A recorder never holds up what it records: what comes too fast is counted as lost, and a recording that cannot be written
// ends with a complaint.
package recording
