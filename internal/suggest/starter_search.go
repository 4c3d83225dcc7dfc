package suggest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/finding"
	"github.com/org/mcp-gates/internal/toolsearch"
)

// searchFiles maps the ends of file paths to the clients that own the files, for clients that search for tools.
var searchFiles = []struct {
	file   string
	client *toolsearch.Client
}{
	{".mcp.json", toolsearch.ClaudeCode},
	{".claude.json", toolsearch.ClaudeCode},
	{".codex/config.toml", toolsearch.Codex},
}

// searchClients returns the clients whose files have a server; all clients if there is no such file.
func (s *starting) searchClients() (list []*toolsearch.Client) {
	for _, one := range searchFiles {
		isIn := func(server *starterServer) bool { return strings.HasSuffix("/"+server.Pos.File, "/"+one.file) }
		if slices.ContainsFunc(s.servers, isIn) && !slices.Contains(list, one.client) {
			list = append(list, one.client)
		}
	}
	if list == nil {
		list = []*toolsearch.Client{toolsearch.ClaudeCode, toolsearch.Codex}
	}
	return list
}

// countUnfound returns the largest number of tools that one of the searches does not find by their descriptions. ok is false if
// there is nothing to search.
func (s *starting) countUnfound(searches []*toolsearch.Client) (unfound int, ok bool) {
	var cats []*catalog.Catalog
	for _, server := range s.servers {
		one := &catalog.Catalog{Tools: server.Tools, Instructions: server.Instructions}
		cats = append(cats, one.Named(server.Name))
	}
	all := catalog.Merge(cats...)
	if all == nil || len(all.Tools) == 0 {
		return 0, false
	}
	for _, client := range searches {
		r := finding.Question{Client: client, Now: finding.Side{Tools: all}}.Measure()
		if len(r.Answers) == 0 {
			return 0, false
		}
		unfound = max(unfound, r.Unfound())
	}
	return unfound, true
}

func (s *starting) renderSearch(out *bytes.Buffer) {
	searches := s.searchClients()
	unfound, ok := s.countUnfound(searches)
	if !ok {
		return
	}
	var servers, names []string
	for _, server := range s.servers {
		if len(server.Tools) > 0 {
			servers = append(servers, server.Name)
		}
	}
	for _, client := range searches {
		names = append(names, client.Name)
	}
	out.WriteString("\nfindability: # clients search for tools first; in a pull request by what the tools said in the base\n")
	fmt.Fprintf(out, "  - name: the tools are found\n    server: %s\n    search: [%s]\n", list(servers), strings.Join(names, ", "))
	if unfound > 0 {
		fmt.Fprintf(out, "    expect:\n      - { findability.lost: { \"<=\": 0 }, when_absent: skip } # without a base\n      - findability.unfound: { \"<=\": %d } # by its own sentences\n", unfound)
	}
}
