package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"

	"github.com/org/mcp-gates/internal/annotate"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/shard"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/spf13/cobra"
)

// parseShard returns the shard that the flags ask for; nil for none.
func (f *runFlags) parseShard() (*shard.Division, error) {
	if f.shard == "" && f.shardBy != "" {
		return nil, errors.New("--shard-by needs --shard")
	}
	if f.shard == "" {
		return nil, nil
	}
	d, err := shard.Parse(f.shard)
	if err != nil {
		return nil, fmt.Errorf("--shard %w", err)
	}
	if f.shardBy == "" {
		return d, nil
	}
	file, err := os.Open(f.shardBy)
	if err != nil {
		return nil, fmt.Errorf("--shard-by %q cannot be opened: %w", f.shardBy, reason(err))
	}
	defer file.Close()
	if d.Weights, err = shard.ReadWeights(file); err != nil {
		return nil, fmt.Errorf("--shard-by %q %w", f.shardBy, err)
	}
	return d, nil
}

func (p *program) mergeCommand() *cobra.Command {
	f := runFlags{live: liveFlags{from: annotate.LiveFromHead}}
	cmd := &cobra.Command{
		Use:   "merge REPORT...",
		Short: "Merge the reports of all shards of a check",
		Long: `Merge reads the JSON reports that "mcp-gates run --shard I/N --format json" wrote for all shards of a check. It
writes the report that the check would have written without shards, byte for byte. It starts no server and
judges no recording again. The workspace must contain the suites and the replayed recordings of the shards.

The exit status is the same as without shards. It is 2 if a shard is missing, is given twice, or belongs to
another check, with other suites, cases or recordings, or with another base or build of the program.`,
		Example: `  mcp-gates merge shards/*.json
  mcp-gates merge shards/*.json --baseline main --format markdown=comment.md`,
		RunE: func(cmd *cobra.Command, args []string) error { return p.runMerge(cmd.Context(), f, args) },
	}
	flags := cmd.Flags()
	f.registerBase(flags)
	f.output.register(flags)
	f.output.registerRun(flags)
	f.output.registerJSONRuns(flags)
	return cmd
}

func (p *program) runMerge(ctx context.Context, f runFlags, reports []string) error {
	if len(reports) == 0 {
		return errors.New("merge takes the reports of all shards, found none")
	}
	places, err := f.output.places()
	if err != nil {
		return err
	}
	var set shard.Set
	for _, path := range reports {
		if err := addShard(&set, path, func() (*os.File, error) { return os.Open(path) }); err != nil {
			return err
		}
	}
	options, err := mergeOptions(&set)
	if err != nil {
		return err
	}
	workspace, err := openWorkspace(f.workspace)
	if err != nil {
		return err
	}
	return p.checkAndReport(ctx, f, options, workspace, places)
}

func addShard(set *shard.Set, path string, open func() (*os.File, error)) error {
	file, err := open()
	if err != nil {
		return fmt.Errorf("%q cannot be opened: %w", path, reason(err))
	}
	defer file.Close()
	if err := set.Add(path, file); err != nil {
		return fmt.Errorf("%q %w", path, err)
	}
	return nil
}

func mergeOptions(set *shard.Set) (check.Options, error) {
	s := set.Selection()
	o := check.Options{
		Suites: s.Suites, Tags: s.Tags, SkipTags: s.SkipTags, FailOnStale: suite.StalePolicy(s.FailOnStale),
		SkipForeign: s.SkipForeign, OnlyAffected: s.Affected, Version: thisBuild().Version, Build: thisBuild().Build, Digests: true, Merge: set,
	}
	if !slices.Contains(slices.Collect(maps.Values(staleFloors)), o.FailOnStale) {
		return o, fmt.Errorf("the reports name a floor for stale_catalog that does not exist: %q", s.FailOnStale)
	}
	if s.Filter == "" {
		return o, nil
	}
	filter, err := regexp.Compile(s.Filter)
	if err != nil {
		return o, fmt.Errorf("the filter that the reports name: %w", err)
	}
	o.Filter = filter
	return o, nil
}
