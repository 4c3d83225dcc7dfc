package logs

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
)

// IsSearch reports whether a name is that of a client's or provider's tool that searches for tools.
func IsSearch(name string) bool { return slices.Contains(searchTools, name) }

// claudeSearch is the search tool of Claude Code.
const claudeSearch = "ToolSearch"

var searchTools = []string{claudeSearch, "tool_search", "tool_search_tool_regex", "tool_search_tool_bm25"}

func foundText(found []Found) string {
	return strings.Join(lists.Map(found, func(one Found) string { return catalog.Ref(one).ID() }), "\n")
}

// markSearch marks a call as a search if it returned tools, or if its tool is the agent's own search and the log has its query or
// result. A call of a server's tool is never marked, because its result can contain anything.
func (c *joined) markSearch() {
	isOwn := c.ref.Server == trace.BuiltinServer && IsSearch(c.ref.Name)
	isOfServer := c.call.Server != "" && c.ref.Server != trace.BuiltinServer || c.ref.Name != c.call.Name
	if isOfServer || c.result.Found == nil && !isOwn {
		return
	}
	query, byName := c.searchQuery()
	if !c.hasResult() && query == "" {
		return
	}
	c.search, c.ref.Server = &trace.Search{Query: query, Pool: c.result.Pool, ByName: byName}, trace.BuiltinServer
	if c.result.Text == "" {
		c.result.Text = foundText(c.result.Found)
	}
}

// hasResult reports whether the log has the result of the search, which may be empty.
func (c *joined) hasResult() bool {
	return c.result.Found != nil || c.done && (c.result.Text != "" || c.result.Failed || c.result.Error != "")
}

// searchQuery returns the query of a search; "" if the log lacks it or if it is too long for a cassette. byName is true if the
// search named the tools: Claude Code reads names after "select:", in upper or lower case, and OpenAI's search has paths of
// namespaces. Anthropic's search by a regular expression calls its query pattern.
func (c *joined) searchQuery() (query string, byName bool) {
	var args struct {
		Query   AnyText        `json:"query"`
		Pattern AnyText        `json:"pattern"`
		Paths   jsontext.Value `json:"paths"`
	}
	if c.object == nil || json.Unmarshal(c.object, &args, Lenient) != nil {
		return "", false
	}
	const selects = "select:"
	query = string(cmp.Or(args.Query, args.Pattern))
	hasSelect := len(query) >= len(selects) && strings.EqualFold(query[:len(selects)], selects)
	hasPaths := query == "" && args.Paths.Kind() == '['
	byName = hasPaths || hasSelect && c.ref.Name == claudeSearch
	if len(query) > trace.MaxQuery {
		query = ""
	}
	return query, byName
}

// found returns the tools that a search returned, with their servers; nil if the log does not keep them.
func (c *joined) found(s *Session) []catalog.Ref {
	if !c.hasResult() {
		return nil
	}
	found := c.result.Found[:min(len(c.result.Found), trace.MaxDeferred)]
	return lists.Map(found, func(one Found) catalog.Ref { return s.sink.in.names.ref(s.sink.format, one.Server, one.Name) })
}
