package toolsearch

import "github.com/org/mcp-gates/internal/catalog"

// Client describes the tool search of one client.
type Client struct {
	Name     string // the name in suites and options
	Title    string // the name for people
	Version  string // version of the program whose answers were compared; "" for none
	Verified string // the day of the comparison, YYYY-MM-DD; "" for none
	Evidence string // the compared data, or the reason why nothing was compared
	Source   string // the source of the algorithm
	Tool     string // the name of its search tool; "" for none

	Fields   []string // fields of a tool that are searched, in order
	Ignored  []string // fields of a tool that are not searched
	Tokens   string   // the way in which texts become words
	Scoring  string   // the way in which words become a score
	Ties     string   // the order of equal scores
	Limit    int      // number of tools that a search returns if it names no limit
	Unknowns []string // parts of the client's behaviour that are not modelled

	// RandomTies means that the client orders equal scores by chance. A tool then has the worst rank that it can get.
	RandomTies bool

	// NeedsSchemas means that the client also searches schemas, so its results are unknown for tools without a known
	// schema.
	NeedsSchemas bool

	asciiWords bool // a search finds only words of a description with ASCII letters

	groups   bool // the list groups the tools by server
	wireName func(server, tool string) string
	isEager  func(*catalog.Tool) bool
	engine   func(ix *Index) engine
}

// Clients are the known clients, in the order of the documentation.
var Clients = []*Client{ClaudeCode, Codex, BM25}

// Named returns the client with a name; nil if there is none.
func Named(name string) *Client {
	for _, c := range Clients {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Names returns the names of all clients.
func Names() []string {
	var names []string
	for _, c := range Clients {
		names = append(names, c.Name)
	}
	return names
}

// WireName returns the name under which the client shows a tool of a server to the model: mcp__SERVER__TOOL in Claude
// Code, and NAMESPACE/TOOL in Codex, which keeps the two apart.
func (c *Client) WireName(server, tool string) string { return c.wireName(server, tool) }

// IsEager reports whether the client puts a tool in front of the model from the start, without a search.
func (c *Client) IsEager(t *catalog.Tool) bool { return c.isEager != nil && c.isEager(t) }
