package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/history"
	"github.com/org/mcp-gates/internal/report/html"
	"github.com/org/mcp-gates/internal/report/markdown"
	"github.com/org/mcp-gates/internal/report/text"
	"github.com/org/mcp-gates/internal/report/trend"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/spf13/cobra"
)

type historyFlags struct {
	last                    int
	since                   string
	firstParent, allParents bool
	hasLast                 bool // --last is given
	casePattern             string
	target                  string
	format                  []string
	repository              string
	workspace               string
	merge                   bool
}

var historyFormats = []string{"text", "jsonl", "csv", "html", "markdown"}

func (p *program) historyCommand() *cobra.Command {
	var f historyFlags
	cmd := &cobra.Command{
		Use:   "history [SUITE|CATALOG...]",
		Short: "Show how verdicts and figures changed from commit to commit",
		Long: `History judges the commits that change a file of a suite or a catalog. It shows which figures changed, by how
much and in which commits. It reads the objects of the git repository, and checks out and runs nothing.

Without arguments, it judges the suites in the usual places. A catalog is a file, a folder or a glob of tools.
To name its server, write SERVER= before the catalog.

With --merge, the arguments are histories of several repositories, as --format jsonl writes them. History then
compares the repositories' figures, their changes over 30 and 90 days, and the cases that do not pass.`,
		Example: `  mcp-gates history
  mcp-gates history --since v1.2.0 --format markdown=history.md
  mcp-gates history tickets=catalogs/tickets.json --last 200
  mcp-gates history --case "finds the open ticket" --target tool_selection.rate --format csv
  mcp-gates history --merge desk.jsonl shop.jsonl --format html=fleet.html`,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.hasLast = cmd.Flags().Changed("last")
			if f.merge {
				return p.runFleet(f, args)
			}
			return p.runHistory(cmd.Context(), f, args)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&f.last, "last", 50, "show the last `N` commits that change evaluated files; with 0 or --since, all of them")
	flags.StringVar(&f.since, "since", "", "show commits that are not in this revision, or since this day, such as 2026-01-31: `REV|DATE`")
	flags.BoolVar(&f.firstParent, "first-parent", true, "follow only the first parents of commits")
	flags.BoolVar(&f.allParents, "all-parents", false, "show also commits of merged branches")
	cmd.MarkFlagsMutuallyExclusive("first-parent", "all-parents")
	flags.StringVar(&f.casePattern, "case", "", "show only cases whose id matches this regexp `RE`, like --filter of run")
	flags.StringVar(&f.target, "target", "", "show only this `TARGET`, such as tool_selection.rate or surface_tokens")
	flags.StringArrayVar(&f.format, "format", nil, "write as `FORMAT[=PATH]`; repeatable; "+strings.Join(historyFormats, ", "))
	flags.StringVar(&f.repository, "repository", "", "`NAME` of the repository in the output (default: the name of its folder)")
	flags.StringVar(&f.workspace, "workspace", ".", "`FOLDER` of a git repository that paths are relative to")
	flags.BoolVar(&f.merge, "merge", false, "compare several repositories by the JSON Lines in these files")
	for _, other := range []string{"last", "since", "first-parent", "all-parents", "case", "target", "repository", "workspace"} {
		cmd.MarkFlagsMutuallyExclusive("merge", other)
	}
	return cmd
}

// runHistory evaluates the history, and writes it.
func (p *program) runHistory(ctx context.Context, f historyFlags, args []string) error {
	places, err := readPlaces(f.format, historyFormats)
	if err != nil {
		return err
	}
	repository, err := baseline.Open(baseline.Place{Dir: f.workspace})
	if err != nil {
		return worldError{err}
	}
	objects, err := repository.History(ctx)
	if err != nil {
		return worldError{err}
	}
	defer objects.Close()
	o, err := f.options(ctx, repository, objects, args)
	if err != nil {
		return err
	}
	h, err := history.Read(ctx, objects, o)
	if err != nil {
		return worldError{err}
	}
	lacksNotice := func(at place) bool { return at.format == "jsonl" || at.format == "csv" } // the other formats contain the notice
	if h.Unreadable != "" && slices.ContainsFunc(places, lacksNotice) {
		p.say("the commits before cannot be read: " + h.Unreadable)
	}
	if err := f.selectShown(h); err != nil {
		return err
	}
	h.Repository = cmp.Or(f.repository, repository.Name())
	isHTML := func(at place) bool { return at.format == "html" }
	if slices.ContainsFunc(places, isHTML) {
		if err := history.Compare(ctx, objects, o, h); err != nil {
			return worldError{err}
		}
	}
	return p.writeHistory(places, "history", map[string]func(io.Writer) error{
		"text":     func(w io.Writer) error { return text.Trend(w, h) },
		"jsonl":    h.JSONLines,
		"csv":      h.CSV,
		"html":     func(w io.Writer) error { return html.Trend(w, h) },
		"markdown": func(w io.Writer) error { return markdown.Trend(w, h) },
	})
}

// writeHistory writes a history or a fleet to all places, with a function for each format. Neither has a verdict.
func (p *program) writeHistory(places []place, noun string, write map[string]func(io.Writer) error) error {
	return p.writeResult(places, rendering{
		noun:     noun,
		write:    func(w io.Writer, format string, _ text.Options) error { return write[format](w) },
		failures: func(io.Writer, text.Options) error { return nil },
	}, text.Options{})
}

// selectShown keeps only the cases of --case and the figures of --target in the history. A value that no commit has is a mistake.
func (f *historyFlags) selectShown(h *trend.History) error {
	if f.casePattern != "" {
		found := false
		for _, p := range h.Points {
			found = found || len(p.Cases) > 0
			p.Catalogs = nil
		}
		if !found {
			return fmt.Errorf("--case %q matches no case in these commits (%s)", f.casePattern, h.Headline())
		}
	}
	if f.target == "" {
		return nil
	}
	if others := h.Only(f.target); others != nil {
		return fmt.Errorf("--target: %w", unknownNameError("target", f.target, "targets of these commits", others))
	}
	return nil
}

// options returns what the flags and arguments ask for.
func (f *historyFlags) options(ctx context.Context, repository *baseline.Repository, objects *baseline.History, args []string) (history.Options, error) {
	o := history.Options{Last: f.last, All: f.allParents || !f.firstParent, Jobs: runtime.NumCPU(), Check: check.Options{Version: thisBuild().Version, Build: thisBuild().Build}}
	if f.since != "" && !f.hasLast {
		o.Last = 0
	}
	if f.last < 0 {
		return o, fmt.Errorf("--last must be 0 or more, found %d", f.last)
	}
	if f.casePattern != "" {
		re, err := regexp.Compile(f.casePattern)
		if err != nil {
			return o, fmt.Errorf("--case must be a regular expression: %w", err)
		}
		o.Check.Filter = re
	}
	head, err := repository.Head(ctx)
	if err != nil {
		return o, worldError{err}
	}
	o.Head = head.SHA
	if err := f.parseSince(objects, &o); err != nil {
		return o, err
	}
	return o, f.sortArguments(objects, args, &o)
}

// parseSince parses --since: a day, or a revision whose ancestors the history leaves out.
func (f *historyFlags) parseSince(objects *baseline.History, o *history.Options) error {
	if f.since == "" {
		return nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if day, err := time.Parse(layout, f.since); err == nil {
			o.Since = day.Unix()
			return nil
		}
	}
	hash, err := objects.Named(f.since)
	if err != nil {
		return fmt.Errorf("--since must be a day such as 2026-01-31 or a revision: %w", err)
	}
	if o.Until, err = ancestors(objects, hash); err != nil {
		return worldError{err}
	}
	return nil
}

// sortArguments divides the arguments into suites and catalogs.
func (f *historyFlags) sortArguments(objects *baseline.History, args []string, o *history.Options) error {
	o.Suites = len(args) == 0
	files, err := objects.FilesOf(o.Head)
	if err != nil {
		return worldError{err}
	}
	for _, arg := range args {
		server, path := splitServer(arg)
		if server == "" && !hasCatalogEnding(path) {
			if _, err := suite.Find(files, []string{path}); err == nil {
				o.Suites = true
				o.Check.Suites = append(o.Check.Suites, path)
				continue
			}
		}
		isGlob := strings.ContainsAny(path, `*?[{`)
		if _, err := fs.Stat(files, path); errors.Is(err, fs.ErrNotExist) && !isGlob {
			return fmt.Errorf("%q is neither a suite nor a catalog in the commit that is checked out", arg)
		}
		o.Catalogs = append(o.Catalogs, history.NamedCatalog{Server: server, Path: path})
	}
	return nil
}

// hasCatalogEnding reports whether a file has the ending of catalogs, which suites do not have.
func hasCatalogEnding(path string) bool {
	return strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".snap")
}
