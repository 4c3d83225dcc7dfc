package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/toolsearch"
	"github.com/spf13/cobra"
)

type findFlags struct {
	search              []string
	limit               int
	hasSearch, hasLimit bool // whether --search and --limit are given, even with empty values
	json                bool
}

func (p *program) findCommand() *cobra.Command {
	var f findFlags
	cmd := &cobra.Command{
		Use:   "find QUERY [SERVER=]CATALOG...",
		Short: "Show which tools a client's search finds, and by which words",
		Long: `Find searches the tools of catalogs like clients that hide tools from the model until a search returns them. It
shows the list that the model would see, best first, and how much each word of the query adds to a tool's
score. The tools of all catalogs are searched together. Find calls no model.

A catalog is a file, a folder, a glob, REV:FILE (the file in a git revision), or - for standard input. Clients
also search the server's name. If a catalog does not name its server, write SERVER= before the catalog.`,
		Example: `  mcp-gates find "close the ticket" tickets=catalogs/tickets.json
  mcp-gates find "close the ticket" tickets=catalogs/tickets.json github=catalogs/github.json --search codex
  mcp-gates find "close the ticket" tickets=main:catalogs/tickets.json --limit 20 --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.hasSearch, f.hasLimit = cmd.Flags().Changed("search"), cmd.Flags().Changed("limit")
			return p.runFind(cmd.Context(), f, args)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.search, "search", nil, "search as these `clients` do, separated by commas: "+strings.Join(toolsearch.Names(), ", ")+" (default: all)")
	flags.IntVar(&f.limit, "limit", 0, "return at most `N` tools (default: the client's own limit)")
	flags.BoolVar(&f.json, "json", false, "write the lists as JSON")
	return cmd
}

// runFind searches the catalogs as clients do, and writes the ranked tools.
func (p *program) runFind(ctx context.Context, f findFlags, args []string) error {
	clients, err := f.selectedClients()
	if err != nil {
		return err
	}
	switch {
	case f.hasLimit && f.limit < 1:
		return fmt.Errorf("--limit must be 1 or more, found %d", f.limit)
	case len(args) < 2:
		return fmt.Errorf("find takes a query and one catalog or more, found %s", tell.Count(len(args), "argument"))
	case strings.TrimSpace(args[0]) == "":
		return errors.New("the query is empty, expected words to search for")
	}
	cats, errs := p.namedCatalogs(ctx, args[1:])
	if p.printMistakes(errs) {
		return nil
	}
	found := foundLists{query: args[0], servers: toolsearch.ServersOf(cats...)}
	for _, c := range clients {
		ix := c.Index(found.servers)
		found.lists = append(found.lists, foundList{
			client: c, limit: cmp.Or(f.limit, c.Limit), tools: ix.Explain(args[0], f.limit),
			matching: len(ix.Search(args[0], max(1, ix.Len()))), searchable: ix.Len(),
		})
	}
	if f.json {
		return writeError(found.writeJSON(p.stdout))
	}
	return writeError(writeSafe(p.stdout, found.writeText))
}

// selectedClients returns the clients that the flag names, or all.
func (f findFlags) selectedClients() ([]*toolsearch.Client, error) {
	var clients []*toolsearch.Client
	for _, name := range f.search {
		c := toolsearch.Named(name)
		if c == nil {
			return nil, fmt.Errorf("--search: %w", unknownNameError("client", name, "clients", toolsearch.Names()))
		}
		if !slices.Contains(clients, c) {
			clients = append(clients, c)
		}
	}
	switch {
	case !f.hasSearch:
		return toolsearch.Clients, nil
	case clients == nil:
		return nil, fmt.Errorf("--search is empty, expected one of %s, or several with commas between them", strings.Join(toolsearch.Names(), ", "))
	}
	return clients, nil
}

// namedCatalogs reads catalogs that the command line names as [SERVER=]CATALOG, in its order.
func (p *program) namedCatalogs(ctx context.Context, args []string) ([]*catalog.Catalog, source.Errors) {
	var cats []*catalog.Catalog
	var errs source.Errors
	for _, arg := range args {
		server, file := splitServer(arg)
		cat, problems := p.readWholeCatalog(ctx, file)
		errs = append(errs, problems...)
		if len(problems) > 0 {
			continue
		}
		const catalogsFromFiles = 1
		errs = append(errs, emptyCatalogMistakes([]*catalog.Catalog{cat}, catalogsFromFiles)...)
		cats = append(cats, cat.Named(server))
	}
	return cats, errs
}

// splitServer splits SERVER=CATALOG. The equals sign can also belong to the path of the catalog: if arg exists, or if the part
// before the sign looks like a path or a revision, server is "".
func splitServer(arg string) (server, file string) {
	name, rest, ok := strings.Cut(arg, "=")
	if _, err := os.Stat(arg); !ok || err == nil || rest == "" || strings.ContainsAny(name, `/\:`) {
		return "", arg
	}
	return name, rest
}

// foundLists are the tools that were found for a query, in one list for each client.
type foundLists struct {
	query   string
	servers []toolsearch.Server
	lists   []foundList
}

type foundList struct {
	client     *toolsearch.Client
	limit      int
	tools      []toolsearch.Explained
	matching   int // number of tools that match the query, including those beyond the limit
	searchable int // number of tools that a search can find
}

type foundTool struct {
	Search string      `json:"search"`
	Rank   int         `json:"rank"`
	Server string      `json:"server"`
	Tool   string      `json:"tool"`
	Score  json.Number `json:"score"`
	Tied   bool        `json:"tied"`
}

// writeJSON writes one list after another, each in its client's order.
func (f foundLists) writeJSON(w io.Writer) error {
	out := struct {
		Query   string      `json:"query"`
		Results []foundTool `json:"results"`
	}{f.query, []foundTool{}}
	for _, list := range f.lists {
		for _, r := range list.tools {
			score := strconv.FormatFloat(r.Score, 'f', -1, 32) // Codex counts in 32 bits
			out.Results = append(out.Results, foundTool{list.client.Name, r.Rank, r.Server, r.Tool.Name, json.Number(score), r.Tied})
		}
	}
	return writeJSON(w, out)
}

// writeJSON writes a value, with its texts made safe for a terminal.
func writeJSON(w io.Writer, value any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := io.WriteString(w, report.SafeJSON(text.String()))
	return err
}
