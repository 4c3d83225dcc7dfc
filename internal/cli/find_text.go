package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
	"github.com/org/mcp-gates/internal/toolsearch"
)

// writeText writes the lists side by side if there are several, and then each list with the words that earned points.
func (f foundLists) writeText(w io.Writer) error {
	var b strings.Builder
	if len(f.lists) > 1 {
		f.writeSideBySide(&b)
	}
	for _, list := range f.lists {
		list.writeText(&b)
	}
	for _, note := range f.notes() {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (f foundLists) writeSideBySide(b *strings.Builder) {
	rows := 0
	for _, list := range f.lists {
		rows = max(rows, len(list.tools))
	}
	if rows == 0 {
		return
	}
	table := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, list := range f.lists {
		fmt.Fprintf(table, "\t%s", list.client.Name)
	}
	fmt.Fprintln(table)
	for i := range rows {
		fmt.Fprintf(table, "%d.", i+1)
		for _, list := range f.lists {
			name := ""
			if i < len(list.tools) {
				name = report.Safe(list.tools[i].Tool.Ref().ID())
			}
			fmt.Fprintf(table, "\t%s", name)
		}
		fmt.Fprintln(table)
	}
	table.Flush()
	b.WriteString("\n")
}

// writeText writes the tools that one client returns, with the words that earned their scores.
func (l foundList) writeText(b *strings.Builder) {
	title := l.client.Title
	if l.client.Version != "" {
		title += " " + l.client.Version
	}
	fmt.Fprintf(b, "%s (%s): %d of %d tools fit, at most %d are returned\n", l.client.Name, title, l.matching, l.searchable, l.limit)
	for _, r := range l.tools {
		fmt.Fprintf(b, "  %d. %s", r.Rank, report.Safe(r.Tool.Ref().ID()))
		if r.Score > 0 {
			fmt.Fprintf(b, ", score %s", formatPoints(r.Score))
		} else {
			b.WriteString(", by its name")
		}
		if r.Tied {
			b.WriteString(", tied")
		}
		for i, word := range r.Words {
			separator := ", "
			if i == 0 {
				separator = ": "
			}
			fmt.Fprintf(b, "%s%s %s (%s)", separator, report.Safe(word.Term), formatPoints(word.Points), strings.Join(word.Where, ", "))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

// formatPoints returns a whole number as it is, and any other number with two decimals. A small number has two significant digits.
func formatPoints(n float64) string {
	switch {
	case n == float64(int64(n)):
		return strconv.FormatInt(int64(n), 10)
	case n < 0.01:
		return strconv.FormatFloat(n, 'g', 2, 64)
	}
	return strconv.FormatFloat(n, 'f', 2, 64)
}

// notes returns remarks on what the lists do not show.
func (f foundLists) notes() (notes []string) {
	unnamed := slices.ContainsFunc(f.servers, func(s toolsearch.Server) bool { return s.Name == "" })
	lacksInstructions := slices.ContainsFunc(f.servers, func(s toolsearch.Server) bool { return !s.KnowsInstructions })
	for _, list := range f.lists {
		if slices.ContainsFunc(list.tools, func(r toolsearch.Explained) bool { return r.Tied }) {
			notes = append(notes, fmt.Sprintf("%s orders equal scores by chance, so that another tied tool may be returned", list.client.Title))
		}
		if eager := f.countEager(list.client); eager > 0 {
			notes = append(notes, fmt.Sprintf("%s has %s in front of the model from the start, which a search does not return", list.client.Title, tell.Count(eager, "tool")))
		}
		if list.client == toolsearch.Codex && lacksInstructions {
			notes = append(notes, "Codex searches the instructions of a server, too: a new snapshot keeps them, and a catalog here does not")
		}
	}
	if unnamed {
		notes = append(notes, "clients search the name of the server, which a catalog does not have: write SERVER=CATALOG")
	}
	return notes
}

func (f foundLists) countEager(c *toolsearch.Client) (n int) {
	for _, s := range f.servers {
		for _, t := range s.Tools {
			if c.IsEager(t) {
				n++
			}
		}
	}
	return n
}
