package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/live"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// runFlags are the flags of the run command.
type runFlags struct {
	workspace, filter string
	configs           []string // suites from --config, which is mcptest's flag
	baseline          string
	demands
	failOnStale    string
	skipForeign    bool
	byWords        bool
	list, stale    bool
	tags, skipTags []string
	jobs           int
	shard, shardBy string
	failed         string
	affected       bool
	judgeRun       int // 0 for all
	live           liveFlags
	output         outputFlags
}

func (p *program) runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [SUITE|GLOB|FOLDER...]",
		Short: "Replay recorded runs, or make new ones, and judge them by the suites' gates",
		Long: `Run judges recorded runs (cassettes) by the suites' gates. With --live, it instead makes new runs: it starts
the suites' servers and lets the cases' models use them. --record also writes the new runs to the cassettes.
--live and --record execute programs that a suite names and send its prompts to a provider: read the suite
first. For them, a case needs a model (builtin:lexical needs no key), a prompt and servers.

Suites are files, globs (** included) or folders in the workspace. Without arguments, run looks for
mcp-gates.yml, mcp-gates.yaml, mcptest.yml, mcptest.yaml, suites/**/*.{yml,yaml}, and mcp-gates.yml or
mcp-gates.yaml in any folder below, but not in hidden folders, node_modules, vendor, testdata, submodules and
links.`,
		Example: `  mcp-gates run
  mcp-gates run 'suites/**/*.yml' --tag quick --format json=report.json
  mcp-gates run --baseline main
  mcp-gates run --filter weather --run 7
  mcp-gates run --live --tag quick
  mcp-gates run --record suites/weather.yml
  mcp-gates run --shard 2/8 --format json=shard-2.json
  mcp-gates run --failed report.json
  mcp-gates run --affected --baseline main
  mcp-gates run --check-snapshots --baseline main
  mcp-gates run --list --stale
  mcp-gates run --record --resume`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.checkFlags(cmd.Flags(), p.getenv); err != nil {
				return err
			}
			if f.list {
				return p.listCases(cmd.Context(), f, args)
			}
			return p.runSuites(cmd.Context(), f, args)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

func (f *runFlags) checkFlags(flags *pflag.FlagSet, getenv func(string) string) error {
	return cmp.Or(
		onlyWith(flags, f.live.isLive(), "--live or --record", "budget", "turn-timeout", "case-timeout"),
		onlyWith(flags, f.live.isLive() || f.checkSnapshots, "--live, --record or --check-snapshots", "live-from"),
		f.checkList(), f.checkJudgeRun(), f.checkSnapshotFlags(getenv), f.checkResume(),
	)
}

func (f *runFlags) register(flags *pflag.FlagSet) {
	f.registerBase(flags)
	flags.StringArrayVar(&f.configs, "config", nil, "a `SUITE` to check, the same as an argument; for compatibility with mcptest")
	flags.StringVar(&f.filter, "filter", "", "check only cases whose id (SUITE::NAME::MODEL) this `regexp` (RE2) matches anywhere")
	flags.StringSliceVar(&f.tags, "tag", nil, "check only cases with any of these `tags`, separated by commas")
	flags.StringSliceVar(&f.skipTags, "skip-tag", nil, "leave out cases with any of these `tags`")
	wordFlag(flags, &f.failOnStale, "fail-on-stale")
	flags.BoolVar(&f.skipForeign, "skip-foreign", false, "skip cases with keys that only mcptest has; otherwise such keys are mistakes")
	flags.BoolVar(&f.list, "list", false, "list the cases and the state of their evidence, as text or with --format json; start and judge nothing")
	flags.BoolVar(&f.stale, "stale", false, "with --list or --record: select only cases whose evidence is affected, broken, unknown, missing, short or refused")
	flags.BoolVar(&f.byWords, "by-words", false, "print the tool that best matches the words of each prompt; this needs no model")
	flags.IntVar(&f.jobs, "jobs", 0, "number of cases to evaluate at once (0: one for each processor); live: number of runs to make at once (0: 4)")
	runFlag(flags, &f.judgeRun, "judge-run", "judge only run `N` of each case; the report cannot be a base, and merge and compare refuse it")
	flags.BoolVar(&f.checkSnapshots, "check-snapshots", false, "start each server that has a command, and fail if it does not advertise its snapshot")
	flags.BoolVar(&f.affected, "affected", false, flagUsage("affected"))
	flags.StringVar(&f.failed, "failed", "", "check only the cases that failed or could not be evaluated in this saved `REPORT` (- is standard input)")
	flags.StringVar(&f.shard, "shard", "", "check only the cases of shard `I/N`, such as 2/8; merge combines the JSON reports")
	flags.StringVar(&f.shardBy, "shard-by", "", "balance the shards by the cases' tokens or runs in this saved `REPORT`; all shards need the same REPORT")
	f.live.register(flags)
	f.output.register(flags)
	f.output.registerRun(flags)
	f.output.registerJSONRuns(flags)
}

// registerBase registers the flags that name the workspace and the base, and those that say when a change is refused.
func (f *runFlags) registerBase(flags *pflag.FlagSet) {
	flags.StringVar(&f.workspace, "workspace", ".", "`folder` of the suites and all that they name")
	flags.StringVar(&f.baseline, "baseline", "", "compare with this git `revision` (for a branch, the commit where HEAD left the branch), or with a saved JSON report; file:PATH is always a report")
	f.demands.register(flags)
}

func (p *program) runSuites(ctx context.Context, f runFlags, suites []string) error {
	places, err := f.output.places()
	if err != nil {
		return err
	}
	options, err := f.options(suites)
	if err != nil {
		return err
	}
	if err := f.live.check(); err != nil {
		return err
	}
	workspace, err := openWorkspace(f.workspace)
	if err != nil {
		return err
	}
	if f.failed != "" {
		if options.Only, err = p.failedCases(f, workspace, options.Suites); options.Only == nil {
			return err
		}
	}
	if f.stale {
		if options.Only = p.staleCases(ctx, workspace, p.withVersionCheck(ctx, &f, workspace, options)); options.Only == nil {
			return nil
		}
	}
	if f.live.resume {
		if options.Only, err = p.casesToResume(workspace, options.Suites); options.Only == nil {
			return err
		}
	}
	return p.checkAndReport(ctx, f, options, workspace, places)
}

// withVersionCheck returns options with which the check asks each agent's program for its version, because a case is recorded again
// if its recording has another version. If the base's programs are run, the head's programs are not asked.
func (p *program) withVersionCheck(ctx context.Context, f *runFlags, workspace fs.FS, o check.Options) check.Options {
	dir, err := filepath.Abs(f.workspace)
	if err != nil || f.live.from == annotate.LiveFromBase {
		return o
	}
	runner := live.NewRunner(ctx, live.Options{Getenv: p.getenv, FS: workspace, Dir: dir, Version: thisBuild().Version})
	o.AgentVersion = runner.AgentVersion
	return o
}

// checkAndReport runs the pipeline with the flags, and writes the report in all formats.
func (p *program) checkAndReport(ctx context.Context, f runFlags, options check.Options, workspace fs.FS, places []place) error {
	progress := p.newProgress()
	onSignal := progress.interrupted
	if !f.live.isLive() {
		onSignal = nil
	}
	ctx, signals := interruptible(ctx, onSignal)
	defer signals.stop()
	isJSON := func(at place) bool { return at.format == formatJSON }
	isNotText := func(at place) bool { return at.format != "text" }
	options.Progress = progress.updateCases
	options.Timelines, options.FewTimelines = slices.ContainsFunc(places, showsRuns), true
	options.Shown, options.AllCalls = f.output.run, f.output.verbose
	options.Settings = slices.ContainsFunc(places, isNotText)
	options.Digests = options.Digests || slices.ContainsFunc(places, isJSON) // a later check can compare with the JSON report
	pipe := pipeline{
		options: options,
		getenv:  p.getenv,
		base:    func(ctx context.Context, o check.Options) (basis, error) { return p.readBase(ctx, f, workspace, o) },
		files:   workspace,
		baseJudges: func(base *basis) (bool, error) {
			const isBaseOptional = false
			return f.baseJudges(base, isBaseOptional, func(reason string) { p.say(ownSuitesNotice(reason)) })
		},
		progress:        progress,
		say:             p.say,
		checkUsable:     f.missingJudgesError,
		addToComparison: func(*report.Report, *basis) {},
	}
	if f.checkSnapshots {
		pipe.askServers = func(b *basis) error { return p.askServers(ctx, &f, &pipe, b, signals.hurry) }
	}
	if f.live.isLive() {
		pipe.live = &liveRun{flags: f.live, getenv: p.getenv, workspace: f.workspace, hurry: signals.hurry}
	}
	r, base, err := pipe.run(ctx)
	if err != nil {
		return err
	}
	executes := pipe.liveFrom()
	if f.checkSnapshots {
		executes = f.live.from
	}
	r.Flags = f.demands.decidingFlags(&pipe.options, executes)
	r.SetInvocation(f.invocation(&pipe.options, pipe.live))
	printsRefusals := !slices.ContainsFunc(places, showsRefusals)
	p.status = p.applyDemands(f, r, &base, printsRefusals)
	if err := p.writeResult(places, renderingOf(r, f.output.jsonRuns), f.output.options()); err != nil || !f.byWords {
		return err
	}
	return p.writeWordsTable(places, r)
}

// isShownText reports whether a place is standard output with the text format.
func isShownText(at place) bool { return at.path == "" && at.format == "text" }

// showsRefusals reports whether a place is standard output with a format that shows why the change is refused.
func showsRefusals(at place) bool {
	return at.path == "" && (at.format == "text" || at.format == formatGitHub)
}

// showsRuns reports whether the report at a place has the calls of the runs of all cases.
func showsRuns(at place) bool { return at.format == formatJSON || at.format == formatHTML }

// say writes a line to standard error, because standard output has only the report.
func (p *program) say(line string) { fmt.Fprintln(p.stderr, report.Safe(line)) }

// readBase reads the base that head is compared with. If there is none, readBase prints the reason and returns no error.
func (p *program) readBase(ctx context.Context, f runFlags, head fs.FS, o check.Options) (basis, error) {
	if f.baseline == "" && f.live.from == annotate.LiveFromBase {
		return basis{}, errors.New("--live-from base takes a --baseline, whose suites say what is run")
	}
	if flag := f.baseFlag(); f.baseline == "" && flag != "" {
		return basis{}, fmt.Errorf("%s takes a --baseline: without one nothing is compared", flag)
	}
	if f.baseline == "" && o.OnlyAffected {
		return basis{}, errors.New("--affected takes a --baseline: without one nobody knows what the change touches")
	}
	if f.baseline == "" {
		return basis{}, nil
	}
	if !o.OnlyAffected {
		head = nil
	}
	b, err := p.readLocalBase(ctx, f.workspace, f.baseline, head, o)
	needsBase := f.baseFlag() != "" || f.live.from == annotate.LiveFromBase
	if o.OnlyAffected && err != nil && !needsBase {
		return basis{broken: err}, nil // all suites are checked; the report has the reason
	}
	if f.baseFlag() != "" && b.broken != nil {
		return b, worldError{err}
	}
	if err == nil && b.noneReason != "" {
		fmt.Fprintf(p.stderr, "no baseline: %s\n", report.Safe(b.noneReason))
	}
	return b, err
}

// staleFloors are the values of fail-on-stale. An empty value means the same as annotate.StaleNone.
var staleFloors = map[string]suite.StalePolicy{
	"": suite.StaleDefault, annotate.StaleNone: suite.StaleDefault,
	annotate.StaleAffected: suite.StaleAffected, annotate.StaleAny: suite.StaleFail,
}

// options returns the options of the check that the flags select.
func (f *runFlags) options(suites []string) (check.Options, error) {
	o := check.Options{Tags: f.tags, SkipTags: f.skipTags, Jobs: f.jobs, Version: thisBuild().Version, Build: thisBuild().Build, Digests: f.baseline != "", ByWords: f.byWords,
		FailOnStale: staleFloors[f.failOnStale], SkipForeign: f.skipForeign, OnlyAffected: f.affected, JudgeRun: f.judgeRun}
	if f.jobs < 0 {
		return o, fmt.Errorf("--jobs must be 0 or more, found %d", f.jobs)
	}
	if f.filter != "" {
		filter, err := regexp.Compile(f.filter)
		if err != nil {
			return o, fmt.Errorf("--filter: %w", err)
		}
		o.Filter = filter
	}
	var err error
	if o.Shard, err = f.parseShard(); err != nil {
		return o, err
	}
	o.Digests = o.Digests || o.Shard != nil
	for _, arg := range slices.Concat(f.configs, suites) {
		name, err := inWorkspace(f.workspace, arg)
		if err != nil {
			return o, err
		}
		o.Suites = append(o.Suites, name)
	}
	return o, nil
}

func inWorkspace(workspace, arg string) (string, error) {
	name := arg
	if filepath.IsAbs(arg) {
		root, err := filepath.Abs(workspace)
		if err != nil {
			return "", err
		}
		if name, err = filepath.Rel(root, arg); err != nil {
			return "", err
		}
	}
	name = path.Clean(filepath.ToSlash(name))
	if name == ".." || strings.HasPrefix(name, "../") {
		return "", fmt.Errorf("%q lies outside the workspace %q; name the folder that holds both with --workspace", arg, workspace)
	}
	return name, nil
}
