package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/annotation"
	"github.com/org/mcp-gates/internal/report/text"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/tokens"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type lintFlags struct {
	formats   []string
	failLevel string
	explain   string
	diff      bool
	verbose   bool
	noTokens  bool
	secrets   bool
	newFrom   string
	ruleFlags
	server commandFlags
}

func (p *program) lintCommand() *cobra.Command {
	var f lintFlags
	cmd := &cobra.Command{
		Use:   "lint FILE... | lint [FILE...] -- COMMAND...",
		Short: "Judge the descriptions and schemas of the tools in catalogs",
		Long: `Lint applies the description, schema and protocol rules to the tools of catalogs, or of the server that the
command after -- starts. A catalog is a file with the result of tools/list, - for standard input, or REV:FILE
(the file in a git revision). Lint shows the distribution of the scores and the tokens of each tool.

The text format lists the findings by rule, with a fix for all tools, and the ten worst tools. It shows only
the findings of the preset "recommended". Counts, scores and --fail-level include all rules.

With --diff, lint shows how the second catalog differs from the first: added, removed, renamed and changed
tools, new and fixed findings, and changes that break callers. --fail-level then includes only new findings,
and changes that break callers count as critical.`,
		Example: `  mcp-gates lint catalogs/weather.json
  mcp-gates lint catalogs/*.json --fail-level warning --format json=lint.json
  mcp-gates lint catalogs/weather.json --new-from main
  mcp-gates lint --diff HEAD~1:catalogs/weather.json catalogs/weather.json
  mcp-gates lint --diff catalogs/weather.json -- node server.js
  mcp-gates lint --explain DESC-010`,
		RunE: func(cmd *cobra.Command, args []string) error {
			files := f.server.cutCommand(cmd, args)
			f.hasPreset = cmd.Flags().Changed("preset")
			if f.secrets {
				return p.lintSecrets(cmd.Flags(), f.server.hasDash, files)
			}
			if err := onlyWith(cmd.Flags(), f.server.hasDash, "a command after --", "env", "timeout"); err != nil {
				return err
			}
			if f.explain != "" {
				return p.explainRule(cmd.Flags(), f, files)
			}
			return p.runLint(cmd.Context(), f, files)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

func (f *lintFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.formats, "format", nil, "write as `FORMAT[=PATH]`; repeatable; "+
		strings.Join(lintFormats, ", "))
	flags.StringVar(&f.failLevel, "fail-level", string(report.FailCritical),
		"exit with status 1 at findings of this `LEVEL` and above: critical, warning or never")
	flags.StringVar(&f.explain, "explain", "", "explain this `RULE`, such as DESC-010, and check nothing")
	flags.BoolVar(&f.diff, "diff", false, "compare two catalogs, the old one first")
	flags.BoolVar(&f.verbose, "verbose", false, "list everything in the text format")
	flags.BoolVar(&f.secrets, "secrets", false, "look for secrets in files of any kind, and check nothing else")
	flags.BoolVar(&f.noTokens, "no-tokens", false, "do not count tokens")
	flags.StringVar(&f.newFrom, "new-from", "", "show and judge only findings that this revision or catalog lacks: `REV|FILE`")
	f.ruleFlags.register(flags)
	f.server.register(flags)
}

func (p *program) runLint(ctx context.Context, f lintFlags, files []string) error {
	places, err := readPlaces(f.formats, lintFormats)
	if err != nil {
		return err
	}
	level, err := f.parseFailLevel()
	if err != nil {
		return err
	}
	if err := cmp.Or(f.ruleFlags.check(), f.server.check()); err != nil {
		return err
	}
	sources := len(files)
	if f.server.hasDash {
		sources++
	}
	switch {
	case f.diff && sources != 2:
		return fmt.Errorf("lint --diff takes two files, the old catalog and the new one, found %d", sources)
	case f.diff && f.newFrom != "":
		return errors.New("--diff shows what is new, so it cannot be combined with --new-from")
	case sources == 0:
		return fmt.Errorf("lint takes one file or more, found none; - is standard input")
	}
	l := &linter{program: p, lintFlags: f, level: level, tool: thisBuild()}
	return l.run(ctx, files, places)
}

// run reads the catalogs, from files and from a command, and writes their findings or their difference.
func (l *linter) run(ctx context.Context, files []string, places []place) error {
	config, errs := l.ruleFlags.config()
	l.config = config
	catalogs, problems := readEach(files, func(file string) (*catalog.Catalog, source.Errors) { return l.readCatalog(ctx, file) })
	if l.printMistakes(append(errs, problems...)) {
		return nil
	}
	if l.server.hasDash {
		cat, err := l.listCommand(ctx, &l.server)
		if err != nil {
			return err
		}
		catalogs = append(catalogs, cat)
	}
	if l.printMistakes(emptyCatalogMistakes(catalogs, len(files))) {
		return nil
	}
	if l.diff {
		return l.compare(catalogs[0], catalogs[1], places)
	}
	old, errs := l.olderCatalogs(ctx, files, len(catalogs))
	if l.printMistakes(errs) {
		return nil
	}
	return l.lintCatalogs(catalogs, old, places)
}

// emptyCatalogMistakes returns a mistake for each catalog that lists no tools, because a lint without findings would look like a
// pass. files is the number of catalogs that were read from files; they precede the others.
func emptyCatalogMistakes(catalogs []*catalog.Catalog, files int) source.Errors {
	var errs source.Errors
	for i, cat := range catalogs {
		pos := source.Pos{File: cat.File}
		if i < files {
			pos.Line, pos.Col = 1, 1
		}
		if len(cat.Tools) == 0 {
			errs.Addf(pos, "%s", cat.ListsNone())
		}
	}
	return errs
}

func (f *lintFlags) parseFailLevel() (report.FailLevel, error) {
	names := lists.Map(report.FailLevels, func(level report.FailLevel) string { return string(level) })
	if !slices.Contains(names, f.failLevel) {
		return "", unknownNameError("--fail-level", f.failLevel, "levels", names)
	}
	return report.FailLevel(f.failLevel), nil
}

func (p *program) explainRule(flags *pflag.FlagSet, f lintFlags, files []string) error {
	id := f.explain
	switch other := otherFlag(flags, "explain"); {
	case other != "":
		return fmt.Errorf("lint --explain cannot be combined with other flags, found --%s", other)
	case f.server.hasDash:
		return errors.New("lint --explain takes no command")
	case len(files) > 0:
		return fmt.Errorf("lint --explain takes no files, found %q", files)
	}
	if err := checkRule(id); err != nil {
		return err
	}
	page, _ := lint.Explain(strings.ToUpper(id))
	_, err := io.WriteString(p.stdout, page)
	return err
}

type linter struct {
	*program
	lintFlags
	level  report.FailLevel
	tool   report.Tool
	config lint.Config // how the rules are applied
}

// readEach reads a catalog for each file, with all mistakes.
func readEach(files []string, read func(file string) (*catalog.Catalog, source.Errors)) ([]*catalog.Catalog, source.Errors) {
	catalogs := make([]*catalog.Catalog, len(files))
	var errs source.Errors
	for i, file := range files {
		cat, problems := read(file)
		catalogs[i] = cat
		errs = append(errs, problems...)
	}
	return catalogs, errs
}

// lintCatalogs lints each catalog and writes the findings. If old is not nil, it has an older version of each catalog, and findings
// that the older version already has are left out.
func (l *linter) lintCatalogs(catalogs, old []*catalog.Catalog, places []place) error {
	found := make([]report.Catalog, len(catalogs))
	var checker lint.Checker
	for i, cat := range catalogs {
		res := checker.Check(cat, l.config)
		if old != nil {
			res = l.onlyNew(old[i], cat, res)
		}
		found[i] = report.NewCatalog(cat.File, cat.File, cat, res)
		found[i].Tokenize(l.counter())
	}
	out := report.NewLint(l.tool, l.level, found)
	out.Since = l.newFrom
	l.limitToPreset(out)
	return l.finish(out.Verdict, places, findings{
		items: func() []annotation.Item { return annotation.OfLint(out) },
		text:  func(w io.Writer, o text.Options) error { return text.Lint(w, out, o) },
		json:  func(w io.Writer) error { return report.JSON(w, out) },
	}, func(w io.Writer, o text.Options) error { return text.LintFailures(w, out, o) })
}

func (l *linter) finish(verdict judge.Verdict, places []place, f findings, failures func(io.Writer, text.Options) error) error {
	if verdict != judge.Pass {
		l.status = report.ExitFail
	}
	return l.writeResult(places, rendering{
		noun:     "result",
		write:    func(w io.Writer, format string, o text.Options) error { return f.write(w, format, l.tool, o) },
		failures: failures,
	}, text.Options{All: l.verbose, GroupBy: l.groupBy})
}

// counter returns the function that counts the tokens of a tool; nil if tokens are not counted.
func (l *linter) counter() func(*catalog.Tool) int {
	if l.noTokens {
		return nil
	}
	return tokens.Counter{}.Tool
}

// compare writes the difference between two catalogs.
func (l *linter) compare(old, new *catalog.Catalog, places []place) error {
	side := func(cat *catalog.Catalog) change.Side {
		return change.Side{Catalog: cat, Result: lint.Check(cat, l.config)}
	}
	out := report.NewLintDiff(l.tool, l.level, side(old), side(new), l.counter())
	instructionsOf := func(cat *catalog.Catalog) []report.Instructions {
		return report.NewInstructions(cat, cat.File, tokens.Counter{}.Text)
	}
	var shapes *redact.Rules
	out.Said = report.DiffInstructions(instructionsOf(old), instructionsOf(new), new.File, shapes.File().Text)
	l.limitToPreset(out)
	return l.finish(out.Verdict, places, findings{
		items: func() []annotation.Item { return annotation.OfLintDiff(out) },
		text:  func(w io.Writer, o text.Options) error { return text.LintDiff(w, out, o) },
		json:  func(w io.Writer) error { return report.JSON(w, out) },
	}, func(w io.Writer, o text.Options) error { return text.LintDiffFailures(w, out, o) })
}
