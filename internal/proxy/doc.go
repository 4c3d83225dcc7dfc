// Package proxy passes messages between MCP clients and servers.
//
// [Stdio] and [HTTP] pass bytes on unchanged and record the messages, for any client and any server. [Open] opens an
// [Endpoint], which offers one server to one run of a program: streamable HTTP on loopback, with the tools that the run
// is to see, and a [Witness] of the messages.
//
// No message is trusted. Messages, sessions, connections and all kept data are bounded; requests of web pages and of
// other hosts are refused; and a recording that fails never delays the messages.
package proxy
