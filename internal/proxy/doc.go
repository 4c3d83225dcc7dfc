// Package proxy passes messages between MCP clients and servers.
//
// [Stdio] and [HTTP] pass bytes on as they are and have what passes recorded, for any client and any server. [Open]
// makes an [Endpoint], one server as one run of a program sees it: streamable HTTP on loopback, with the tools that the run
// is to be shown, and a [Witness] of what passed.
//
// Nothing that passes is trusted. Messages, sessions, connections and everything that is kept are bounded; requests of web
// pages and of other hosts are refused; and a recording that fails never holds up what it records.
package proxy
