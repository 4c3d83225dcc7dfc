package cli

import (
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/imports"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/suggest"
)

// hints returns a line for each thing that the cassettes lack, with the option or key that supplies it.
func (in *importing) hints(out *imported) []string {
	var unsplit, doubtful toolCounts
	first, _ := out.firstCassettes()
	for _, c := range first {
		isNamedByDraft := in.flags.suggest && suggest.NamesServer(c.group) // the draft reports the server that it names
		for _, t := range c.group.Tools {
			if t.Server == "" && !isNamedByDraft {
				unsplit.add(t, t.Calls)
			}
			if t.Unmarked > 0 && !c.findsErrors {
				doubtful.add(t, t.Unmarked)
			}
		}
	}
	var lines []string
	if len(unsplit.names) > 0 {
		lines = append(lines, fmt.Sprintf("no server is known of %s: %s; --server NAME splits names such as NAME_TOOL, --server-map =NAME gives all of them one",
			judge.CountOf(len(unsplit.names), "tool"), unsplit.list()))
	}
	if len(doubtful.names) > 0 {
		subject := fmt.Sprintf("%d results read", doubtful.total)
		if doubtful.total == 1 {
			subject = "1 result reads"
		}
		lines = append(lines, fmt.Sprintf("%s like an error that the log does not mark (%s); in the test, error_pattern: '%s' finds such results",
			subject, doubtful.list(), imports.ErrorPattern))
	}
	return lines
}

// toolCounts counts calls by the names of their tools, in the order in which they are found.
type toolCounts struct {
	names  []string
	counts []int
	total  int
}

func (c *toolCounts) add(t *imports.Use, calls int) {
	c.total += calls
	if at := slices.Index(c.names, t.ID()); at >= 0 {
		c.counts[at] += calls
		return
	}
	c.names, c.counts = append(c.names, t.ID()), append(c.counts, calls)
}

func (c *toolCounts) list() string {
	return listTools(len(c.names), func(i int) (string, int) { return c.names[i], c.counts[i] })
}
