package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/cost"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
	"github.com/org/mcp-gates/internal/tokens"
	"github.com/org/mcp-gates/internal/toolsearch"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/spf13/cobra"
)

func (p *program) costCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "cost [SERVER=]CATALOG...",
		Short: "Count the tokens of tools, in full and with clients that search for tools",
		Long: `Cost counts the tokens (cl100k_base) of the tools in catalogs, for each server and for all servers: in full,
and with clients that hide tools from the model until a search returns them. It calls no model.

A catalog is a file, a folder, a glob, REV:FILE (the file in a git revision), or - for standard input. Clients
also write the server's name. If a catalog does not name its server, write SERVER= before the catalog.`,
		Example: `  mcp-gates cost tickets=catalogs/tickets.json
  mcp-gates cost tickets=catalogs/tickets.json github=catalogs/github.json
  mcp-gates cost tickets=main:catalogs/tickets.json --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.runCost(cmd.Context(), asJSON, args)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write the counts as JSON")
	return cmd
}

func (p *program) runCost(ctx context.Context, asJSON bool, args []string) error {
	if len(args) == 0 {
		return errors.New("cost takes one catalog or more, found none")
	}
	cats, errs := p.namedCatalogs(ctx, args)
	if p.printMistakes(errs) {
		return nil
	}
	costs := costsOf(cats)
	if asJSON {
		return writeError(writeJSON(p.stdout, costs.jsonValue()))
	}
	return writeError(writeSafe(p.stdout, costs.writeText))
}

// costs are the token costs of servers, for each server and in total.
type costs struct {
	servers []serverCost
	total   *cost.Cost
	unnamed bool // some tools belong to no named server
}

// serverCost is the cost of the tools that a server has in one catalog.
type serverCost struct {
	server, path string
	*cost.Cost
}

func costsOf(cats []*catalog.Catalog) (sum costs) {
	for _, cat := range cats {
		for _, s := range toolsearch.ServersOf(cat) {
			sum.servers = append(sum.servers, serverCost{s.Name, filepath.ToSlash(cat.File), cost.Of([]toolsearch.Server{s}, tokens.Counter{}.Tool)})
			sum.unnamed = sum.unnamed || s.Name == ""
		}
	}
	if len(sum.servers) == 1 {
		sum.total = sum.servers[0].Cost
	} else {
		sum.total = cost.Of(toolsearch.ServersOf(cats...), tokens.Counter{}.Tool)
	}
	return sum
}

type serverCostJSON struct {
	Server string `json:"server"`
	Path   string `json:"path,omitempty"`
	report.Cost
}

func (c costs) jsonValue() any {
	out := struct {
		Servers []serverCostJSON `json:"servers"`
		Total   report.Cost      `json:"total"`
	}{Total: report.NewCost(c.total)}
	for _, s := range c.servers {
		out.Servers = append(out.Servers, serverCostJSON{s.server, s.path, report.NewCost(s.Cost)})
	}
	return out
}

func (c costs) writeText(w io.Writer) error {
	var b strings.Builder
	for _, s := range c.servers {
		writeCostTable(&b, report.Safe(cmp.Or(s.server, s.path)), s.Cost)
	}
	if len(c.servers) > 1 {
		writeCostTable(&b, "all together", c.total)
	}
	for _, note := range c.notes() {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeCostTable(b *strings.Builder, title string, c *cost.Cost) {
	fmt.Fprintf(b, "%s: %s\n%31s", title, tell.Count(c.Tools, "tool"), "in full")
	for _, one := range c.Clients {
		fmt.Fprintf(b, "%14s", one.Name)
	}
	row := func(label, full string, of func(*cost.Client) string) {
		fmt.Fprintf(b, "\n  %-20s%9s", label, full)
		for i := range c.Clients {
			fmt.Fprintf(b, "%14s", of(&c.Clients[i]))
		}
	}
	full := report.Thousands(c.Full)
	row("tools", full, func(one *cost.Client) string { return report.Thousands(one.Eager) })
	row("names or servers", "", func(one *cost.Client) string { return formatAtLeast(one.Listed, one) })
	row("search tool", "", func(one *cost.Client) string { return report.Thousands(one.SearchTool) })
	row("before any search", full, func(one *cost.Client) string { return formatAtLeast(one.Upfront(), one) })
	row("a search loads", "", func(one *cost.Client) string { return formatCount(one.Loaded) })
	fmt.Fprintf(b, "\n  instructions: %s\n  output schemas: %s, of %s\n\n", formatCount(c.Instructions), report.Thousands(c.OutputSchemas), tell.Count(c.WithOutput, "tool"))
}

func formatAtLeast(n int64, one *cost.Client) string {
	if one.AtLeast {
		return report.Thousands(n) + "+"
	}
	return report.Thousands(n)
}

func formatCount(n trace.Count) string {
	if !n.Known {
		return "unknown"
	}
	return report.Thousands(n.N)
}

func (c costs) notes() []string {
	notes := []string{"tokens of cl100k_base; a tool is its name, description and input schema; a search loads the median over searches for the tools' own sentences"}
	for i := range c.total.Clients {
		if one := &c.total.Clients[i]; one.AtLeast {
			notes = append(notes, fmt.Sprintf("+ is a count without instructions, which %s quotes: a new snapshot keeps them, and a catalog here does not", one.Title))
		}
	}
	if c.unnamed {
		notes = append(notes, "clients write the name of the server, which a catalog does not have: write SERVER=CATALOG")
	}
	return notes
}
