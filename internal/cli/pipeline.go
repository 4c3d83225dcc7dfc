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

// pipeline is the work that the commands run and action share: read the base, evaluate the suites, compare, and take out
// the secrets. Its fields hold the differences.
type pipeline struct {
	options check.Options

	// base reads what to compare with. It comes first: a live run takes time and money, and one that is interrupted has no
	// time left for it.
	base func(context.Context, check.Options) (basis, error)

	files           fs.FS                            // to check
	baseJudges      func(*basis) (bool, error)       // whether the base's suites give the verdicts
	live            *liveRun                         // nil for a replay
	getenv          func(string) string              // the environment that suites may read
	progress        *progress                        // ends when the suites are evaluated
	say             func(line string)                // writes what became of recordings
	checkUsable     func(*basis) error               // why the report is not to be used
	addToComparison func(r *report.Report, b *basis) // adds to the comparison
	askServers      func(*basis) error               // asks servers for their snapshots; nil for none

	secrets *redact.Redactor // takes out the secrets that a live run has read; nil before one ended, and on a replay
}

// run returns the report of the head, without secrets, and the base that it was compared with. The base is read first, because
// the head's check needs three things of it: its suites, which judge; its snapshots, to find out which tools a recording
// without a list of tools had; and its files, to find the suites that the change touches.
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
		r.Redact(p.secrets.Text, p.secrets.Advice) // with the texts of the comparison
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

// shardNotice prints how much of a check the shard is, and that it is not the whole.
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

// liveFrom returns whose suites decide what is run live, in the words of --live-from; "" for a replay. For a merge, the shards
// know it.
func (p *pipeline) liveFrom() string {
	switch {
	case p.live != nil:
		return p.live.flags.from
	case p.options.Merge.Decides(report.LiveFromBase):
		return annotate.LiveFromBase
	}
	return ""
}
