// Package mcpclient holds sessions with MCP servers, on standard input and output or over HTTP.
//
// A [Config] holds the command or the address of a server. [Connect] returns a [Session], a [Pool] shares sessions
// among runs, and [Snapshot] reads a server's tools and ends the server. Servers are not trusted: messages, lists of
// tools, the servers' own requests and results are bounded, requests go only to the host that the configuration names,
// and a process is ended with its group. Tools and results are read from the server's own JSON, because the types of
// the SDK drop fields.
package mcpclient
