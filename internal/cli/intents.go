package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/org/mcp-gates/internal/intents"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/spf13/cobra"
)

func (p *program) intentsCommand() *cobra.Command {
	var workspace, format string
	cmd := &cobra.Command{
		Use:   "intents CASSETTE...",
		Short: "Write the prompts of recordings, with the tools that their runs called",
		Long: `Intents writes the prompts of recordings and the tools that their runs called, as a file for the key intents: of
tool_bench. Failed runs and failed calls do not count. Check the tools, because the runs may have called wrong
tools.

The prompt is the user's message in the recorded conversation. Runs without a call, or with no or several user
messages, are left out and counted on standard error. Secrets are redacted. Each prompt is written once, with
the tools of all its runs, in alphabetical order.

Exit status: 0 an intent was written, 2 no intent was found or a recording cannot be read.`,
		Example: `  mcp-gates intents cassettes/*.json > intents.jsonl
  mcp-gates intents cassettes/books.json --format csv > intents.csv`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return p.runIntents(workspace, format, args) },
	}
	cmd.Flags().StringVar(&workspace, "workspace", ".", "`folder` of the recordings")
	cmd.Flags().StringVar(&format, "format", "jsonl", "format of the file: `jsonl or csv`")
	return cmd
}

// runIntents writes the prompts of cassettes with the tools that their runs called.
func (p *program) runIntents(workspace, format string, args []string) error {
	if format != "jsonl" && format != "csv" {
		return fmt.Errorf("--format must be jsonl or csv, found %q", format)
	}
	files, err := openWorkspace(workspace)
	if err != nil {
		return err
	}
	rules, err := redact.New(redact.Config{Values: redact.EnvironmentSecrets(os.Environ())})
	if err != nil {
		return err
	}
	gathered, tools := intents.NewRecorded(rules), trace.Tools{}
	var reader trace.Reader
	var mistakes source.Errors
	for _, arg := range args {
		name, err := inWorkspace(workspace, arg)
		if err != nil {
			return err
		}
		read, errs := reader.Read(files, []string{name}, trace.KeepTurns)
		if mistakes = append(mistakes, errs...); len(errs) == 0 {
			gathered.Add(read.Runs, tools)
		}
	}
	if p.printMistakes(mistakes) {
		return nil
	}
	pairs := gathered.Pairs()
	if len(pairs) == 0 {
		return fmt.Errorf("no run of these recordings gives an intent (%s)", gathered.Said())
	}
	fmt.Fprintf(p.stderr, "mcp-gates: %s\n", gathered.Said())
	if format == "csv" {
		return writeError(writeIntentsCSV(p.stdout, pairs))
	}
	out := json.NewEncoder(p.stdout)
	out.SetEscapeHTML(false)
	for _, pair := range pairs {
		if err := out.Encode(pair); err != nil {
			return writeError(err)
		}
	}
	return nil
}

func writeIntentsCSV(w io.Writer, pairs []intents.Pair) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"query", "gold"}}
	for _, pair := range pairs {
		rows = append(rows, []string{pair.Query, strings.Join(pair.Gold, " | ")})
	}
	return out.WriteAll(rows)
}
