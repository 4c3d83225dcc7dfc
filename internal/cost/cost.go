// Package cost counts the tokens of cl100k_base that the tools of servers cost a model: with all tools in full, and with each
// client that defers tools and offers a search tool. It asks no model.
package cost

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/agents"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/stat"
	"github.com/org/mcp-gates/internal/tokens"
	"github.com/org/mcp-gates/internal/toolsearch"
	"github.com/org/mcp-gates/internal/trace"
)

// Cost is the cost of the tools that models are offered.
type Cost struct {
	Tools         int
	Full          int64       // tokens of all tools
	Instructions  trace.Count // tokens of the instructions of all servers; unknown if one server's instructions are unknown
	OutputSchemas int64
	WithOutput    int // tools that have an output schema
	Clients       []Client
}

// Client is the cost of the tools with a client that defers tools.
type Client struct {
	*toolsearch.Client
	Eager      int64 // tokens of the tools that are in front of the model from the start
	Listed     int64 // tokens of the text that replaces the deferred tools, such as their names
	SearchTool int64 // tokens of the definition of the search tool

	// AtLeast means that Listed is a lower bound, because it lacks the unknown instructions of a server.
	AtLeast bool

	Searches int         // number of searches that were made
	Loaded   trace.Count // median number of tokens of the tools that a search returns; unknown without searches
}

// Upfront returns the tokens in front of the model before any search.
func (c *Client) Upfront() int64 { return c.Eager + c.Listed + c.SearchTool }

// Of counts the cost of the tools of all servers. count returns the tokens of one tool, as [tokens.Counter.Tool] does.
func Of(servers []toolsearch.Server, count func(*catalog.Tool) int) *Cost {
	c := counting{cost: &Cost{Instructions: trace.Known(0)}, count: count, tokens: map[*catalog.Tool]int64{}, servers: servers}
	for _, s := range servers {
		c.addServer(s)
	}
	for _, client := range toolsearch.Clients {
		if preset := agents.Find(client.Name); preset != nil && preset.Deferral != nil {
			c.cost.Clients = append(c.cost.Clients, c.costWith(client, preset.Deferral))
		}
	}
	return c.cost
}

type counting struct {
	cost    *Cost
	count   func(*catalog.Tool) int
	servers []toolsearch.Server
	tools   []*catalog.Tool
	tokens  map[*catalog.Tool]int64
}

func (c *counting) addServer(s toolsearch.Server) {
	counter := tokens.Counter{}
	instructions := &c.cost.Instructions
	instructions.N += int64(counter.Text(s.Instructions))
	if !instructions.Known || !s.KnowsInstructions {
		*instructions = trace.Count{} // the sum is unknown if one text is unknown
	}
	for _, t := range s.Tools {
		n := int64(c.count(t))
		c.tools, c.tokens[t] = append(c.tools, t), n
		c.cost.Tools++
		c.cost.Full += n
		if n := counter.Schema(t.OutputSchema); n > 0 {
			c.cost.OutputSchemas += int64(n)
			c.cost.WithOutput++
		}
	}
}

func (c *counting) costWith(client *toolsearch.Client, deferral *agents.Deferral) Client {
	result := Client{Client: client, SearchTool: deferral.SearchTool}
	var deferred []catalog.Ref
	for _, t := range c.tools {
		if client.IsEager(t) {
			result.Eager += c.tokens[t]
			continue
		}
		deferred = append(deferred, t.Ref())
	}
	text, _ := deferral.List(deferred, c.instructions)
	result.AtLeast = text == ""
	if result.AtLeast {
		text, _ = deferral.List(deferred, func(server string) (string, bool) {
			said, _ := c.instructions(server)
			return said, true
		})
	}
	result.Listed = int64(tokens.Counter{}.Text(text))
	c.searchAll(&result)
	return result
}

func (c *counting) instructions(server string) (text string, known bool) {
	for _, s := range c.servers {
		if s.Name == server {
			return s.Instructions, s.KnowsInstructions
		}
	}
	return "", false
}

// These constants bound the searches for the median [Client.Loaded], because every report has it.
const (
	maxSearches = 200
	maxWork     = 20_000_000 // words of all queries, times the number of tools
)

// searchAll searches for each sentence of the deferred tools. If there are too many sentences, it searches for evenly spaced ones.
func (c *counting) searchAll(result *Client) {
	queries := c.selectQueries(result)
	result.Searches = len(queries)
	if len(queries) == 0 {
		return
	}
	index := result.Index(c.servers)
	const clientsLimit = 0
	loaded := make([]int64, len(queries))
	for i, query := range queries {
		for _, found := range index.Search(query, clientsLimit) {
			loaded[i] += c.tokens[found.Tool]
		}
	}
	result.Loaded = trace.Known(stat.Median(loaded))
}

func (c *counting) selectQueries(result *Client) []string {
	promises, _ := toolsearch.Promises(c.tools, result.Client)
	promises = slices.DeleteFunc(promises, func(p toolsearch.Promise) bool { return result.IsEager(p.Tool) })
	for n := min(len(promises), maxSearches); n > 0; n /= 2 {
		queries, words := make([]string, n), 0
		for i := range queries {
			queries[i] = promises[i*len(promises)/n].Query
			words += 1 + strings.Count(queries[i], " ")
		}
		if words*len(c.tools) <= maxWork {
			return queries
		}
	}
	return nil
}
