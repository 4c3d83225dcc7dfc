package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/org/mcp-gates/internal/imports"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// Bounds on the names and lists that are shown.
const (
	maxCell    = 50 // characters of the text in a cell
	shownTools = 4  // names in a list of tools
	shownFirst = 10 // lines of a list without --verbose
)

// printSummary writes which runs were imported, left out and not read.
func (in *importing) printSummary(out *imported) error {
	return writeSafe(in.stdout, func(w io.Writer) error {
		if err := writeTable(w, out.cassettes); err != nil {
			return err
		}
		fmt.Fprintf(w, "\n%s\n", out.summary())
		if in.flags.dry {
			fmt.Fprintln(w, "nothing was written: --dry-run")
		}
		for _, line := range slices.Concat(out.withoutServerCalls(), out.account.RepliesAloneNotes(), out.leftOut(), out.severalPrompts(), in.hints(out)) {
			fmt.Fprintln(w, report.Safe(line))
		}
		in.writeLines(w, noCase, out.unfit)
		places := lists.Map(out.unread, (*source.Error).Error)
		if out.account.Unread > 0 {
			in.writeLines(w, couldNotBeRead(out.account.Unread), places)
			if more := out.account.Unread - len(places); more > 0 && in.flags.verbose {
				fmt.Fprintf(w, "  and %d more\n", more)
			}
		}
		for _, name := range in.leftOvers(out) {
			fmt.Fprintf(w, "%s is of an earlier import of more runs; remove it\n", report.Safe(name))
		}
		return nil
	})
}

// noCase is the heading of the groups that fit no case.
const noCase = "groups of runs fit no case"

func couldNotBeRead(n int) string { return judge.CountOf(n, "record") + " could not be read" }

// writeLines writes a title and the lines of a list, only the first ones unless --verbose is set. Line feeds, such as those in a
// file's name, are escaped.
func (in *importing) writeLines(w io.Writer, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintln(w, title+":")
	shown := lines
	if !in.flags.verbose {
		shown = lines[:min(shownFirst, len(lines))]
	}
	for _, line := range shown {
		fmt.Fprintln(w, "  "+report.Safe(line))
	}
	if more := len(lines) - len(shown); more > 0 {
		fmt.Fprintf(w, "  and %d more; --verbose lists them\n", more)
	}
}

// writeTable writes a line for each cassette. Runs and calls are counted per file; the tools of a group are in the line of its
// first file.
func writeTable(w io.Writer, cassettes []*cassette) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "cassette\tstate\tprompt\tmodel\truns\tcalls\ttools")
	var group *imports.Group
	for _, c := range cassettes {
		cells := append(rowOf(c), toolsOf(c.group))
		if c.group == group {
			cells[len(cells)-1] = "as above"
		}
		group = c.group
		for i := range cells {
			cells[i] = report.Safe(cells[i])
		}
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	return table.Flush()
}

// rowOf returns the cells of a cassette's row, except the cell with the tools of its group.
func rowOf(c *cassette) []string {
	g, runs, calls := c.group, fmt.Sprint(c.part.Runs), fmt.Sprint(c.part.Calls)
	if c.part.Runs < g.Runs {
		runs += fmt.Sprintf(" of %d", g.Runs)
		calls += fmt.Sprintf(" of %d", g.Calls)
	}
	if c.part.Broken > 0 {
		runs += fmt.Sprintf(", %d broken", c.part.Broken)
	}
	return []string{
		c.shown, string(c.state), source.Shorten(cmp.Or(g.Prompt.Head, "-"), maxCell), source.Shorten(cmp.Or(g.Model, "-"), maxCell),
		runs, calls,
	}
}

// toolsOf lists the tools that a group's runs called, most calls first.
func toolsOf(g *imports.Group) string {
	tools := slices.Clone(g.Tools)
	slices.SortStableFunc(tools, func(a, b *imports.Use) int { return cmp.Compare(b.Calls, a.Calls) })
	return cmp.Or(listTools(len(tools), func(i int) (string, int) { return tools[i].ID(), tools[i].Calls }), "-")
}

// listTools lists the first of n tools, each with a number, and counts the others.
func listTools(n int, tool func(i int) (name string, count int)) string {
	var shown []string
	for i := range min(shownTools, n) {
		name, count := tool(i)
		shown = append(shown, fmt.Sprintf("%s %d", source.Shorten(name, maxCell), count))
	}
	text := strings.Join(shown, ", ")
	if more := n - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func (out *imported) summary() string {
	a := out.account
	text := fmt.Sprintf("%s of %s (%s): %s, %s", judge.CountOf(a.Sessions, "session"), judge.CountOf(a.Files, "file"),
		strings.Join(a.Formats, ", "), judge.CountOf(a.Runs, "run"), judge.CountOf(a.Calls, "call"))
	if a.Builtin > 0 {
		text += fmt.Sprintf(", %d of them of the agent's own tools", a.Builtin)
	}
	return text
}

// withoutServerCalls returns a line for each cassette whose runs called no tool of a server, or one line if no run called any tool.
func (out *imported) withoutServerCalls() (lines []string) {
	if out.account.Runs > 0 && out.account.Calls == 0 {
		return []string{"no run called a tool"}
	}
	for _, c := range out.cassettes {
		isServers := func(t *imports.Use) bool { return t.Server != trace.BuiltinServer }
		if !slices.ContainsFunc(c.group.Tools, isServers) && !c.group.More {
			lines = append(lines, c.shown+": no run called a tool of a server")
		}
	}
	return firstOf(lines, shownFirst)
}

// firstOf returns the first entries of a list, at most so many, and a last one with the number of the others.
func firstOf(list []string, most int) []string {
	if more := len(list) - most; more > 0 {
		list = append(list[:most:most], fmt.Sprintf("and %d more", more))
	}
	return list
}

// leftOut lists the kinds of records that were read but are not in the cassettes, with their counts.
func (out *imported) leftOut() (lines []string) {
	lines = out.account.LeftOutNotes()
	counts := map[string]int{}
	var reasons []string
	for _, g := range out.groups {
		for _, reason := range g.Differs {
			if counts[reason]++; counts[reason] == 1 {
				reasons = append(reasons, reason)
			}
		}
	}
	slices.Sort(reasons)
	for _, reason := range reasons {
		lines = append(lines, fmt.Sprintf("left out of %s: %s", judge.CountOf(counts[reason], "cassette"), reason))
	}
	return lines
}

// severalPrompts returns a line with the number of sessions in which the user wrote several prompts.
func (out *imported) severalPrompts() []string {
	n := out.account.SeveralPrompts
	switch n {
	case 0:
		return nil
	case 1:
		return []string{"1 session holds several messages of the user and is one run; --split turn makes a run of each message"}
	}
	return []string{fmt.Sprintf("%d sessions hold several messages of the user and are one run each; --split turn makes a run of each message", n)}
}
