// Package toolsearch imitates MCP clients that do not put every tool in front of the model: a search tool takes a query
// and returns the best tools for it, found by an algorithm and not by a model.
//
// A client is a row of [Clients]. Its [Client.Index] is made once for all servers, and answers many queries:
// [Index.Search] returns the list that the model sees, [Index.Ranks] the ranks of given tools in it, and
// [Index.Explain] the words of the query that gave each tool its rank. To add a client, write a file with its row and
// its engine.
package toolsearch
