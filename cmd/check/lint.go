package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/text"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/tokens"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// lintFlags are the flags of the lint command.
type lintFlags struct {
	formats   []string
	failLevel string
	explain   string
	diff      bool
	verbose   bool
	noTokens  bool
	secrets   bool
	server    commandFlags
}

func (p *program) lintCommand() *cobra.Command {
	var f lintFlags
	cmd := &cobra.Command{
		Use:   "lint FILE... | lint [FILE...] -- COMMAND...",
		Short: "Judge how catalogs describe their tools",
		Long: `Lint applies the description, schema and protocol rules to catalogs (the result of tools/list;
- is standard input): findings by tool, the worst tool first, the spread of the scores, and which tools
take how many tokens. Behind -- stands the command of a server whose tools are judged as it advertises them.

With --diff it shows how the second catalog differs from the first: tools added, removed, renamed and
changed, findings that are new and fixed, and what breaks callers. Then --fail-level is about new
findings, and what breaks callers counts as critical.`,
		Example: `  mcp-gates lint catalogs/weather.json
  mcp-gates lint catalogs/*.json --fail-level warning --format json=lint.json
  mcp-gates lint --diff old.json new.json
  mcp-gates lint --diff catalogs/weather.json -- node server.js
  mcp-gates lint --explain DESC-010`,
		RunE: func(cmd *cobra.Command, args []string) error {
			files := f.server.split(cmd, args)
			if f.secrets {
				return p.lintSecrets(cmd.Flags(), f.server.hasDash, files)
			}
			if !f.server.hasDash {
				if err := onlyWith(cmd.Flags(), "a command behind --", "env", "timeout"); err != nil {
					return err
				}
			}
			if f.explain != "" {
				return p.explain(cmd.Flags(), f, files)
			}
			return p.lint(cmd.Context(), f, files)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.formats, "format", nil, "`FORMAT[=PATH]` to write in, to a file or to standard output; repeatable; "+
		strings.Join(lintFormats, " or "))
	flags.StringVar(&f.failLevel, "fail-level", string(report.FailCritical),
		"exit with status 1 at findings of this `LEVEL` and above: critical, warning or never")
	flags.StringVar(&f.explain, "explain", "", "print the page of a `RULE`, such as DESC-010, and check nothing")
	flags.BoolVar(&f.diff, "diff", false, "compare two catalogs, the old one first")
	flags.BoolVar(&f.verbose, "verbose", false, "list everything in the text format, however much there is")
	flags.BoolVar(&f.secrets, "secrets", false, "look for secrets in files of any kind, such as cassettes, and check nothing else")
	flags.BoolVar(&f.noTokens, "no-tokens", false, "do not count tokens")
	f.server.register(flags)
	return cmd
}

var lintFormats = []string{"text", "json"}

func (p *program) lint(ctx context.Context, f lintFlags, files []string) error {
	places, err := readPlaces(f.formats, lintFormats)
	if err != nil {
		return err
	}
	level, err := f.level()
	if err != nil {
		return err
	}
	if err := f.server.check(); err != nil {
		return err
	}
	sources := len(files)
	if f.server.hasDash {
		sources++
	}
	switch {
	case f.diff && sources != 2:
		return fmt.Errorf("lint --diff takes two files, the old catalog and the new one, found %d", sources)
	case sources == 0:
		return fmt.Errorf("lint takes one file or more, found none; - is standard input")
	}
	l := &linter{program: p, lintFlags: f, level: level, tool: report.Tool{Name: "mcp-gates", Version: version}}
	if !f.noTokens {
		l.counter = tokens.Load()
	}
	catalogs, errs := l.read(files)
	if len(errs) > 0 {
		p.refuse(errs)
		return nil
	}
	if f.server.hasDash {
		cat, err := p.listCommand(ctx, &f.server)
		if err != nil {
			return err
		}
		catalogs = append(catalogs, cat)
	}
	if errs := withoutTools(catalogs, len(files)); len(errs) > 0 {
		p.refuse(errs)
		return nil
	}
	if f.diff {
		return l.compare(catalogs[0], catalogs[1], places)
	}
	return l.check(catalogs, places)
}

// withoutTools returns the catalogs that list no tools as mistakes, because a lint without findings would mean that all
// is well. The first ones, as many as files, were read from files.
func withoutTools(catalogs []*catalog.Catalog, files int) source.Errors {
	var errs source.Errors
	for i, cat := range catalogs {
		pos := source.Pos{File: cat.File}
		if i < files {
			pos.Line, pos.Col = 1, 1
		}
		if len(cat.Tools) == 0 {
			errs.Addf(pos, "lists no tools, expected at least one")
		}
	}
	return errs
}

func (f *lintFlags) level() (report.FailLevel, error) {
	var names []string
	for _, level := range report.FailLevels {
		names = append(names, string(level))
	}
	if !slices.Contains(names, f.failLevel) {
		return "", unknown("--fail-level", f.failLevel, "levels", names)
	}
	return report.FailLevel(f.failLevel), nil
}

// explain prints the page of a rule.
func (p *program) explain(flags *pflag.FlagSet, f lintFlags, files []string) error {
	id := f.explain
	switch other := otherThan(flags, "explain"); {
	case other != "":
		return fmt.Errorf("lint --explain goes with no other flag, found --%s", other)
	case f.server.hasDash:
		return errors.New("lint --explain takes no command")
	case len(files) > 0:
		return fmt.Errorf("lint --explain takes no files, found %q", files)
	}
	page, ok := lint.Explain(strings.ToUpper(id))
	if !ok {
		return fmt.Errorf("unknown rule %q%s; the rules are %s", id, source.DidYouMean(strings.ToUpper(id), lint.IDs()),
			strings.Join(lint.IDs(), ", "))
	}
	_, err := io.WriteString(p.stdout, page)
	return err
}

// linter is one call of the lint command.
type linter struct {
	*program
	lintFlags
	level   report.FailLevel
	tool    report.Tool
	counter *tokens.Counter // nil when tokens are not counted
}

// read reads the catalogs, and returns the mistakes in all of them.
func (l *linter) read(files []string) ([]*catalog.Catalog, source.Errors) {
	catalogs := make([]*catalog.Catalog, len(files))
	var errs source.Errors
	for i, file := range files {
		cat, problems := l.readCatalog(file)
		catalogs[i] = cat
		errs = append(errs, problems...)
	}
	return catalogs, errs
}

// check lints the catalogs one by one.
func (l *linter) check(catalogs []*catalog.Catalog, places []place) error {
	found := make([]report.Catalog, len(catalogs))
	var checker lint.Checker
	for i, cat := range catalogs {
		found[i] = report.NewCatalog(cat.File, cat.File, cat, checker.Check(cat, lint.Config{}))
		if l.counter != nil {
			l.countTokens(&found[i], cat)
		}
	}
	out := report.NewLint(l.tool, l.level, found)
	out.Counted = l.counter != nil
	if out.Verdict != "pass" {
		l.status = report.ExitFail
	}
	return l.write(places, rendering{
		noun: "result",
		write: func(w io.Writer, format string, o text.Options) error {
			if format == formatJSON {
				return report.LintJSON(w, out)
			}
			return text.Lint(w, out, o)
		},
		failures: func(w io.Writer, o text.Options) error { return text.LintFailures(w, out, o) },
	}, text.Options{All: l.verbose})
}

func (l *linter) countTokens(c *report.Catalog, cat *catalog.Catalog) {
	for i, t := range cat.Tools {
		c.Tools[i].Tokens = l.counter.Tool(t)
		c.SurfaceTokens += int64(c.Tools[i].Tokens)
	}
}

// compare reports how a catalog differs from an older one.
func (l *linter) compare(old, new *catalog.Catalog, places []place) error {
	var count func(*catalog.Tool) int
	if l.counter != nil {
		count = l.counter.Tool
	}
	side := func(cat *catalog.Catalog) change.Side {
		return change.Side{Catalog: cat, Result: lint.Check(cat, lint.Config{})}
	}
	out := report.NewLintDiff(l.tool, l.level, side(old), side(new), count)
	if out.Verdict != "pass" {
		l.status = report.ExitFail
	}
	return l.write(places, rendering{
		noun: "result",
		write: func(w io.Writer, format string, o text.Options) error {
			if format == formatJSON {
				return report.JSON(w, out)
			}
			return text.LintDiff(w, out, o)
		},
		failures: func(w io.Writer, o text.Options) error { return text.LintDiffFailures(w, out, o) },
	}, text.Options{All: l.verbose})
}
