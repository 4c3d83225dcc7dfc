// Package mock is an MCP server that plays back a file, for trying agents and clients without a real server.
//
// A [Definition] holds the tools, resources and prompts of a server. [ReadManifest] makes a definition from a YAML
// manifest, whose tools have scripted answers, and [FromCatalog] from a catalog, whose tools answer with their name and
// arguments. [New] makes a [Server] of a definition, which [Server.Serve] runs over a pair of streams and
// [Server.ServeHTTP] over streamable HTTP. A [Fault] makes the server misbehave.
//
// The official SDK handles the protocol. This package lists and calls the tools itself: the SDK refuses odd schemas,
// and lists tools in an order and a spelling of its own, whereas a mock must show the tools exactly as in its file.
//
// The same arguments get the same answer, whenever they are sent. Arguments are not validated against the input schema.
package mock
