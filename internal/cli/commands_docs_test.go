package cli

import (
	"fmt"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandPages is the folder of the pages of commands, which are made from their help.
const commandPages = "docs/commands"

// TestCommandPages holds docs/commands to the help of the commands; -update writes the pages, and removes those of commands that
// do not exist.
func TestCommandPages(t *testing.T) {
	t.Parallel()
	want := pagesOfCommands((&program{getenv: noEnvironment}).rootCommand())
	got := readPages(t)
	if maps.Equal(got, want) {
		return
	}
	if !*update {
		t.Fatalf("%s differs from the help; go test ./internal/cli -run CommandPages -update writes it:\n%s", commandPages, diffOf("help", want, "pages", got))
	}
	for name := range got {
		if err := os.Remove(path.Join(repository, commandPages, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, page := range want {
		if err := os.WriteFile(path.Join(repository, commandPages, name), []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// diffOf returns where files of two folders differ.
func diffOf(one string, files map[string]string, other string, others map[string]string) string {
	all := maps.Clone(files)
	maps.Copy(all, others)
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out.Write(diff.Diff(path.Join(one, name), []byte(files[name]), path.Join(other, name), []byte(others[name])))
	}
	return out.String()
}

// readPages returns the pages that are there, by name.
func readPages(t *testing.T) map[string]string {
	t.Helper()
	if err := os.MkdirAll(path.Join(repository, commandPages), 0o777); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(path.Join(repository, commandPages))
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	for _, entry := range entries {
		pages[entry.Name()] = read(t, path.Join(commandPages, entry.Name()))
	}
	return pages
}

// pagesOfCommands returns a page for each command that help lists, and one that lists them.
func pagesOfCommands(root *cobra.Command) map[string]string {
	pages := map[string]string{}
	run, _, _ := root.Find([]string{"run"})
	var index strings.Builder
	fmt.Fprintf(&index, "# Commands\n\n%s\n\n| command | |\n|---|---|\n", prose(root.Long))
	for _, command := range root.Commands() {
		if !command.IsAvailableCommand() || command.Name() == "help" {
			continue
		}
		file := command.Name() + ".md"
		pages[file] = pageOfCommand(command, run)
		fmt.Fprintf(&index, "| [%s](%s) | %s |\n", command.Name(), file, prose(command.Short))
	}
	index.WriteString("\nThese pages are made from `mcp-gates COMMAND --help`.\n")
	pages["README.md"] = index.String()
	return pages
}

// pageOfCommand returns the help of a command as Markdown. Flags of the command run stand in its page alone.
func pageOfCommand(command, run *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# mcp-gates %s\n\n%s.\n\n%s\n", command.Name(), prose(command.Short), fenced("text", command.UseLine()))
	if command.Long != "" {
		fmt.Fprintf(&b, "%s\n\n", prose(command.Long))
	}
	fmt.Fprintf(&b, "## Examples\n\n%s", fenced("sh", unindented(command.Example)))
	var rows strings.Builder
	var shared []string
	command.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		row := rowOfFlag(f)
		if of := run.Flags().Lookup(f.Name); command != run && of != nil && rowOfFlag(of) == row {
			shared = append(shared, "`--"+f.Name+"`")
			return
		}
		rows.WriteString(row)
	})
	if rows.Len() > 0 || len(shared) > 0 {
		b.WriteString("\n## Flags\n")
	}
	if rows.Len() > 0 {
		fmt.Fprintf(&b, "\n| flag | default | |\n|---|---|---|\n%s", rows.String())
	}
	if len(shared) > 0 {
		fmt.Fprintf(&b, "\nAs for [run](run.md#flags): %s.\n", strings.Join(shared, ", "))
	}
	b.WriteString("\n[All commands](README.md)\n")
	return b.String()
}

// rowOfFlag returns a flag as a row of a table, or nothing for a hidden one.
func rowOfFlag(f *pflag.Flag) string {
	if f.Hidden {
		return ""
	}
	value, usage := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if value != "" {
		name += " " + value
	}
	initial := ""
	if !strings.Contains(" false 0 0s [] ", " "+f.DefValue+" ") && f.DefValue != "" {
		initial = "`" + f.DefValue + "`"
	}
	return fmt.Sprintf("| `%s` | %s | %s |\n", strings.ReplaceAll(name, "|", `\|`), initial, prose(usage))
}

func fenced(language, text string) string {
	return "```" + language + "\n" + strings.Trim(text, "\n") + "\n```\n"
}

// unindented removes the two spaces that examples begin with in help.
func unindented(text string) string {
	return regexp.MustCompile(`(?m)^  `).ReplaceAllString(text, "")
}

// item is an indented line of help: a word, and after two spaces or more its meaning.
var item = regexp.MustCompile(`(?m)^  (\S+)  +(.*)$`)

// prose returns text of help as Markdown that shows it as it is, its indented lines as a list.
func prose(text string) string {
	escaped := regexp.MustCompile("[\\\\`*_<>|\\[\\]]").ReplaceAllString(text, `\$0`)
	return strings.TrimSpace(item.ReplaceAllString(escaped, "- $1: $2"))
}
