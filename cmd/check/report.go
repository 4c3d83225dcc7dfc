package main

import (
	"fmt"
	"io"
	"os"

	"github.com/org/mcp-gates/internal/report"
	"github.com/spf13/cobra"
)

func (p *program) reportCommand() *cobra.Command {
	var output outputFlags
	var base string
	cmd := &cobra.Command{
		Use:   "report FILE",
		Short: "Write a saved JSON report in another format",
		Long: `Report reads a report that "mcp-gates run --format json" has written (- is standard input)
and writes it in other formats. It checks nothing: the exit status is 0 when the report could be read and written.
With --compare it is the command "compare BASE FILE", exit status included.`,
		Example: `  mcp-gates report report.json
  mcp-gates report report.json --run 7
  mcp-gates run --format json | mcp-gates report - --format text=report.txt`,
		Args: takes(1, "one file"),
		RunE: func(_ *cobra.Command, args []string) error {
			if base != "" {
				return p.compare(base, args[0], output)
			}
			return p.report(args[0], output)
		},
	}
	cmd.Flags().StringVar(&base, "compare", "", "show how the report differs from this `BASE`, another saved report")
	output.register(cmd.Flags())
	output.registerRun(cmd.Flags())
	return cmd
}

func (p *program) report(path string, output outputFlags) error {
	places, err := output.places()
	if err != nil {
		return err
	}
	r, err := p.readReport(path)
	if err != nil {
		return fmt.Errorf("%q %w", path, err)
	}
	return p.write(places, renderingOf(r), output.options())
}

func (p *program) readReport(path string) (*report.Report, error) {
	var in io.Reader = p.stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("cannot be opened: %w", reason(err))
		}
		defer file.Close()
		in = file
	}
	return report.Read(in)
}
