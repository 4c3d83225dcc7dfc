package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/markdown"
	"github.com/org/mcp-gates/internal/report/tell"
	"github.com/org/mcp-gates/internal/report/text"
	"github.com/spf13/cobra"
)

func (p *program) actionCommand() *cobra.Command {
	dryRun := false
	cmd := &cobra.Command{
		Use:   "action",
		Short: "Do what the GitHub Action does, from its inputs in the environment",
		Long: `Action reads its inputs as GitHub passes them to a container action (INPUT_SUITE, INPUT_FAIL-ON, …). It checks
the suites of the workspace (GITHUB_WORKSPACE, otherwise the current directory) and compares the results with
the base. It publishes a check run with annotations, a comment on the pull request, the job summary and the
outputs.

With INPUT_MODE live or record, it starts the suites' servers and calls models; record also writes cassettes.
With --dry-run, it does all this but publishes nothing.`,
		Example: `  mcp-gates action --dry-run
  env INPUT_BASELINE=main 'INPUT_FAIL-ON=regression' mcp-gates action --dry-run`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p.runAction(cmd.Context(), dryRun)
			return nil
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "print everything that the action would publish, and publish nothing")
	return cmd
}

type action struct {
	*program
	commands *annotate.Commands
	inputs   annotate.Inputs
	event    annotate.Event
	client   *annotate.Client     // nil if the action has no token
	pull     annotate.PullRequest // set under a privileged event

	publisher   *annotate.Publisher
	dryRun      bool
	status      int    // the program's exit status, unless a signal ends the action first
	strayReason string // why the workspace does not hold the change; "" if it holds the change, or if this is unknown

	root      *os.Root        // the workspace, in which the report is written
	workspace fs.FS           // the files of the workspace; nil under a privileged event, because the workspace then lacks the change
	head      fs.FS           // the files to check
	tree      *baseline.Tree  // the same files as head, if they are read through the API; otherwise nil
	hurry     <-chan struct{} // closed when servers must end at once
	pipeline  pipeline
	closers   []func() error
}

// runAction runs the action. All its messages are written to the workflow's log, escaped so that no text is taken for a command.
func (p *program) runAction(ctx context.Context, dryRun bool) {
	a := &action{program: p, commands: annotate.NewCommands(p.stdout), dryRun: dryRun}
	ctx, signals := interruptible(ctx, nil)
	defer signals.stop()
	a.hurry = signals.hurry
	if err := a.readInputs(); err != nil {
		a.closeAll()
		a.fail(report.ExitUser, err)
		p.status = a.status
		return
	}
	a.publisher = annotate.NewPublisher(annotate.Setup{
		Inputs: a.inputs, Event: a.event, Client: a.client, Commands: a.commands, Getenv: p.getenv, DryRun: dryRun,
	})
	ended := make(chan struct{})
	finished := false
	go func() {
		defer close(ended)
		finished = a.work(ctx)
	}()
	select {
	case <-ended:
		if finished {
			p.status = a.status
			return
		}
	case <-ctx.Done():
	}
	p.status = report.ExitWorld
	a.cancelJob(ctx, ended)
}

// work finds the files, checks them and publishes the result. It reports whether it finished before ctx ended.
func (a *action) work(ctx context.Context) (finished bool) {
	defer a.closeAll()
	if err := a.findAndCheck(ctx); err != nil && ctx.Err() == nil {
		a.fail(report.ExitWorld, err)
		a.publisher.Break(ctx)
	}
	return ctx.Err() == nil
}

func (a *action) findAndCheck(ctx context.Context) (err error) {
	defer func() {
		if panicValue := recover(); panicValue != nil {
			err = fmt.Errorf("the checker broke, please report it: %v", panicValue)
		}
	}()
	if err := a.findFiles(ctx); err != nil {
		return err
	}
	a.publisher.Event = a.event
	return a.check(ctx)
}

// fail writes each line of an error to the log as a failure. The exit status becomes status unless it is worse already.
func (a *action) fail(status int, err error) {
	text := err.Error()
	if secrets := a.pipeline.secrets; secrets != nil {
		text = secrets.Text(text)
	}
	for line := range strings.SplitSeq(text, "\n") {
		a.commands.Fail("%s", line)
	}
	a.status = max(a.status, status)
}

func (a *action) closeAll() {
	for _, end := range a.closers {
		end()
	}
}

// readInputs reads the inputs and the event, and opens the workspace. All mistakes in them are reported together.
func (a *action) readInputs() error {
	var inputsErr, eventErr error
	a.inputs, inputsErr = annotate.ReadInputs(a.getenv)
	a.event, eventErr = annotate.ReadEvent(a.getenv)
	mistakes := errors.Join(inputsErr, a.unknownFormatsError(), a.refuseSnapshotCheck(), eventErr)
	if err := cmp.Or(mistakes, a.refuseMode()); err != nil {
		return err
	}
	a.event.Workspace = cmp.Or(a.event.Workspace, ".")
	var err error
	if a.root, err = os.OpenRoot(a.event.Workspace); err != nil {
		return fmt.Errorf("the workspace cannot be opened: %w", reason(err))
	}
	a.closers = append(a.closers, a.root.Close)
	if a.inputs.Token == "" || a.event.Owner == "" {
		return nil
	}
	a.client, err = annotate.NewClient(annotate.Config{
		BaseURL: a.event.APIURL, Token: a.inputs.Token, Owner: a.event.Owner, Repo: a.event.Repo, Version: thisBuild().Version,
	})
	return err
}

// findFiles finds the files to check: those of the workspace, or those of the pull request's head if it is not checked out.
func (a *action) findFiles(ctx context.Context) error {
	if !a.event.Privileged() {
		var err error
		a.workspace, err = openWorkspace(a.event.Workspace)
		a.head = a.workspace
		return err
	}
	if a.client == nil {
		return fmt.Errorf("under %s the change is read through the API, which takes a github-token", a.event.Name)
	}
	if err := a.findPull(ctx); err != nil {
		return err
	}
	tree, err := a.client.Files(ctx, a.event.HeadSHA, nil)
	if err != nil {
		return fmt.Errorf("the change could not be read: %w", err)
	}
	a.tree, a.head = tree, tree
	return nil
}

// findPull finds the pull request that a privileged event is about. A workflow_run without an open pull request is checked too, but
// gets no comment.
func (a *action) findPull(ctx context.Context) error {
	var err error
	isFound := true
	switch {
	case a.event.Number != 0:
		a.pull, err = a.client.PullRequest(ctx, a.event.Number)
	case a.event.ForPullRequest:
		a.pull, isFound, err = a.client.FindPullRequest(ctx, a.event)
	default:
		return nil
	}
	if err != nil {
		return err
	}
	if isFound {
		a.event = a.event.WithPullRequest(a.pull)
	}
	return nil
}

func (a *action) setPipeline(ctx context.Context) {
	a.pipeline = pipeline{
		options: check.Options{
			Suites: a.suitePatterns(), Filter: a.inputs.Filter, Tags: a.inputs.Tags, Version: thisBuild().Version, Build: thisBuild().Build, Digests: true, Timelines: true,
			FailOnStale: staleFloors[a.inputs.FailOnStale], SkipForeign: a.inputs.SkipForeign, OnlyAffected: a.inputs.Affected,
		},
		base:  func(ctx context.Context, o check.Options) (basis, error) { return a.base(ctx, o), nil },
		files: a.head,
		baseJudges: func(base *basis) (bool, error) {
			byBase, err := a.baseJudges(base)
			return byBase, cmp.Or(err, ctx.Err())
		},
		live:     a.liveRun(),
		getenv:   withoutRunner(a.getenv),
		progress: &progress{w: a.commands.Log(), last: time.Now()}, // a log has no line to wipe at the end
		say:      func(line string) { a.commands.Say("%s", line) },
		checkUsable: func(base *basis) error {
			return cmp.Or(ctx.Err(), a.unreadError(), a.demands().missingJudgesError(base))
		},
		addToComparison: func(r *report.Report, base *basis) { a.addWorkflowEdits(ctx, r, base) },
	}
	if a.pipeline.live != nil {
		a.pipeline.options.Jobs, a.pipeline.options.Progress = a.inputs.Jobs, a.pipeline.progress.updateCases
	}
}

// unreadError returns the reason why a part of the change could not be read through the API; nil if everything was read.
func (a *action) unreadError() error {
	if a.tree == nil || a.tree.Err() == nil {
		return nil
	}
	return fmt.Errorf("the change could not be read: %w", a.tree.Err())
}

// check evaluates head and base and publishes the result. A nil error means that the result was published.
func (a *action) check(ctx context.Context) error {
	a.setPipeline(ctx)
	if err := cmp.Or(a.setShardOrMerge(ctx), a.setStrayReason(ctx)); err != nil {
		return err
	}
	r, base, err := a.pipeline.run(ctx)
	if err != nil {
		return err
	}
	if base.broken != nil {
		a.commands.Warn("Nothing was compared: %s", base.noBaseReason())
	}
	a.addSparklines(ctx, r)
	a.status = max(a.status, a.applyDemands(r, &base))
	result := a.resultOf(r, &base)
	a.writeReports(r, &result)
	if a.dryRun {
		return a.publisher.Preview(a.stdout, result)
	}
	a.publisher.Publish(ctx, result)
	return nil
}

func (a *action) suitePatterns() []string {
	folder := a.inputs.WorkingDirectory
	if len(a.inputs.Suites) == 0 {
		if folder == "." {
			return nil
		}
		return []string{folder}
	}
	return lists.Map(a.inputs.Suites, func(pattern string) string { return path.Join(folder, pattern) })
}

// baseJudges reports whether the base's suites judge the change. It warns if gates-from asks for them but the change's own suites
// judge.
func (a *action) baseJudges(base *basis) (bool, error) {
	if a.strayReason != "" && a.inputs.GatesFrom == annotate.GatesFromBase {
		return false, fmt.Errorf("gates-from: base needs the change in the workspace: %s", a.strayReason)
	}
	warn := func(reason string) { a.commands.Warn("%s", ownSuitesNotice(reason)) }
	return a.demands().baseJudges(base, a.inputs.Baseline == annotate.BaselineAuto, warn)
}

func (a *action) resultOf(r *report.Report, base *basis) annotate.Result {
	result := annotate.Result{
		Report: r, Annotations: a.annotationsOf(r, base),

		Success: a.status == report.ExitPass,
		Failed:  r.ExitStatus() != report.ExitPass || a.status != report.ExitPass,
		Changed: r.Baseline != nil && r.Baseline.IsChanged(),
		Title:   tell.Headline(r),

		Summary: a.renderMarkdown(r, base, markdown.SummaryLimit),
		Comment: a.renderMarkdown(r, base, markdown.CommentLimit),
	}
	result.CheckSummary = result.Comment
	if c := r.Baseline; c != nil {
		result.Delta = &annotate.Delta{
			NewFindings: len(c.New),
			Regressions: c.Worse(),
		}
		if more, ok := c.Totals[1].Surface.Minus(c.Totals[0].Surface); ok {
			result.Delta.SurfaceTokens = strconv.FormatInt(more, 10)
		}
	}
	return result
}

func (a *action) renderMarkdown(r *report.Report, base *basis, limit int) string {
	var out strings.Builder
	options := markdown.Options{Options: tell.Options{Failed: a.status != report.ExitPass, NoBaseline: base.noBaseReason()}, Limit: limit, SummaryURL: a.event.RunURL(), Link: a.link}
	if err := markdown.Report(&out, r, options); err != nil {
		panic(err) // a strings.Builder never fails
	}
	return out.String()
}

// link returns the address of a line in the commit that was checked; "" if the repository is unknown.
func (a *action) link(name string, line int) string {
	if a.event.Owner == "" || a.event.HeadSHA == "" {
		return ""
	}
	address := fmt.Sprintf("%s/%s/%s/blob/%s/%s", a.event.ServerURL, a.event.Owner, a.event.Repo, a.event.HeadSHA,
		(&url.URL{Path: name}).EscapedPath())
	if line > 0 {
		address += fmt.Sprintf("#L%d", line)
	}
	return address
}

func (a *action) writeReports(r *report.Report, result *annotate.Result) {
	log := a.commands.Log()
	if err := errors.Join(text.Report(log, r, text.Options{}), log.Close()); err != nil {
		a.failToWrite("log", err, result)
		return
	}
	const keepRuns = false
	write := renderingOf(r, keepRuns).write
	jsonReport := annotate.Format{Name: formatJSON, Path: a.inputs.Report}
	for _, f := range append([]annotate.Format{jsonReport}, a.inputs.Formats...) {
		err := a.writeToWorkspace(f.Path, func(w io.Writer) error { return write(w, f.Name, text.Options{}) })
		if err != nil {
			a.failToWrite(f.Path, err, result)
		} else if f.Path == a.inputs.Report {
			result.ReportPath = f.Path
		}
	}
}

func (a *action) failToWrite(to string, err error, result *annotate.Result) {
	a.fail(report.ExitWorld, fmt.Errorf("write the report to %q: %w", to, reason(err)))
	result.Success = false
}

// writeToWorkspace writes a file into the workspace. It refuses a path that a link of the change leads out of the workspace.
func (a *action) writeToWorkspace(name string, write func(io.Writer) error) error {
	if err := a.root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return err
	}
	return writeInRoot(a.root, name, write)
}

// unknownFormatsError joins an error for each unknown format that the input "formats" names; nil if there is none.
func (a *action) unknownFormatsError() error {
	var mistakes []error
	for _, f := range a.inputs.Formats {
		if !slices.Contains(formatNames(), f.Name) {
			mistakes = append(mistakes, fmt.Errorf("input \"formats\": %w", unknownNameError("format", f.Name, "formats", formatNames())))
		}
	}
	return errors.Join(mistakes...)
}
