package cli

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/live"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/report"
)

// pipeline is the work that the commands run and action share: read the base, evaluate the suites, compare, and take out the
// secrets. Its fields hold what differs between the two commands.
type pipeline struct {
	options check.Options

	// base reads the base of the comparison. It is called before the cases are run, because a live run that is interrupted
	// leaves no time for it.
	base func(context.Context, check.Options) (basis, error)

	files           fs.FS                            // to check
	baseJudges      func(*basis) (bool, error)       // reports whether the base's suites give the verdicts
	live            *liveRun                         // nil for a replay
	getenv          func(string) string              // the environment that suites may read
	progress        *progress                        // shown until the suites are evaluated
	say             func(line string)                // prints a line for the user
	checkUsable     func(*basis) error               // returns the reason why the report must not be used; nil if it may
	addToComparison func(r *report.Report, b *basis) // completes the comparison with the base
	askServers      func(*basis) error               // compares servers with their snapshots; nil if no server is to be asked

	secrets *redact.Redactor // redacts the secrets that a live run has read; nil before the run has ended, and on a replay
}

// run returns the report of the head, without secrets, and the base that it was compared with. The base is read first, because
// checking the head needs the base's suites, which judge; its snapshots, which show the tools of a recording that lists none; and
// its files, which show the suites that the change touches.
func (p *pipeline) run(ctx context.Context) (*report.Report, basis, error) {
	base, err := p.base(ctx, p.options)
	if err != nil {
		return nil, base, err
	}
	if base.close != nil {
		defer base.close()
	}
	p.options.Affected = base.affected
	if p.options.ByBase, err = p.baseJudges(&base); err != nil {
		return nil, base, err
	}
	p.options.OnlyBaseRuns = p.options.ByBase && p.liveFrom() == annotate.LiveFromBase
	p.options.BaseSuites, p.options.Base, p.options.NoBase = base.suites, base.suitesFrom(), base.noSuitesReason()
	r, err := p.evaluate(ctx, &base)
	if err != nil {
		return nil, base, err
	}
	if err := p.checkUsable(&base); err != nil {
		return nil, base, err
	}
	if p.askServers != nil {
		if err := p.askServers(&base); err != nil {
			return nil, base, err
		}
	}
	switch {
	case r.Shard != nil:
		p.say(shardNotice(r))
	case r.Incomplete:
		base.noneReason, base.report = "the reports of the shards are not those of one check", nil
	default:
		base.compare(r, p.files, &p.options, p.redact())
		p.addToComparison(r, &base)
	}
	if lacks := base.missingFilesReason(); lacks != "" && r.Shard == nil {
		r.Warn(lacks)
	}
	if why := base.allSuitesReason(); why != "" && p.options.OnlyAffected {
		r.Warn(allSuites + why)
	}
	if p.secrets != nil {
		r.Redact(p.secrets.Text, p.secrets.Advice) // including the comparison
	}
	return r, base, nil
}

// allSuites begins the reason why --affected leaves no suite out.
const allSuites = "all suites are checked, because it is not known which ones the change touches: "

// evaluate checks files: it replays their recordings, or runs their cases live.
func (p *pipeline) evaluate(ctx context.Context, base *basis) (*report.Report, error) {
	if p.live == nil {
		defer p.progress.end()
		if p.options.Merge.Mode() == report.Live { // the suites read the environment as the shards did
			runner := live.NewRunner(ctx, live.Options{Getenv: p.getenv, FS: p.files, Version: thisBuild().Version})
			p.options.Getenv = runner.Getenv
			defer func() { p.secrets = redactorOf(runner) }()
		}
		return check.Run(ctx, p.files, p.options), nil
	}
	runner, err := p.goLive(ctx, base)
	if err != nil {
		return nil, err
	}
	defer func() { p.secrets = redactorOf(runner) }()
	r := check.Run(ctx, p.files, p.options)
	p.progress.end()
	for _, note := range runner.Notes() {
		p.say(note)
	}
	if p.live.flags.record {
		listRecordings(runner.Recordings(), p.say)
	}
	return r, nil
}

// shardNotice returns a text on the number of cases in the shard, and on what the shard does not do.
func shardNotice(r *report.Report) string {
	return fmt.Sprintf("%s: %d of %d cases; nothing is compared or published before the reports of all shards are merged",
		r.Shard, r.Counts.Cases, r.Shard.Planned)
}

// redact returns the function that removes secrets from texts; nil if there are none.
func (p *pipeline) redact() func(string) string {
	if p.secrets == nil {
		return nil
	}
	return p.secrets.Text
}

// liveFrom returns the value of --live-from, which decides whose commands are run live; "" for a replay. For a merge, it is the
// value with which the shards were made.
func (p *pipeline) liveFrom() string {
	switch {
	case p.live != nil:
		return p.live.flags.from
	case p.options.Merge.Decides(report.LiveFromBase):
		return annotate.LiveFromBase
	}
	return ""
}
