package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/live"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/spf13/pflag"
)

// liveFlags are the flags of commands that can run cases.
type liveFlags struct {
	live, record, resume     bool
	turnTimeout, caseTimeout time.Duration
	budget                   int    // US cents for all suites; -1 for no bound
	from                     string // annotate.LiveFromHead or LiveFromBase
}

func (f *liveFlags) register(flags *pflag.FlagSet) {
	flags.BoolVar(&f.live, "live", false, "run the cases with their servers and models")
	flags.BoolVar(&f.record, "record", false, "run the cases live and write the runs to their cassettes")
	flags.BoolVar(&f.resume, "resume", false, "with --record: make only the runs that recordings lack")
	flags.StringVar(&f.from, "live-from", annotate.LiveFromHead, "live: execute the servers and agents of the change (`head`) or of the baseline's commit (base)")
	f.budget = -1
	flags.Func("budget", "live: US `cents` that all runs may cost together; in a shard, all runs of the shard", func(value string) error {
		cents, err := strconv.ParseUint(value, 10, 31)
		if err != nil {
			return errors.New("a budget is a whole number of cents, 0 or more")
		}
		f.budget = int(cents)
		return nil
	})
	flags.DurationVar(&f.turnTimeout, "turn-timeout", live.DefaultTurnTimeout, "live: the longest time for a model's reply")
	flags.DurationVar(&f.caseTimeout, "case-timeout", live.DefaultCaseTimeout, "live: the longest time for all runs of a case")
}

func (f *liveFlags) isLive() bool { return f.live || f.record }

func (f *liveFlags) check() error {
	if f.from != annotate.LiveFromHead && f.from != annotate.LiveFromBase {
		return fmt.Errorf("--live-from must be head or base, found %q", f.from)
	}
	if f.isLive() && (f.turnTimeout <= 0 || f.caseTimeout <= 0) {
		return errors.New("--turn-timeout and --case-timeout must be longer than 0")
	}
	return nil
}

// liveRun is the setup of a live run.
type liveRun struct {
	flags          liveFlags
	getenv         func(string) string
	workspace      string
	hurry          <-chan struct{}
	isBaseOptional bool                   // under live-from: base, the head's commands are run if there is no base
	mask           func(secrets []string) // hides the suites' secrets in the log before anything is started; nil hides nothing
}

// redactorOf returns a redactor of secrets: values read from the environment, and texts that look like secrets.
func redactorOf(runner *live.Runner) *redact.Redactor {
	rules, err := redact.New(redact.Config{Values: runner.Secrets()})
	if err != nil {
		panic(err) // only a pattern can be wrong, and these are constant
	}
	return rules.File()
}

// goLive sets the options with which the check runs the cases live, with the commands of the head or of the base.
func (p *pipeline) goLive(ctx context.Context, base *basis) (*live.Runner, error) {
	run, o := p.live, &p.options
	executed, err := run.executedFiles(base)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(run.workspace)
	if err != nil {
		return nil, err
	}
	options := live.Options{
		Getenv: run.getenv, FS: p.files, Dir: dir, Version: thisBuild().Version, Jobs: o.Jobs,
		TurnTimeout: run.flags.turnTimeout, CaseTimeout: run.flags.caseTimeout, Hurry: run.hurry,
		Progress: p.progress.updateRuns,
	}
	if run.flags.budget >= 0 {
		options.Budget = trace.Known(int64(run.flags.budget))
	}
	if run.flags.record {
		options.Save = func(name string, write func(io.Writer) error) error { return saveInWorkspace(dir, name, write) }
		options.Partials, options.Resume = partials(dir), run.flags.resume
	}
	runner := live.NewRunner(ctx, options)
	o.Live = func(s *suite.Suite, cases []*suite.Case) (check.LiveSuite, source.Errors) {
		if errs := runAs(s, executed, (*suite.Loader).Load); len(errs) > 0 {
			return nil, errs
		}
		ready, errs := runner.Prepare(s, cases)
		if run.mask != nil {
			run.mask(runner.Secrets())
		}
		return ready, errs
	}
	o.Getenv = runner.Getenv
	if o.Jobs < 1 {
		o.Jobs = live.DefaultJobs
	}
	return runner, nil
}

// saveInWorkspace writes a cassette or a catalog below the workspace. It follows no link out of the workspace.
func saveInWorkspace(workspace, name string, write func(io.Writer) error) error {
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return reason(err)
	}
	defer root.Close()
	if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return reason(err)
	}
	return reason(writeInRoot(root, name, write))
}

func listRecordings(r live.Recordings, say func(line string)) {
	for _, group := range []struct {
		outcome string
		paths   []string
	}{
		{"was recorded", r.Written},
		{"says the same already", r.Same},
		{"was not written: the error of its case says why", r.Left},
	} {
		const maxShown = 200
		shown := group.paths[:min(len(group.paths), maxShown)]
		for _, path := range shown {
			line := path + " " + group.outcome
			if slices.Contains(r.Silent, path) {
				line += "; no run called a tool"
			}
			say(line)
		}
		if more := len(group.paths) - len(shown); more > 0 {
			say(fmt.Sprintf("and %d more", more))
		}
	}
	listKept(r, say)
}

// executedFiles returns the files whose suites name the commands of live runs; nil means the files that are checked. If there is
// no base, as at a first push, isBaseOptional allows the commands of the files that are checked.
func (l *liveRun) executedFiles(base *basis) (fs.FS, error) {
	if l.flags.from != annotate.LiveFromBase {
		return nil, nil
	}
	if base.files != nil {
		return base.files, nil
	}
	if l.isBaseOptional && base.broken == nil && base.noneReason != "" {
		return nil, nil
	}
	return nil, worldError{fmt.Errorf("live-from: base needs a base commit whose suites say what is run: %s", cmp.Or(base.noBaseReason(), "the baseline is a saved report"))}
}

// runAs makes a suite run the commands of the suite with the same path in files. If files is nil, it changes nothing. read loads
// the suite, or only its servers.
func runAs(s *suite.Suite, files fs.FS, read func(*suite.Loader, string) (*suite.Suite, source.Errors)) source.Errors {
	if files == nil {
		return nil
	}
	if !source.Stands(files, s.File) {
		return s.RunAs(nil)
	}
	base, errs := read(suite.NewLoader(files), s.File)
	if len(errs) > 0 {
		var one source.Errors
		one.Addf(source.Pos{File: s.File, Line: 1, Col: 1}, "the base's suite cannot be read, and only what it has is run (live-from: base): %s", errs[0])
		return one
	}
	return s.RunAs(base)
}

// refuseMode refuses live runs under a privileged event, because anybody may have made the change, and the job has secrets.
func (a *action) refuseMode() error {
	if a.inputs.Mode == annotate.Replay || !a.event.Privileged() {
		return nil
	}
	return fmt.Errorf("mode %q is refused under %s: its jobs hold secrets, anybody may have made the change, and the commands, "+
		"URLs and headers of a suite could carry them away; use mode \"replay\" here, and run live under pull_request, "+
		"workflow_dispatch or schedule", a.inputs.Mode, a.event.Name)
}

// liveRun returns the setup for running the cases of the head; nil if their recordings are replayed.
func (a *action) liveRun() *liveRun {
	if a.inputs.Mode == annotate.Replay {
		return nil
	}
	return &liveRun{
		flags: liveFlags{
			budget: -1, // no bound besides the budgets of the suites
			from:   a.inputs.LiveFrom,
			record: a.inputs.Mode == annotate.Record, turnTimeout: live.DefaultTurnTimeout, caseTimeout: live.DefaultCaseTimeout,
		},
		getenv: withoutRunner(a.getenv), workspace: a.event.Workspace,
		isBaseOptional: a.inputs.Baseline == annotate.BaselineAuto,
		hurry:          a.hurry, mask: a.publisher.Mask,
	}
}

// withoutRunner hides the variables of the action and of the runner, such as their tokens, because a suite can give any
// variable to a server.
func withoutRunner(getenv func(string) string) func(string) string {
	return func(name string) string {
		upper := strings.ToUpper(name)
		hasPrefix := func(prefix string) bool { return strings.HasPrefix(upper, prefix) }
		isHidden := upper == "GITHUB_TOKEN" || slices.ContainsFunc([]string{"INPUT_", "ACTIONS_", "RUNNER_"}, hasPrefix)
		if isHidden {
			return ""
		}
		return getenv(name)
	}
}
