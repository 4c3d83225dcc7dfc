package toolsearch

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
)

// SearchTool returns the tool by which a model searches if the client is imitated. It has the name of the client's tool, and a
// query as its only argument. It belongs to no server.
func (c *Client) SearchTool() *catalog.Tool {
	return &catalog.Tool{
		Name: cmp.Or(c.Tool, "tool_search"),
		Description: "Searches the tools that are there but not listed. Say in a few words what a tool should do. " +
			"The tools that are found can be called from the next turn on.",
		InputSchema: jsontext.Value(`{"type":"object","properties":{"query":{"type":"string","description":"What to search for."}},"required":["query"]}`),
	}
}

// IsByName reports whether the client reads a query as names of tools to load, without a search.
func (c *Client) IsByName(query string) bool {
	if c != ClaudeCode {
		return false
	}
	_, ok := selectedNames(cutQuery(query))
	return ok
}
