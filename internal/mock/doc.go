// Package mock is an MCP server that plays back what a file says, for trying agents and clients without a real server.
//
// A [Definition] is what the server offers. [ReadManifest] makes one of a YAML manifest, in which tools have scripted
// answers, and [FromCatalog] one of a catalog, whose tools answer with their name and arguments. [New] makes a [Server]
// of it, which [Server.Serve] runs over a pair of streams and [Server.ServeHTTP] over streamable HTTP. A [Fault] makes it
// misbehave.
//
// The official SDK speaks the protocol. Tools are listed and called here instead of there: the SDK refuses schemas that
// are odd, and lists tools in an order and a spelling of its own, whereas a mock must show what its file has.
//
// The same arguments get the same answer, whenever they are sent. Arguments are not validated against the input schema.
package mock
