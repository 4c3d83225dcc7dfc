package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/org/mcp-gates/internal/report"
)

// writeWords writes which tool comes first for each prompt by its words alone, below the text report on standard output.
func (p *program) writeWords(places []place, r *report.Report) error {
	isText := func(at place) bool { return at.path == "" && at.format == "text" }
	if !slices.ContainsFunc(places, isText) {
		return nil
	}
	fmt.Fprintln(p.stdout, "\nBY WORDS ALONE (a lexical check, not a model)")
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	for _, row := range r.Words {
		fmt.Fprintf(table, "  %s\t%s%s\n", report.Safe(row.ID), toolAndRight(row.First, row.Right), before(row))
	}
	if len(r.Words) == 0 {
		fmt.Fprintln(table, "  no case has a prompt, an expected tool or a class, and servers with snapshots")
	}
	if err := table.Flush(); err != nil {
		return worldError{fmt.Errorf("write the table by words: %w", err)}
	}
	return nil
}

func toolAndRight(tool report.Optional, right bool) string {
	name := report.Safe(cmp.Or(string(tool), "no tool"))
	if right {
		return name + " (right)"
	}
	return name + " (not expected)"
}

// before says, in a cell of its own, which tool came first in the base, where that was another; "" where it was the same, or nothing was compared.
func before(row report.WordsRow) string {
	if row.Before == "" || row.Before == row.First && row.WasRight == row.Right {
		return ""
	}
	text := "\tbefore: " + toolAndRight(row.Before, row.WasRight)
	if len(row.Gone) > 0 {
		text += "; gone: " + report.Safe(strings.Join(row.Gone, ", "))
	}
	return text
}
