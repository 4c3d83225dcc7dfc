package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/report/text"
	"github.com/spf13/cobra"
)

func (p *program) compareCommand() *cobra.Command {
	var output outputFlags
	cmd := &cobra.Command{
		Use:   "compare BASE HEAD",
		Short: "Show how one saved JSON report differs from another",
		Long: `Compare shows how the report HEAD differs from the report BASE: both were written by
"mcp-gates run --format json" (- is standard input). The text format holds the differences alone, the
others are the report HEAD with its comparison.

Exit status: 0 nothing is worse than in BASE, 1 something is, 2 a report cannot be read. Worse is a case
whose verdict is, a failing figure that moved away from its bound, a new case that does not pass, and a new
critical finding. Whether the gates of HEAD pass does not matter.`,
		Example: `  mcp-gates compare base.json head.json
  mcp-gates compare base.json head.json --format markdown=comment.md`,
		Args: takes(2, "two reports"),
		RunE: func(_ *cobra.Command, args []string) error { return p.compare(args[0], args[1], output) },
	}
	output.register(cmd.Flags())
	return cmd
}

func (p *program) compare(basePath, headPath string, output outputFlags) error {
	places, err := output.places()
	if err != nil {
		return err
	}
	if basePath == "-" && headPath == "-" {
		return errors.New("standard input can be one of the reports, not both")
	}
	base, err := p.readReport(basePath)
	if err != nil {
		return fmt.Errorf("%q %w", basePath, err)
	}
	head, err := p.readReport(headPath)
	if err != nil {
		return fmt.Errorf("%q %w", headPath, err)
	}
	head.Baseline = compare.Reports(base, head, compare.Options{})
	head.Baseline.Base.File = report.Optional(basePath)
	if head.Baseline.Regressed() {
		p.status = report.ExitFail
	}
	r := renderingOf(head)
	whole := r.write
	r.write = func(w io.Writer, format string, o text.Options) error {
		if format == "text" {
			return text.Comparison(w, head, o)
		}
		return whole(w, format, o)
	}
	return p.write(places, r, output.options())
}
