package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"path/filepath"
	"regexp"

	"github.com/org/mcp-gates/internal/bench"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/tokens"
	"github.com/spf13/cobra"
)

type benchFlags struct {
	workspace, minDrop string
	hasMinDrop         bool // --min-drop is given, even if empty
	json, explain      bool
}

func (p *program) benchCommand() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench SPEC|SUITE",
		Short: "Measure how much each description contributes to the choice of a tool",
		Long: `Bench reads a benchmark: a YAML file with a catalog, intents with their right tools, and mutations of
descriptions. It picks a tool for each intent with a lexical selector, and picks again after each mutation. It
shows the accuracy with its 95 % Wilson interval, the wrong picks, and the accuracy lost by each mutation. For
a suite, it runs the tool_bench entries, but only run judges their expect:.

The exit status is 1 if the accuracy is below the spec's min_accuracy, if the interval begins below
min_wilson_lower, or if the largest accuracy drop is below --min-drop.`,
		Example: `  mcp-gates bench benchmarks/tickets.yml
  mcp-gates bench benchmarks/tickets.yml --min-drop 0.05 --json
  mcp-gates bench mcp-gates.yml --explain`,
		Args: exactArgs(1, "one spec"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.hasMinDrop = cmd.Flags().Changed("min-drop")
			return p.runBench(f, args[0])
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.workspace, "workspace", "",
		"`folder` of the spec and its catalog (default: the current folder, or the spec's folder if the spec is elsewhere)")
	flags.StringVar(&f.minDrop, "min-drop", "", "exit with 1 if no mutation lowers the accuracy by at least this `fraction`")
	flags.BoolVar(&f.explain, "explain", false, "for each wrong pick, show the words that matched the first three tools, with places and weights")
	flags.BoolVar(&f.json, "json", false, "write the result as JSON")
	return cmd
}

// toolBenchCommand returns the bench command under the name that mcptest has for it.
func (p *program) toolBenchCommand() *cobra.Command {
	run := p.benchCommand()
	run.Use = "run SPEC|SUITE"
	cmd := &cobra.Command{
		Use:    "tool-bench run SPEC|SUITE",
		Short:  "Run a benchmark, as bench does; for commands written for mcptest",
		Hidden: true,
		Args:   knownCommand,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("tool-bench takes the command run, found none; the same without it is: mcp-gates bench SPEC")
		},
	}
	cmd.AddCommand(run)
	return cmd
}

func (p *program) runBench(f benchFlags, file string) error {
	minDrop, err := f.parseMinDrop()
	if err != nil {
		return err
	}
	files, name, err := workspaceOf(f.workspace, file)
	if err != nil {
		return err
	}
	if isSuite(files, name) {
		return p.benchSuite(f, files, name, minDrop)
	}
	spec, errs := bench.ReadFile(files, name)
	if p.printMistakes(errs) {
		return nil
	}
	if err := checkMutations(spec, minDrop, file); err != nil {
		return err
	}
	if spec.LeftOut != "" {
		fmt.Fprintf(p.stderr, "mcp-gates: %s\n", report.Safe(spec.LeftOut))
	}
	r := bench.Run(spec, tokens.Counter{})
	p.checkBounds("", r, spec, minDrop)
	if f.json {
		return writeError(bench.JSON(p.stdout, r, f.explain))
	}
	return writeError(writeSafe(p.stdout, func(w io.Writer) error { return bench.Text(w, r, f.explain) }))
}

// checkMutations returns an error if --min-drop is set but no mutation could cause a drop.
func checkMutations(spec bench.Spec, minDrop *big.Rat, name string) error {
	if minDrop != nil && !spec.Auto && len(spec.Mutations) == 0 {
		return fmt.Errorf("--min-drop needs mutations, and %q has none; list some, or say mutations: auto", name)
	}
	return nil
}

// writeError marks an error in writing the result as a [worldError], because it does not come from the user's input.
func writeError(err error) error {
	if err != nil {
		return worldError{fmt.Errorf("write the result: %w", err)}
	}
	return nil
}

var plainFraction = regexp.MustCompile(`^(0|1|0?\.\d+|[01]\.\d+)$`)

// parseMinDrop returns the value of --min-drop; nil when it is not given.
func (f *benchFlags) parseMinDrop() (*big.Rat, error) {
	if !f.hasMinDrop {
		return nil, nil
	}
	err := fmt.Errorf("--min-drop must be a number from 0 to 1, found %q", f.minDrop)
	if !plainFraction.MatchString(f.minDrop) {
		return nil, err
	}
	drop, isNumber := new(big.Rat).SetString(f.minDrop)
	if !isNumber || drop.Cmp(big.NewRat(1, 1)) > 0 {
		return nil, err
	}
	return drop, nil
}

// workspaceOf returns the files of the workspace and the path of file in it. named is the workspace's path. If it is "", the
// workspace is the current folder, or the folder of file if file is not below the current folder.
func workspaceOf(named, file string) (fs.FS, string, error) {
	workspace := cmp.Or(named, ".")
	name, err := inWorkspace(workspace, file)
	if err != nil && named == "" {
		workspace, name, err = filepath.Dir(file), filepath.Base(file), nil
	}
	if err != nil {
		return nil, "", err
	}
	files, err := openWorkspace(workspace)
	return files, name, err
}

// checkBounds lists on standard error the figures that are below their bounds. If there are any, it sets the exit status. label is
// the name of the benchmark, which precedes each figure; "" if there is only one benchmark.
func (p *program) checkBounds(label string, r *bench.Result, spec bench.Spec, minDrop *big.Rat) {
	checkBound := func(what string, got, least *big.Rat, key string) {
		if least != nil && got.Cmp(least) < 0 {
			fmt.Fprintf(p.stderr, "mcp-gates: %s%s %s is below %s %s\n", label, what, got.FloatString(4), key, least.FloatString(4))
			p.status = report.ExitFail
		}
	}
	checkBound("accuracy", r.Accuracy(), spec.MinAccuracy, "min_accuracy")
	checkBound("the lower end of the interval", big.NewRat(int64(r.WilsonLow), 10000), spec.MinWilsonLower, "min_wilson_lower")
	if drop, ok := r.MaxDrop(); ok {
		checkBound("largest drop", drop, minDrop, "--min-drop")
	}
}
