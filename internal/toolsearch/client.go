package toolsearch

import "github.com/org/mcp-gates/internal/catalog"

// Client is how one client searches for tools.
type Client struct {
	Name     string // as suites and options write it
	Title    string // as people call it
	Version  string // of the program whose answers were compared; "" for none
	Verified string // the day of the comparison, YYYY-MM-DD; "" for none
	Evidence string // what was compared, or why nothing was
	Source   string // where the algorithm stands
	Tool     string // the name of its search tool; "" for none

	Fields   []string // of a tool that are searched, in order
	Ignored  []string // fields of a tool that are not searched
	Tokens   string   // how texts become words
	Scoring  string   // how words become a score
	Ties     string   // what decides between equal scores
	Limit    int      // how many tools a search returns where it does not say
	Unknowns []string // what is not modelled

	// RandomTies says that the client itself orders equal scores by chance. A tool then has the worst rank that it can get.
	RandomTies bool

	// NeedsSchemas says that the client searches schemas, too, so that nobody knows what it finds of tools without a known one.
	NeedsSchemas bool

	asciiWords bool // a word of a description is found only where it has ASCII letters

	groups   bool // the list has the tools of each server together
	wireName func(server, tool string) string
	isEager  func(*catalog.Tool) bool
	engine   func(ix *Index) engine
}

// Clients are the clients that are known, in the order in which documentation lists them.
var Clients = []*Client{ClaudeCode, Codex, BM25}

// Named returns the client of a name, or nil.
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

// WireName returns the name under which the client shows a tool of a server to the model: mcp__SERVER__TOOL in Claude Code, and
// NAMESPACE/TOOL in Codex, which writes the two apart.
func (c *Client) WireName(server, tool string) string { return c.wireName(server, tool) }

// IsEager reports whether the client puts a tool in front of the model from the start, so that no search need find it.
func (c *Client) IsEager(t *catalog.Tool) bool { return c.isEager != nil && c.isEager(t) }
