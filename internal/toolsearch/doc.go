// Package toolsearch finds tools as MCP clients do that do not put every tool in front of the model: a search tool takes a
// query and returns the tools that fit it best, by an algorithm and not by a model.
//
// A client is a row of [Clients]. Its [Client.Index] is made once of the servers that compete, and answers many queries:
// [Index.Search] returns the list that the model sees, [Index.Ranks] where given tools stand in it, and [Index.Explain] which word of
// the query earned a tool its place. To add a client, write a file with its row and its engine.
package toolsearch
