// Package mcpclient holds sessions with MCP servers, on standard input and output or over HTTP.
//
// A [Config] says how a server is started or reached. [Connect] returns a [Session], a [Pool] shares one among runs, and
// [Snapshot] reads a server's tools and ends it. Servers are not trusted: messages, lists of tools, requests of their own
// and results are bounded, nothing is sent to another host than the one that the configuration names, and a process is
// ended with its group. Tools and results are read as the server wrote them, beside the SDK, whose types drop fields.
package mcpclient
