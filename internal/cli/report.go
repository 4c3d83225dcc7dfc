package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/report/text"
	"github.com/spf13/cobra"
)

func (p *program) reportCommand() *cobra.Command {
	var output outputFlags
	var base string
	cmd := &cobra.Command{
		Use:   "report FILE",
		Short: "Write a saved JSON report in another format",
		Long: `Report reads a report that "mcp-gates run --format json" wrote (- is standard input), and writes the report in
other formats. The exit status is 0 if the report could be read and written, whatever its verdict is. With
--compare, report works like "compare BASE FILE", with the same exit status.`,
		Example: `  mcp-gates report report.json
  mcp-gates report report.json --run 7
  mcp-gates run --format json | mcp-gates report - --format text=report.txt`,
		Args: exactArgs(1, "one file"),
		RunE: func(_ *cobra.Command, args []string) error {
			if base != "" {
				return p.runCompare(base, args[0], output)
			}
			return p.runReport(args[0], output)
		},
	}
	cmd.Flags().StringVar(&base, "compare", "", "show how the report differs from this `BASE`, another saved report")
	output.register(cmd.Flags())
	output.registerRun(cmd.Flags())
	return cmd
}

func (p *program) runReport(path string, output outputFlags) error {
	places, err := output.places()
	if err != nil {
		return err
	}
	r, err := p.readReport(path)
	if err != nil {
		return fmt.Errorf("%q %w", path, err)
	}
	return p.writeResult(places, renderingOf(r, true), output.options())
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

// readWhole reads a report. It refuses the report of a shard, because a comparison would show the cases of other shards as new or
// removed.
func (p *program) readWhole(path string) (*report.Report, error) {
	r, err := p.readReport(path)
	if err != nil {
		return nil, fmt.Errorf("%q %w", path, err)
	}
	if why := r.OfOneRun(); why != "" {
		return nil, fmt.Errorf("%q %s", path, why)
	}
	if r.Shard != nil {
		return nil, fmt.Errorf("%q is %s of a check, expected the report that the shards were merged into", path, r.Shard)
	}
	return r, nil
}

func (p *program) compareCommand() *cobra.Command {
	var output outputFlags
	cmd := &cobra.Command{
		Use:   "compare BASE HEAD",
		Short: "Show how one saved JSON report differs from another",
		Long: `Compare shows how the JSON report HEAD differs from BASE (- is standard input). The text format has only the
differences. The other formats have the report HEAD with the comparison.

Exit status: 0 nothing is worse than in BASE, 1 something is worse, 2 a report cannot be read. These are worse:
a case with a worse verdict, a failing figure that moved away from its bound, a new case that does not pass,
and a new critical finding. It does not matter whether the gates of HEAD pass.`,
		Example: `  mcp-gates compare base.json head.json
  mcp-gates compare base.json head.json --format markdown=comment.md`,
		Args: exactArgs(2, "two reports"),
		RunE: func(_ *cobra.Command, args []string) error { return p.runCompare(args[0], args[1], output) },
	}
	output.register(cmd.Flags())
	return cmd
}

// runCompare writes the difference between two saved reports.
func (p *program) runCompare(basePath, headPath string, output outputFlags) error {
	places, err := output.places()
	if err != nil {
		return err
	}
	if basePath == "-" && headPath == "-" {
		return errors.New("standard input can be one of the reports, not both")
	}
	base, err := p.readWhole(basePath)
	if err != nil {
		return err
	}
	head, err := p.readWhole(headPath)
	if err != nil {
		return err
	}
	head.Baseline = compare.Reports(base, head, compare.Options{})
	head.Baseline.Base.Saved(basePath, base.Tool, head.Tool)
	head.Baseline.Partial = report.PartialOf(base, head)
	if head.Baseline.Regressed() {
		p.status = report.ExitFail
	}
	r := renderingOf(head, true)
	writeReport := r.write
	r.write = func(w io.Writer, format string, o text.Options) error {
		if format == "text" {
			return text.Comparison(w, head, o)
		}
		return writeReport(w, format, o)
	}
	return p.writeResult(places, r, output.options())
}
