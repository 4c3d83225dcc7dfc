package cli

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/live"
	"github.com/org/mcp-gates/internal/report"
)

// invocation returns the arguments of the check, for the report. run is nil for a replay.
func invocation(o *check.Options, run *liveRun) report.Invocation {
	i := report.Invocation{Suites: o.Suites, Tags: o.Tags, SkipTags: o.SkipTags, Affected: o.OnlyAffected, Limits: o.Merge.Limits()}
	if o.Filter != nil {
		i.Filter = o.Filter.String()
	}
	if o.Shard != nil {
		i.Shard = fmt.Sprintf("%d/%d", o.Shard.Index, o.Shard.Of)
	}
	if run == nil {
		return i
	}
	if run.flags.budget >= 0 {
		i.Budget = &run.flags.budget
	}
	i.TurnTimeout = unlessDefault(run.flags.turnTimeout, live.DefaultTurnTimeout)
	i.CaseTimeout = unlessDefault(run.flags.caseTimeout, live.DefaultCaseTimeout)
	return i
}

func unlessDefault(d, defaultValue time.Duration) string {
	if d == defaultValue {
		return ""
	}
	return d.String()
}

func (f *runFlags) invocation(o *check.Options, run *liveRun) report.Invocation {
	i := invocation(o, run)
	i.ShardBy = f.shardBy
	if name := filepath.Clean(f.workspace); !filepath.IsAbs(name) && name != "." {
		i.Workspace = filepath.ToSlash(name)
	}
	return i
}
