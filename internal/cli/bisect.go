package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/history"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/text"
	"github.com/org/mcp-gates/internal/report/trend"
	"github.com/org/mcp-gates/internal/source"
	"github.com/spf13/cobra"
)

type bisectFlags struct {
	id, target, drop string
	surface          int64
	tool             string
	catalogs         []string
	workspace        string
}

func (p *program) bisectCommand() *cobra.Command {
	var f bisectFlags
	cmd := &cobra.Command{
		Use:   "bisect [GOOD..BAD]",
		Short: "Find the commit in which a case stopped passing, or a tool changed",
		Long: `Bisect finds the first commit in which a case stopped passing, and shows the commit's changes, as run
--baseline does. --target finds the commit in which a figure began to miss its bound; --target with --drop
finds the commit in which the figure changed by at least NUMBER. Without a range, bisect searches back from the
checked-out commit to the newest good commit. If the case's verdict changed several times, bisect lists all
these commits.

--surface finds the commit in which the tools exceeded a number of tokens. --tool lists every commit that
changed a tool, with the changes, also under the tool's earlier names.

Bisect reads the objects of the git repository, and checks out and runs nothing. It examines every commit of
the range, following first parents.

Exit status: 0 the commit was found, 1 no commit was found, 2 the arguments are wrong, 3 the history cannot be
read.`,
		Example: `  mcp-gates bisect --case "finds the open ticket"
  mcp-gates bisect --case "finds the open ticket" --target tool_selection.rate --drop 20 v1.2.0..main
  mcp-gates bisect --surface 20000
  mcp-gates bisect --tool tickets.search_tickets`,
		Args: countedArgs(0, 1, "at most one range GOOD..BAD"),
		RunE: func(cmd *cobra.Command, args []string) error {
			b := &bisection{program: p, f: f, context: cmd.Context()}
			commits := ""
			if len(args) > 0 {
				commits = args[0]
			}
			return b.run(commits, cmd.Flags().Changed("surface"))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.id, "case", "", "`ID` of the case, or its name if no other case has it")
	flags.StringVar(&f.target, "target", "", "find the commit in which this `TARGET` of the case, such as tool_selection.rate, began to miss its bound, or changed by --drop")
	flags.StringVar(&f.drop, "drop", "", "with --target: find a change up or down by at least this `NUMBER`, such as 20 for 20 % or 0.1 for a score")
	flags.Int64Var(&f.surface, "surface", 0, "find the commit in which the tools exceeded `N` tokens")
	flags.StringVar(&f.tool, "tool", "", "list every commit that changed this `SERVER.TOOL`")
	flags.StringArrayVar(&f.catalogs, "catalog", nil, "with --surface or --tool: read this `[SERVER=]CATALOG` instead of the suites' catalogs; repeatable")
	flags.StringVar(&f.workspace, "workspace", ".", "`FOLDER` of a git repository that paths are relative to")
	return cmd
}

type bisection struct {
	*program
	f          bisectFlags
	context    context.Context
	repository *baseline.Repository
	objects    *baseline.History
	options    history.Options
	hasRange   bool
	bounded    []string // targets of the case that have a bound in the newest commit
}

// run finds the commit that the flags ask for: one that changed a tool, or in which a condition stopped holding.
func (b *bisection) run(commits string, hasSurface bool) error {
	if err := b.f.check(hasSurface); err != nil {
		return err
	}
	var err error
	if b.repository, err = baseline.Open(baseline.Place{Dir: b.f.workspace}); err != nil {
		return worldError{err}
	}
	if b.objects, err = b.repository.History(b.context); err != nil {
		return worldError{err}
	}
	defer b.objects.Close()
	b.options = history.Options{Suites: len(b.f.catalogs) == 0, Jobs: runtime.NumCPU(), Check: check.Options{Version: thisBuild().Version, Build: thisBuild().Build}}
	for _, arg := range b.f.catalogs {
		server, path := splitServer(arg)
		b.options.Catalogs = append(b.options.Catalogs, history.NamedCatalog{Server: server, Path: path})
	}
	if err := b.setRange(commits); err != nil {
		return err
	}
	switch {
	case b.f.tool != "":
		return b.listToolChanges()
	case hasSurface:
		return b.findLosses(trend.Below(b.f.surface), fmt.Sprintf("the tools have at most %s tokens", report.Thousands(b.f.surface)), b.describeSurface)
	}
	return b.findCase()
}

// check returns an error for flags that do not go together.
func (f *bisectFlags) check(hasSurface bool) error {
	given := 0
	for _, isGiven := range []bool{f.id != "", hasSurface, f.tool != ""} {
		if isGiven {
			given++
		}
	}
	switch {
	case given != 1:
		return errors.New("bisect takes one of --case, --surface and --tool")
	case f.target != "" && f.id == "":
		return errors.New("--target needs --case")
	case f.drop != "" && f.target == "":
		return errors.New("--drop needs --target")
	case len(f.catalogs) > 0 && f.id != "":
		return errors.New("--catalog needs --surface or --tool")
	case hasSurface && f.surface < 0:
		return fmt.Errorf("--surface must be 0 or more, found %d", f.surface)
	}
	return nil
}

// setRange parses GOOD..BAD. Either commit may be left out.
func (b *bisection) setRange(commits string) error {
	good, bad, isRange := strings.Cut(commits, "..")
	if commits != "" && (!isRange || strings.HasPrefix(bad, ".")) {
		return fmt.Errorf("the range must be GOOD..BAD, found %q", commits)
	}
	var err error
	if b.options.Head, err = b.resolveCommit(cmp.Or(bad, "HEAD"), commits); err != nil {
		return err
	}
	if good == "" {
		return nil
	}
	b.hasRange = true
	hash, err := b.resolveCommit(good, commits)
	if err != nil {
		return err
	}
	b.options.HasBase = true
	if b.options.Until, err = ancestors(b.objects, hash); err != nil {
		return worldError{err}
	}
	if b.options.Until[b.options.Head] {
		return fmt.Errorf("the range must be GOOD..BAD with a BAD after GOOD, found %q", commits)
	}
	return nil
}

// resolveCommit returns the hash of a commit of a range. A name that the repository does not have is a mistake in the arguments.
func (b *bisection) resolveCommit(name, commits string) (string, error) {
	hash, err := b.objects.Named(name)
	if err == nil {
		return hash, nil
	}
	err = fmt.Errorf("range %q: %w", commits, err)
	if errors.Is(err, baseline.ErrNoRevision) {
		return "", err
	}
	return "", worldError{err}
}

// findCase finds the commit in which a case stopped passing, or in which its figure moved.
func (b *bisection) findCase() error {
	id, err := b.caseID()
	if err != nil {
		return err
	}
	file, _, _ := strings.Cut(id, "::")
	b.options.Check.Suites = []string{file}
	b.options.Check.Only = map[string]bool{id: true}
	switch {
	case b.f.drop != "":
		return b.findDrops(id)
	case b.f.target != "":
		return b.findLosses(trend.Within(id, b.f.target), fmt.Sprintf("%s of %q is within its bound", b.f.target, id), b.describeCase(id))
	}
	return b.findLosses(trend.Passes(id), fmt.Sprintf("%q passes", id), b.describeCase(id))
}

// caseID returns the id of the case that the flag names, in the newest commit of the range, and sets bounded.
func (b *bisection) caseID() (string, error) {
	files, err := b.objects.FilesOf(b.options.Head)
	if err != nil {
		return "", worldError{err}
	}
	now := check.Run(b.context, files, b.options.Check)
	var ids, named []string
	for i := range now.Cases {
		c := &now.Cases[i]
		ids = append(ids, c.ID)
		switch {
		case c.ID == b.f.id:
			b.bounded = trend.CaseOf(c).Bounded()
			return c.ID, nil
		case c.Name == b.f.id || strings.TrimPrefix(c.ID, c.Suite+"::") == b.f.id:
			b.bounded = trend.CaseOf(c).Bounded()
			named = append(named, c.ID)
		}
	}
	switch len(named) {
	case 0:
		return "", fmt.Errorf("--case: no suite of commit %.10s has the case %q%s", b.options.Head, b.f.id, source.DidYouMean(b.f.id, ids))
	case 1:
		return named[0], nil
	}
	return "", fmt.Errorf("--case: %q is the name of several cases, expected one of their ids: %s", b.f.id, quoted(named))
}

// history evaluates the commits. A commit that cannot be read is an error, because it could be the one that is searched for.
func (b *bisection) history() (*trend.History, error) {
	h, err := history.Read(b.context, b.objects, b.options)
	if err == nil && h.Unreadable != "" {
		err = errors.New(h.Unreadable)
	}
	if err != nil {
		return nil, worldError{err}
	}
	return h, nil
}

// findLosses writes the commits in which a condition stopped holding. condition is its text, and describe returns the text for one
// such commit.
func (b *bisection) findLosses(state func(*trend.Point) trend.State, condition string, describe func(*trend.Loss) string) error {
	if !b.hasRange {
		b.options.Stop = func(p *trend.Point) bool { return state(p) == trend.Holds }
	}
	h, err := b.history()
	if err != nil {
		return err
	}
	losses := h.Losses(state)
	isKnown := slices.ContainsFunc(h.Points, func(p *trend.Point) bool { return state(p) != trend.Unknown })
	switch {
	case !isKnown:
		return fmt.Errorf("none of these commits says whether %s: %s%s", condition, h.Headline(), b.targetHint())
	case len(losses) == 0:
		return b.writeNone(condition + " in all of these commits: " + h.Headline())
	case len(losses) > 1 && losses[0].Before == nil:
		losses = losses[1:] // the condition did not hold when the history began
	}
	neverHeld := losses[0].Before == nil
	if neverHeld && h.IsCut {
		return b.writeNone(fmt.Sprintf("in no commit of this shallow clone %s; `git fetch --unshallow` brings older ones", condition))
	}
	switch {
	case neverHeld:
		err = b.writeNone(fmt.Sprintf("in no commit %s; the first one is", condition))
	case len(losses) > 1:
		err = b.write(fmt.Sprintf("%s, and then no more, %d times:\n", condition, len(losses)))
	}
	if err != nil {
		return err
	}
	for i := range losses {
		loss := &losses[i]
		if err := b.showCommit(loss.After, describe(loss), loss.Between, len(losses) == 1); err != nil {
			return err
		}
	}
	return nil
}

// targetHint returns a text with the targets that --target accepts without --drop; "" without --target.
func (b *bisection) targetHint() string {
	switch {
	case b.f.target == "":
		return ""
	case len(b.bounded) == 0:
		return "; the case has no bound, --drop needs no bound"
	}
	return "; the case has a bound for " + strings.Join(b.bounded, ", ") + ", --drop needs no bound"
}

func (b *bisection) writeNone(why string) error {
	b.status = report.ExitFail
	return b.write(why + "\n")
}

func (b *bisection) write(line string) error {
	return writeError(writeSafe(b.stdout, writing([]byte(line))))
}

// showCommit writes a commit, the event that happened in it and, if hasDiff is set, how it differs from its parent. between are the
// commits that could not be evaluated, in which the event may have happened instead.
func (b *bisection) showCommit(p *trend.Point, event string, between []*trend.Point, hasDiff bool) error {
	if err := b.write(fmt.Sprintf("%s %s %s\n  %s\n  %s\n", p.SHA, p.Day(), report.Safe(p.Author), report.Safe(p.Subject), event)); err != nil {
		return err
	}
	for _, gap := range between {
		if err := b.write(fmt.Sprintf("  or %s %s, %s\n", gap.Short(), gap.Day(), report.Safe(gap.Why()))); err != nil {
			return err
		}
	}
	if !hasDiff {
		return nil
	}
	o := b.options
	o.Check.Only, o.Check.Suites = nil, nil // show everything that the commit changes
	r, err := history.Against(b.context, b.objects, o, p)
	switch {
	case errors.Is(err, history.ErrNoParent):
		return nil
	case err != nil:
		return worldError{fmt.Errorf("compare commit %s with its parent: %w", p.Short(), err)}
	}
	write := text.Report
	if !o.Suites {
		write = text.Comparison // without cases, there is no verdict
	}
	return writeError(write(b.stdout, r, text.Options{Color: b.colors(b.stdout)}))
}

func (b *bisection) describeSurface(l *trend.Loss) string {
	now, _ := l.After.Surface("")
	if l.Before == nil {
		return report.Thousands(now) + " tokens"
	}
	before, _ := l.Before.Surface("")
	return fmt.Sprintf("%s → %s tokens", report.Thousands(before), report.Thousands(now))
}

func (b *bisection) describeCase(id string) func(*trend.Loss) string {
	return func(l *trend.Loss) string {
		now := b.valueOf(l.After, id)
		if l.Before == nil {
			return now.Text()
		}
		return trend.Change(b.valueOf(l.Before, id), now)
	}
}

// valueOf returns the verdict of a case in a commit, or the figure that the flag asks for.
func (b *bisection) valueOf(p *trend.Point, id string) *trend.Value {
	c := p.CaseOf(id)
	if f := c.Figure(b.f.target); f != nil {
		return &trend.Value{Figure: f.Value, Runs: c.Runs}
	}
	return &trend.Value{State: c.Verdict, Runs: c.Runs}
}
